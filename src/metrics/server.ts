import { createServer, type Server } from 'node:http'
import { SECOND } from '../base/clock.ts'
import { errorData, type Log } from '../base/log.ts'
import { StartError } from '../base/start-error.ts'

interface ServingMetrics {
  readonly host: string
  readonly port: number
  readonly read: () => Promise<string>
  readonly log: Log
}

/** Version 0.0.4 is the text format that every Prometheus reads. */
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const REQUEST_MS = 5 * SECOND

/** Answers `GET /metrics` on a port of its own. Returns the function that closes it. */
export async function serveMetrics({ host, port, read, log }: ServingMetrics): Promise<() => Promise<void>> {
  const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, maxHeaderSize: 8_192 }
  const server = createServer(limits, async ({ method, url = '' }, response) => {
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead || url.split('?')[0] !== '/metrics') return void response.writeHead(404).end()
    try {
      const text = await read()
      response.writeHead(200, { 'content-type': TYPE }).end(text)
    } catch (error) {
      log.error('metrics.failed', errorData(error))
      response.writeHead(500).end()
    }
  })
  await listening(server, host, port)
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new StartError(`METRICS_PORT ${port} on ${host} cannot be opened (${code}).`)),
    )
    server.listen({ host, port }, () => resolve())
  })
}
