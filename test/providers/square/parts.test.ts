import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Money, money } from '../../../src/base/money.ts'
import { operation } from '../../../src/providers/contract/core.ts'
import type { Handles, Snapshot } from '../../../src/providers/outcome.ts'
import type { Operation } from '../../../src/providers/port.ts'
import { square } from '../../../src/providers/square/adapter.ts'
import { openAccount, type SquareAccount } from './account.ts'

/** Pages that are paid in parts, such as a gift card and a card. */

let account: SquareAccount
beforeAll(async () => {
  account = await openAccount()
})
afterAll(() => account?.close())

const AMOUNT = money(1_050n, 'EUR')
const part = (minor: bigint): Money => money(minor, 'EUR')
const refundOf = (reference: string): Operation => ({ ...operation('refund'), reference })

async function see({ reference, handles }: { reference: string; handles: Handles }): Promise<Snapshot> {
  const sight = await account.see(reference, handles)
  if (sight.kind !== 'snapshot') throw new Error(`expected a snapshot, not ${JSON.stringify(sight)}`)
  return sight
}

/** A page that is paid by a gift card (420) and a card (630). */
async function paidInParts() {
  const { op, handles, url } = await account.open()
  await account.simulator.payer(url, { kind: 'pay-part', percent: 40 })
  const first = await see({ reference: op.reference, handles })
  expect(first).toMatchObject({ stage: 'needs-customer', captured: part(0n), received: part(420n) })
  await account.simulator.payer(url, { kind: 'pay' })
  const seen = await see({ reference: op.reference, handles: { ...handles, ...first.handles } })
  expect(seen).toMatchObject({ stage: 'captured', captured: AMOUNT })
  return { reference: op.reference, handles: { ...handles, ...seen.handles } }
}

describe('a page of Square', () => {
  it('a page that is paid by a gift card and a card is one payment', async () => {
    const all = await paidInParts()
    const refund = (minor: bigint) =>
      square.refund(account.context(), refundOf(all.reference), all.handles, part(minor))
    expect((await refund(600n)).kind).toBe('pending')
    const last = await refund(400n)
    expect(last.kind).toBe('pending')
    expect(await refund(600n)).toMatchObject({ kind: 'not-done', why: 'bad-request' })
    account.advance(120_000)
    expect(await see(all)).toMatchObject({ captured: AMOUNT, refunded: part(1_000n) })
    // A refund is of one part, also when it is read by its own id.
    const known = { ...all.handles, ...('handles' in last ? last.handles : {}) }
    const again = await see({ reference: all.reference, handles: known })
    expect(again).toMatchObject({ refunded: part(1_000n), refunds: [{}, {}] })
  })

  it('a whole refund of a page that was paid in parts is one refund of all of them', async () => {
    const all = await paidInParts()
    const back = refundOf(all.reference)
    const outcome = await square.refund(account.context(), back, all.handles, AMOUNT)
    expect(outcome).toMatchObject({ kind: 'pending', echo: { amount: AMOUNT } })
    const refund = { operationKey: back.key, amount: AMOUNT }
    expect(await see(all)).toMatchObject({ refunded: part(0n), refunds: [{ ...refund, state: 'pending' }] })
    account.advance(120_000)
    const seen = await see(all)
    expect(seen).toMatchObject({ refunded: AMOUNT, refunds: [{ ...refund, state: 'done' }] })
    expect(seen.refunds).toHaveLength(1)
    account.simulator.dashboard(all.reference, { kind: 'fail-refund' })
    expect(await see(all), 'one of them failed later').toMatchObject({
      refunded: part(420n),
      refunds: [
        { operationKey: back.key, amount: part(630n), state: 'failed' },
        { amount: part(420n), state: 'done' },
      ],
    })
  })

  it('a refund in shares goes on with the shares that it saved', async () => {
    const all = await paidInParts()
    const back = refundOf(all.reference)
    let saved: Handles | undefined
    const op: Operation = {
      ...back,
      save: async (handles) => {
        saved = handles
        return true
      },
    }
    const { http } = account.context()
    let refunds = 0
    const lost = { kind: 'no-answer', why: 'timeout', cause: 'timeout' } as const
    const call: typeof http.call = async (request) =>
      request.url.endsWith('/refunds') && ++refunds === 2 ? lost : http.call(request)
    const ctx = { ...account.context(), http: { call } }
    expect((await square.refund(ctx, op, all.handles, AMOUNT)).kind).toBe('unknown')
    const [first] = (await see(all)).refunds
    expect(first, 'a share is not the refund').not.toHaveProperty('operationKey')
    // Something else is returned in the meantime.
    account.simulator.dashboard(all.reference, { kind: 'refund', amountMinor: 100n })
    const again = { ...op, sending: 2, ...(saved ? { saved } : {}) }
    expect(await square.refund(account.context(), again, all.handles, AMOUNT)).toMatchObject({
      ...{ kind: 'not-done', why: 'wrong-state' },
    })
    account.advance(120_000)
    expect(await see(all)).toMatchObject({ refunded: part(520n), refunds: [{ state: 'done' }, {}] })
  })

  it('nothing is sent by a worker that has lost the refund', async () => {
    const all = await paidInParts()
    const op: Operation = { ...refundOf(all.reference), save: async () => false }
    expect((await square.refund(account.context(), op, all.handles, AMOUNT)).kind).toBe('unknown')
    expect((await see(all)).refunds).toEqual([])
  })
})
