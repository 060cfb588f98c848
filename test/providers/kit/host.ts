import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Gate } from './gate.ts'
import type {
  InMemory,
  InMemoryOptions,
  LedgerEntry,
  ProviderSimulator,
  SimulatedRequest,
} from './simulator.ts'

/** The clock, the origin and the gate of a simulator, and its socket unless it answers in memory. */
export interface Host {
  readonly gate: Gate
  now(): number
  origin(): string
  /** Moves the clock. */
  pass(ms: number): void
  /** Answers requests from now on. Returns what every simulator has. */
  open(handle: InMemory['handle']): Promise<Opened>
}

type Opened = Pick<
  ProviderSimulator & InMemory,
  'origin' | 'handle' | 'requests' | 'violations' | 'arm' | 'close'
>

interface HostOptions {
  readonly now?: () => number
  readonly inMemory?: InMemoryOptions
}

export function createHost({ now = Date.now, inMemory }: HostOptions): Host {
  const gate: Gate = { requests: [], violations: [], armed: [] }
  let offset = 0
  let origin = inMemory?.origin ?? ''
  return {
    gate,
    now: () => now() + offset,
    origin: () => origin,
    pass(ms) {
      offset += ms
    },
    async open(handle) {
      const served = inMemory ? undefined : await serve(handle, gate.violations)
      if (served) origin = served.origin
      const { requests, violations, armed } = gate
      const arm: Opened['arm'] = (behaviour) => void armed.push(behaviour)
      return { origin, handle, requests, violations, arm, close: async () => served?.close() }
    },
  }
}

/** Reads of the ledger. */
export const ledgerOf = (
  entries: () => readonly LedgerEntry[],
): Pick<ProviderSimulator, 'ledger' | 'allEntries'> => ({
  ledger: (reference) => entries().filter((entry) => entry.reference === reference),
  allEntries: entries,
})

/** Sends a form of a hosted page, as a browser does. */
export async function sendForm(
  handle: InMemory['handle'],
  pageUrl: string | URL,
  form: Readonly<Record<string, string>>,
) {
  const body = new URLSearchParams(form).toString()
  const reply = await handle({ method: 'POST', url: new URL(pageUrl), headers: {}, body })
  if (reply.status >= 400) throw new Error(`the page answered ${reply.status}: ${reply.body.slice(0, 200)}`)
  return reply
}

interface Served {
  readonly origin: string
  close(): Promise<void>
}

/** Answers on a socket of this machine. What the simulator throws is a violation. */
async function serve(handle: InMemory['handle'], violations: string[]): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    read(incoming, origin)
      .then(handle)
      .then(
        ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
        (error: unknown) => {
          violations.push(`simulator: ${String(error)}`)
          outgoing.writeHead(500).end()
        },
      )
  })
  // On a busy machine the client would else use a connection that was just closed.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function read(incoming: IncomingMessage, origin: string): Promise<SimulatedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return {
    method: incoming.method ?? '',
    url: new URL(incoming.url ?? '/', origin),
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString(),
  }
}
