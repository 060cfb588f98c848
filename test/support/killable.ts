import { inject } from 'vitest'
import { build } from '../../scripts/build.js'
import { createDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { pause, type ServiceProcess, startProcess } from './service-process.ts'
import { newReference, type TestApp } from './tender.ts'

/** The service as a process, to be killed and started again on one database and one port. */
export interface Killable {
  readonly url: string
  readonly databaseUrl: string
  start(): Promise<void>
  kill(): Promise<void>
}

export async function killableService(name: string): Promise<Killable> {
  await build()
  const databaseUrl = await createDatabase(inject('databaseUrl'), name, 'template')
  const port = await freePort()
  let running: ServiceProcess | undefined
  return {
    url: `http://127.0.0.1:${port}`,
    databaseUrl,
    async start() {
      running = startProcess({ port, env: { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' } })
      await running.ready()
    },
    async kill() {
      await running?.kill()
      running = undefined
    },
  }
}

/**
 * Kills the service while twelve shoppers are at it, a while after it has captured something for some of
 * them, however fast it is; then starts it again. Notes what was answered.
 */
export async function killUnderLoad(
  service: Killable,
  app: TestApp,
  { acknowledged, afterMs }: { acknowledged: Map<number, string>; afterMs: number },
): Promise<void> {
  const captured = () => [...acknowledged.values()].filter((state) => state === 'Captured').length
  const enough = captured() + 3
  const load = Array.from({ length: 12 }, () => workUntilGone(app, acknowledged))
  while (captured() < enough) await pause(5)
  await pause(afterMs)
  await service.kill()
  await Promise.all(load)
  await service.start()
}

/** Creates and pays until the service is gone. */
async function workUntilGone(app: TestApp, acknowledged: Map<number, string>): Promise<void> {
  for (;;) {
    try {
      const { paymentId } = await app.create({ referenceId: newReference() })
      acknowledged.set(paymentId, 'Created')
      const paid = await app.pay(paymentId)
      if (paid.status === 200) acknowledged.set(paymentId, paid.body.paymentState)
    } catch {
      return
    }
  }
}
