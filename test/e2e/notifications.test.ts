import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { MINUTE, systemClock } from '../../src/base/clock.ts'
import { loadApp } from '../../src/merchants/directory.ts'
import { recheck } from '../../src/payments/provider/recheck.ts'
import { findPayment } from '../../src/payments/store/payments.ts'
import type { ProviderAdapter } from '../../src/providers/port.ts'
import { type Answer, good, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
let aheadMs = 0
beforeAll(async () => {
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) }
  tender = await startTestService('e2e_notifications', { clock })
})
afterAll(() => tender?.stop())
afterEach(() => tender.sandbox.call('DELETE', 'test-helpers/faults'))

it('processes a notification that arrived during an outage when the provider is readable', async () => {
  const { sandbox, service } = tender
  const { paymentId } = await sandbox.paid()
  const adapter = service.ctx.providers.get('sandbox')
  if (!adapter) throw new Error('there is no sandbox')
  await service.ctx.background.settled()
  const reading = vi.spyOn(adapter, 'retrieve').mockResolvedValue({ kind: 'unknown', why: 'timeout' })
  // The helper and the notification each cause one read; both fail.
  good(await sandbox.call('POST', `test-helpers/payments/${paymentId}/dispute`, {}))
  await expect.poll(() => reading.mock.calls.length).toBeGreaterThan(1)
  await service.ctx.background.settled()
  reading.mockRestore()
  expect((await sandbox.read(paymentId)).paymentState).toBe('Captured')

  // The lease of the first worker expires.
  aheadMs = 10 * MINUTE
  await expect.poll(async () => (await sandbox.read(paymentId)).paymentState).toBe('Disputed')
})

it('stores a notification that reports what is known as done, without reading the provider', async () => {
  const { sandbox, service } = tender
  const adapter = service.ctx.providers.get('sandbox')
  if (!adapter) throw new Error('there is no sandbox')
  const reading = vi.spyOn(adapter, 'retrieve')
  // It is held until the payment is captured here too.
  let release = () => {}
  const captured = new Promise<void>((resolve) => {
    release = resolve
  })
  const receive = adapter.receive.bind(adapter)
  const receiving = vi.spyOn(adapter, 'receive').mockImplementation(async (...call) => {
    await captured
    return await receive(...call)
  })
  await sandbox.paid()
  await expect.poll(() => receiving.mock.calls.length).toBe(1)
  const before = await countDone()
  const statements = vi.spyOn(service.ctx.db, 'batch')
  release()
  await expect.poll(() => countDone()).toBe(before + 1)
  expect(statements.mock.calls.map(([{ name }]) => name)).not.toContain('inbound.end')
  expect(reading).not.toHaveBeenCalled()
  for (const spy of [statements, receiving, reading]) spy.mockRestore()
})

describe('a request that reaches the provider late, without a notification', () => {
  /** A payment whose attempt the bank approves after it was reported as absent. */
  async function approvedLate(): Promise<number> {
    const { sandbox, service } = tender
    const adapter = service.ctx.providers.get('sandbox')
    if (!adapter) throw new Error('there is no sandbox')
    const { paymentId } = await sandbox.create()
    await sandbox.fault('any', 'notification-never', { times: 50 })
    const starting = loseReply(adapter)
    const reading = vi.spyOn(adapter, 'retrieve').mockResolvedValue({ kind: 'absent', conclusive: true })
    good(await sandbox.pay(paymentId))
    expect(good(await sandbox.act(paymentId, 'recheck')).paymentState).toBe('Created')
    reading.mockRestore()
    starting.mockRestore()
    return paymentId
  }
  /** The bank acts, but its reply is lost. */
  function loseReply(adapter: ProviderAdapter) {
    const start = adapter.start.bind(adapter)
    return vi.spyOn(adapter, 'start').mockImplementation(async (...call) => {
      await start(...call)
      return { kind: 'unknown', why: 'timeout' }
    })
  }
  const attemptsOf = async (paymentId: number): Promise<Answer[]> =>
    good(await tender.sandbox.call('GET', `payments/${paymentId}/attempts`))
  const done = async (paymentId: number) =>
    (await tender.sandbox.ledger(paymentId)).filter(({ status }) => status === 'done').map(({ kind }) => kind)

  it('is found by a delayed check', async () => {
    const paymentId = await approvedLate()
    await tender.sandbox.advance('6m')
    expect((await tender.sandbox.read(paymentId)).paymentState).toBe('Captured')
    expect(await done(paymentId)).toEqual(['sale'])
    expect(await attemptsOf(paymentId)).toMatchObject([
      { attempt: 1, status: 'Approved', explanation: 'The provider approved.', undone: null },
    ])
  })

  it('is tracked until the bank has finished processing it', async () => {
    const { sandbox, service } = tender
    const paymentId = await approvedLate()
    const adapter = service.ctx.providers.get('sandbox')
    if (!adapter) throw new Error('there is no sandbox')
    const retrieve = adapter.retrieve.bind(adapter)
    const reading = vi.spyOn(adapter, 'retrieve').mockImplementation(async (...call) => {
      const sight = await retrieve(...call)
      return sight.kind === 'snapshot' ? { ...sight, stage: 'processing' } : sight
    })
    await sandbox.advance('6m')
    expect((await sandbox.read(paymentId)).paymentState).toBe('SaleInProgress')
    expect(await attemptsOf(paymentId)).toMatchObject([{ attempt: 1, status: 'Waiting' }])
    reading.mockRestore()
    await sandbox.advance('1d')
    expect((await sandbox.read(paymentId)).paymentState).toBe('Captured')
    expect(await attemptsOf(paymentId)).toMatchObject([{ attempt: 1, status: 'Approved' }])
  })

  it('is refunded if the customer has paid again since', async () => {
    const paymentId = await approvedLate()
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('Captured')
    await tender.sandbox.advance('6m')
    expect((await tender.sandbox.read(paymentId)).paymentState).toBe('Captured')
    expect((await done(paymentId)).sort()).toEqual(['refund', 'sale', 'sale'])
    expect(await attemptsOf(paymentId)).toMatchObject([
      { status: 'GivenUp', explanation: 'Given up; its request reached the provider afterwards.' },
      { status: 'Approved' },
    ])
    expect((await attemptsOf(paymentId))[0]?.undone.explanation).toBe('What it had taken was refunded.')
  })

  it('is checked until the bank is readable, and then no more', async () => {
    const { sandbox, service } = tender
    const paymentId = await approvedLate()
    const adapter = service.ctx.providers.get('sandbox')
    if (!adapter) throw new Error('there is no sandbox')
    const reading = vi.spyOn(adapter, 'retrieve').mockResolvedValue({ kind: 'unknown', why: 'timeout' })
    await sandbox.advance('6m')
    expect(reading).toHaveBeenCalledTimes(1)
    expect((await sandbox.read(paymentId)).paymentState).toBe('Created')
    reading.mockResolvedValue({ kind: 'absent', conclusive: true })
    await sandbox.advance('6m')
    await sandbox.advance('6m')
    expect(reading).toHaveBeenCalledTimes(2)
    reading.mockRestore()
  })
})

async function countDone(): Promise<number> {
  const text = `select count(*)::integer as count from provider_notifications where status = 'done'`
  const [row] = await tender.service.ctx.db.query<{ count: number }>({ name: 'test.kept', text })
  return row?.count ?? 0
}

it('looks again if the payment was changed between its read and that of its operation', async () => {
  const { sandbox, service } = tender
  const { ctx } = service
  const { paymentId } = await sandbox.paid()
  const adapter = ctx.providers.get('sandbox')
  const app = await loadApp(ctx, sandbox.appId)
  if (!adapter || !app) throw new Error('there is no sandbox')
  await ctx.background.settled()
  const reading = vi.spyOn(adapter, 'retrieve').mockResolvedValue({ kind: 'unknown', why: 'timeout' })
  good(await sandbox.call('POST', `test-helpers/payments/${paymentId}/dispute`, {}))
  await expect.poll(() => reading.mock.calls.length).toBeGreaterThan(1)
  await ctx.background.settled()
  reading.mockRestore()
  const current = await findPayment(ctx.db, sandbox.appId, paymentId)
  if (!current) throw new Error('there is no payment')
  // As it was while the refund was open. A dispute has no place in this state.
  await recheck(ctx, app, { ...current, state: 'Refunding', version: current.version - 1 })
  expect((await sandbox.read(paymentId)).paymentState).toBe('Disputed')
})
