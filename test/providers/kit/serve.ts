import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { InMemory, SimulatedRequest } from './simulator.ts'

interface Served {
  readonly origin: string
  close(): Promise<void>
}

/** Answers on a socket of this machine. What the simulator throws is a violation. */
export async function serve(handle: InMemory['handle'], violations: string[]): Promise<Served> {
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
