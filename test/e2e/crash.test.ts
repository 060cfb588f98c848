import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { build } from '../../scripts/build.js'
import { freePort } from '../../src/net/free-port.ts'
import { createDatabase } from '../support/database.ts'
import { newReference, OPERATOR_TOKEN, type TestApp, testMerchant } from '../support/tender.ts'

/** The real process is killed in the middle of things, again and again, on one database. */
let databaseUrl: string
let port: number
let child: ChildProcess | undefined
let app: TestApp

beforeAll(async () => {
  build()
  databaseUrl = await createDatabase(inject('databaseUrl'), 'e2e_crash', 'template')
  port = await freePort('127.0.0.1')
  await start()
  app = (await testMerchant(`http://127.0.0.1:${port}`)).sandbox
})
afterAll(kill)

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
      SECRET_KEY: 'a secret key of at least thirty-two characters',
      LOG_LEVEL: 'warn',
    },
    stdio: 'inherit',
  })
  for (let tries = 0; !(await isReady()); tries++) {
    expect(tries, 'it starts').toBeLessThan(1500)
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

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const done = async (paymentId: number) =>
  (await app.ledger(paymentId)).filter((row) => row.status === 'done').map((row) => row.kind)

describe('kill -9', () => {
  it.each([
    ['capture', 'Captured', ['authorise', 'capture'], false],
    ['cancel', 'Failed', ['authorise', 'void'], false],
    ['refund', 'Refunded', ['authorise', 'capture', 'refund'], true],
  ] as const)(
    'between the provider call and the commit of a %s: one effect, and the truth is found',
    async (step, end, kinds, autoCapture) => {
      await app.fault('any', 'notification-never', { times: 10 })
      const { paymentId } = await app.paid({ autoCapture })
      await app.fault(step, 'reply-late', { delayMs: 20_000 })
      const cut = app.act(paymentId, step).catch(() => undefined)
      await expect.poll(() => done(paymentId)).toEqual(kinds)
      await kill()
      await cut
      await start()
      expect((await app.read(paymentId)).paymentState).toMatch(/ing$/)
      await app.advance('1m')
      expect((await app.read(paymentId)).paymentState).toBe(end)
      expect(await done(paymentId)).toEqual(kinds)
      await app.call('DELETE', 'test-helpers/faults')
    },
  )

  it('between the provider call and the commit of an authorisation: one charge, and it goes on', async () => {
    await app.fault('any', 'notification-never', { times: 10 })
    const { paymentId } = await app.create()
    await app.fault('authorise', 'reply-late', { delayMs: 20_000 })
    const cut = app.pay(paymentId).catch(() => undefined)
    await expect.poll(() => done(paymentId)).toEqual(['authorise'])
    await kill()
    await cut
    await start()
    expect((await app.read(paymentId)).paymentState).toBe('Authorizing')
    await app.advance('1m')
    expect((await app.read(paymentId)).paymentState).toBe('Captured')
    expect(await done(paymentId)).toEqual(['authorise', 'capture'])
    await app.call('DELETE', 'test-helpers/faults')
  })

  it('under load, five times: what was acknowledged is there, and nobody is charged twice', async () => {
    const acknowledged = new Map<number, string>()
    for (let round = 0; round < 5; round++) {
      const load = Array.from({ length: 12 }, () => work(acknowledged))
      await pause(150 + 40 * round)
      await kill()
      await Promise.all(load)
      await start()
    }
    expect(acknowledged.size).toBeGreaterThan(20)
    await app.advance('2m')
    await app.advance('2m')
    for (const [paymentId, state] of acknowledged) {
      const payment = await app.read(paymentId)
      if (state === 'Captured') expect(payment.paymentState).toBe('Captured')
      expect(['Created', 'Captured']).toContain(payment.paymentState)
      const expected = payment.paymentState === 'Captured' ? ['authorise', 'capture'] : []
      expect([paymentId, await done(paymentId)]).toEqual([paymentId, expected])
    }
  })
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
