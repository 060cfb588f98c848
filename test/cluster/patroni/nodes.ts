import { freePort } from '../../../src/net/free-port.ts'
import { isReady, type ServiceProcess, startProcess } from '../../support/service-process.ts'
import { until } from './servers.ts'

const COUNT = 3

/** Three nodes of the service, each with all roles. */
export interface Nodes {
  readonly urls: readonly string[]
  /** Stops each node with SIGTERM and starts it again, one after the other. */
  restart(databaseUrl?: string): Promise<void>
  ready(): Promise<void>
  output(): string
}

export async function startNodes(firstUrl: string): Promise<Nodes> {
  let databaseUrl = firstUrl
  const processes: ServiceProcess[] = []
  const ports: number[] = []
  while (ports.length < COUNT) ports.push(await freePort('127.0.0.1'))
  const start = async (port: number): Promise<ServiceProcess> => {
    const node = startProcess({ port, env: { DATABASE_URL: databaseUrl } })
    await node.ready()
    return node
  }
  for (const port of ports) processes.push(await start(port))
  return {
    urls: processes.map(({ url }) => url),
    async restart(nextUrl = databaseUrl) {
      databaseUrl = nextUrl
      for (const [place, port] of ports.entries()) {
        const before = processes[place]
        await before?.kill('SIGTERM')
        const code = await before?.exited
        if (code !== 0) throw new Error(`a node ended with ${code}: ${before?.output().slice(-2_000)}`)
        processes[place] = await start(port)
      }
    },
    async ready() {
      for (const { url } of processes)
        await until('a node to be ready', async () => ((await isReady(url)) ? true : undefined))
    },
    output: () => processes.map((node) => `--- ${node.url}\n${node.output().slice(-1_500)}`).join('\n'),
  }
}
