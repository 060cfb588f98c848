import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { build } from '../../../scripts/build.js'
import { freePort } from '../../../src/net/free-port.ts'
import { createDatabase } from '../../support/database.ts'
import { type Receiver, settings, startReceiver } from '../../support/receiver.ts'
import { newReference, OPERATOR_TOKEN, type TestApp, testMerchant } from '../../support/tender.ts'

/** The real process is killed while it sends, again and again, on one database. */
let databaseUrl: string
let port: number
let child: ChildProcess | undefined
let shop: Receiver
let app: TestApp

beforeAll(async () => {
  build()
  databaseUrl = await createDatabase(inject('databaseUrl'), 'e2e_webhooks_crash', 'template')
  port = await freePort('127.0.0.1')
  shop = await startReceiver()
  await start()
  app = (await testMerchant(`http://127.0.0.1:${port}`)).sandbox
  await settings(app, { paymentWebhookUrl: shop.url })
})
afterAll(async () => {
  await kill()
  await shop.stop()
})

async function start(): Promise<void> {
  child = spawn(process.execPath, ['dist/main.js'], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: databaseUrl,
      OPERATOR_TOKEN,
      SECRET_KEY: 'a-secret-key-of-at-least-thirty-two-characters',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      LOG_LEVEL: 'error',
    },
    stdio: 'inherit',
  })
  for (let tries = 0; !(await isReady()); tries++) {
    expect(tries, 'starts within ten seconds').toBeLessThan(300)
    await pause(30)
  }
}

const isReady = () =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    (response) => response.ok,
    () => false,
  )

async function kill(): Promise<void> {
  if (!child) return
  const gone = new Promise((resolve) => child?.on('exit', resolve))
  child.kill('SIGKILL')
  await gone
  child = undefined
}

/** Leases of 20 s must end, on a machine that may be busy. */
const SLOW = { timeout: 120_000 }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it('kill -9 under load, three times: every acknowledged change is delivered, in order', SLOW, async () => {
  shop.answer = async (_hook, response) => {
    await pause(Math.random() * 40)
    response.end()
  }
  const acknowledged = new Map<number, string>()
  for (let round = 0; round < 3; round++) {
    const load = Array.from({ length: 12 }, () => work(acknowledged))
    await pause(400 + 100 * round)
    await kill()
    await Promise.all(load)
    await start()
  }
  expect(acknowledged.size).toBeGreaterThan(20)
  // What was in flight when the process died is taken over when its lease ends.
  const told = (paymentId: number) => new Set(shop.states(paymentId))
  for (const [paymentId, state] of acknowledged)
    await expect.poll(() => told(paymentId).has(state), { timeout: 60_000 }).toBe(true)
  for (const paymentId of acknowledged.keys()) {
    const firsts = [...told(paymentId)]
    const order = ['Created', 'Authorizing', 'Capturing', 'Captured']
    expect([paymentId, firsts]).toEqual([paymentId, order.filter((state) => firsts.includes(state))])
    expect(firsts[0]).toBe('Created')
  }
})

/** Creates and pays until the service is gone. */
async function work(acknowledged: Map<number, string>): Promise<void> {
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
