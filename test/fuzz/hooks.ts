import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a webhook receiver that responds with the status in the last part of the path. */
export async function startHooks(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const status = Number(/(\d{3})$/.exec(request.url ?? '')?.[1] ?? 200)
      response.writeHead(status >= 200 && status < 600 ? status : 200, { location: '/hooks/200' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
