import { type ChildProcess, spawn } from 'node:child_process'
import { expect, inject } from 'vitest'
import { build } from '../../scripts/build.js'
import { freePort } from '../../src/net/free-port.ts'
import { createDatabase } from './database.ts'
import { newReference, OPERATOR_TOKEN, type TestApp } from './tender.ts'

/** The built service as a process of its own, to be killed and started again on one database. */
export interface Killable {
  readonly url: string
  start(): Promise<void>
  kill(): Promise<void>
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export async function killableService(name: string): Promise<Killable> {
  build()
  const databaseUrl = await createDatabase(inject('databaseUrl'), name, 'template')
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: databaseUrl,
    OPERATOR_TOKEN,
    SECRET_KEY: 'a secret key of at least thirty-two characters',
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    LOG_LEVEL: 'error',
  }
  let child: ChildProcess | undefined
  return {
    url,
    async start() {
      child = spawn(process.execPath, ['dist/main.js'], { env, stdio: 'inherit' })
      for (let tries = 0; !(await isReady(url)); tries++) {
        expect(tries, 'it starts').toBeLessThan(1500)
        await pause(30)
      }
    },
    async kill() {
      if (!child) return
      const gone = new Promise((resolve) => child?.on('exit', resolve))
      child.kill('SIGKILL')
      await gone
      child = undefined
    },
  }
}

const isReady = (url: string) =>
  fetch(`${url}/health/ready`).then(
    (response) => response.ok,
    () => false,
  )

/** Creates and pays until the service is gone, and notes what was answered. */
export async function workUntilGone(app: TestApp, acknowledged: Map<number, string>): Promise<void> {
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
