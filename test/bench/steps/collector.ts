import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A collector of OpenTelemetry that runs beside the benchmark. */
export interface Collector {
  readonly endpoint: string
  stop(): void
}

/** `keep` gets each body, JSON of OTLP. Without it bodies are read and forgotten: a real one is elsewhere. */
export async function startCollector(keep?: (body: string) => void): Promise<Collector> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request
      .on('data', (piece: Buffer) => void (keep && pieces.push(piece)))
      .on('end', () => {
        keep?.(Buffer.concat(pieces).toString())
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
