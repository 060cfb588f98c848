import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Ask } from './invariants.ts'
import { pause } from './service-process.ts'

/** The shops' own server: takes webhooks and looks whether each payment's come in order. */
export interface Inbox {
  readonly url: string
  /** From now on webhooks to this path below `url` get 503, or none do. */
  refuse(path: string | undefined): void
  /** Resolves with what is wrong: events that never came, and those that came out of order. */
  complaints(ask: Ask): Promise<string[]>
  stop(): void
}

const PATH = '/hooks'

/** Called with the path below `url` and the time since the event, for each webhook that is taken. */
type OnTaken = (path: string, lagMs: number) => void

export async function startInbox(onTaken?: OnTaken): Promise<Inbox> {
  let refused: string | undefined
  const received = new Set<string>()
  const disordered: string[] = []
  const latest = new Map<string, number>()
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    const [, payment = '', sequence = ''] = /^evt_(\d+)_(\d+)$/.exec(id) ?? []
    const path = request.url?.slice(PATH.length) ?? ''
    const isRefused = path === refused
    let text = ''
    if (onTaken) request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.resume().on('end', () => {
      if (isRefused) {
        response.writeHead(503).end()
        return
      }
      if (onTaken) onTaken(path, Date.now() - Date.parse(/"createdTime":"([^"]+)"/.exec(text)?.[1] ?? ''))
      if (!received.has(id) && Number(sequence) !== (latest.get(payment) ?? 0) + 1) disordered.push(id)
      received.add(id)
      latest.set(payment, Math.max(latest.get(payment) ?? 0, Number(sequence)))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    refuse(path) {
      refused = path
    },
    async complaints(ask) {
      const missing = await untilAllCame(ask, received)
      const never = missing.length > 0 ? [`${missing.length} events never came, such as ${missing[0]}`] : []
      return [...never, ...disordered.map((id) => `${id} came out of order`)]
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const TRIES = 80

async function untilAllCame(ask: Ask, received: ReadonlySet<string>): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    const events = await ask<{ id: string }>(
      `select 'evt_' || payment_id || '_' || sequence as id from events where payment_id > 0`,
    )
    const missing = events.map(({ id }) => id).filter((id) => !received.has(id))
    if (missing.length === 0 || tries >= TRIES) return missing
    await pause(250)
  }
}
