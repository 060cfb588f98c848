import { beforeAll, describe, expect, it } from 'vitest'
import { newMember, peopleWorld } from '../../../test/support/people.ts'
import { raceTransactions } from '../../../test/support/racing.ts'
import { DAY, HOUR } from '../../base/clock.ts'
import { acting, type Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { licensedApps } from '../../merchants/licenses/commands.ts'
import type { Payment } from '../../payments/payment.ts'
import { withinRefundLimit } from '../../payments/requests/restrictions.ts'
import { peopleJob } from '../jobs.ts'
import { changeRole } from '../members/members.ts'
import type { SignedIn } from '../signed-in.ts'
import { refundAllowance, releaseRefund, reserveRefund } from './refunds.ts'
import { remainingRefund } from './rules.ts'

const world = peopleWorld()
let appId: string
beforeAll(async () => {
  appId = (await licensedApps(world.ctx, world.licenseId))[0]?.appId ?? ''
})

let requests = 0
const refundOf = (member: SignedIn, amountMinor: bigint, currency = 'USD') => ({
  licenseId: world.licenseId,
  personId: member.personId,
  appId,
  paymentId: 10_001,
  requestKey: `request-${++requests}`,
  currency,
  amountMinor,
})

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => error.code ?? String(error),
  )

/** A Support member who may refund 100.00 USD a day. */
async function support(): Promise<SignedIn> {
  const member = await newMember(world, 'Support')
  const { licenseId } = world
  const refundLimits = { USD: '10000' }
  const change = { licenseId, personId: member.personId, role: 'Support', refundLimits } as const
  return { ...member, memberships: [await changeRole(world.ctx, { role: 'Owner' }, change)] }
}

it.each([
  ['Support', { USD: '10000' }, 'USD', 0n, 10_000n],
  ['Support', { USD: '10000' }, 'USD', 9_999n, 1n],
  ['Support', { USD: '10000' }, 'USD', 10_001n, 0n],
  ['Support', { USD: '10000' }, 'EUR', 0n, 0n],
  ['Support', null, 'USD', 0n, 0n],
  ['Manager', null, 'USD', 5n, undefined],
] as const)(
  '%s with the limits %j may refund in %s, after %s: %s',
  (role, refundLimits, currency, used, left) => {
    expect(remainingRefund({ role, refundLimits }, currency, used)).toBe(left)
  },
)

describe('a Support member', () => {
  it('refunds up to the limit of the day, which ends at midnight UTC', async () => {
    const member = await support()
    expect(await codeOf(reserveRefund(world.ctx, refundOf(member, 6_000n)))).toBe('done')
    expect(await codeOf(reserveRefund(world.ctx, refundOf(member, 4_001n)))).toBe('forbidden')
    expect(await codeOf(reserveRefund(world.ctx, refundOf(member, 1n, 'EUR')))).toBe('forbidden')
    expect(await codeOf(reserveRefund(world.ctx, refundOf(member, 4_000n)))).toBe('done')
    expect(await refundAllowance(world.ctx, member, world.licenseId, 'USD')).toBe(0n)
    world.ctx.clock.advance(23 * HOUR)
    expect(await codeOf(reserveRefund(world.ctx, refundOf(member, 1n)))).toBe('forbidden')
    world.ctx.clock.advance(HOUR)
    expect(await codeOf(reserveRefund(world.ctx, refundOf(member, 10_000n)))).toBe('done')
  })

  it('cannot exceed it with two refunds at the same time', async () => {
    const member = await support()
    const reserve = (ctx: Context) => codeOf(reserveRefund(ctx, refundOf(member, 6_000n)))
    expect(await raceTransactions(world.ctx, reserve, reserve)).toEqual(['done', 'forbidden'])
  })

  it('is charged once for a repeated request, and not for a refund that failed', async () => {
    const member = await support()
    const refund = refundOf(member, 9_000n)
    await reserveRefund(world.ctx, refund)
    await reserveRefund(world.ctx, refund)
    expect(await refundAllowance(world.ctx, member, world.licenseId, 'USD')).toBe(1_000n)
    await releaseRefund(world.ctx.db, refund)
    expect(await refundAllowance(world.ctx, member, world.licenseId, 'USD')).toBe(10_000n)
  })

  it('is refused another amount under one key, and the key of another person', async () => {
    const [member, other] = [await support(), await support()]
    const refund = refundOf(member, 1n)
    expect(await reserveRefund(world.ctx, refund)).toBe('own')
    expect(await reserveRefund(world.ctx, refund)).toBe('shared')
    const more = { ...refund, amountMinor: 800n }
    expect(await codeOf(reserveRefund(world.ctx, more))).toBe('idempotency_key_reused')
    const theirs = { ...refund, personId: other.personId }
    expect(await codeOf(reserveRefund(world.ctx, theirs))).toBe('idempotency_key_reused')
  })
})

describe('refunds of one payment at the same time', () => {
  const app = () => ({ licenseId: world.licenseId, appId }) as App
  const payment = { paymentId: 10_002, currency: 'USD', version: 1, refundedMinor: 0n } as Payment
  const after = { ...payment, state: 'Refunding' } as Payment
  const acts = (member: SignedIn) =>
    acting(world.ctx, {
      kind: 'person',
      id: member.personId,
      name: '',
      address: '',
      requestId: 'chosen-by-the-client',
    })
  const left = (member: SignedIn) => refundAllowance(world.ctx, member, world.licenseId, 'USD')

  it('each count, whatever request id the client sends', async () => {
    const member = await support()
    const send = (amountMinor: bigint) =>
      withinRefundLimit(acts(member), app(), payment, {
        refund: { amountMinor, requestKey: undefined },
        work: async () => after,
      })
    await Promise.all([send(1n), send(800n)])
    expect(await left(member)).toBe(10_000n - 801n)
  })

  it('take back only what they reserved themselves', async () => {
    const member = await support()
    const send = (work: () => Promise<Payment>) =>
      codeOf(
        withinRefundLimit(acts(member), app(), payment, {
          refund: { amountMinor: 900n, requestKey: 'one-key' },
          work,
        }),
      )
    const failing = () => Promise.reject(new Error('refused'))
    await send(async () => {
      expect(await send(failing)).toBe('Error: refused')
      expect(await left(member)).toBe(10_000n - 900n)
      return after
    })
    // The request that reserved fails while a repeat of it succeeds.
    await releaseRefund(world.ctx.db, { appId, paymentId: payment.paymentId, requestKey: 'one-key' })
    await send(async () => {
      await send(async () => {
        await releaseRefund(world.ctx.db, { appId, paymentId: payment.paymentId, requestKey: 'one-key' })
        return after
      })
      return after
    })
    expect(await left(member)).toBe(10_000n - 900n)
  })
})

it('a person who is no member refunds nothing, and other roles have no limit', async () => {
  const manager = await newMember(world, 'Manager')
  expect(await codeOf(reserveRefund(world.ctx, refundOf(manager, 10n ** 15n)))).toBe('done')
  expect(await refundAllowance(world.ctx, manager, world.licenseId, 'USD')).toBeUndefined()
  const stranger = { ...manager, personId: 'usr_unknown' }
  expect(await codeOf(reserveRefund(world.ctx, refundOf(stranger, 1n)))).toBe('forbidden')
})

it('old rows are deleted by the job, in batches', async () => {
  const job = peopleJob(world.ctx)
  await job.runOnce()
  expect(await job.runOnce()).toBe(0)
  world.ctx.clock.advance(200 * DAY)
  expect(await job.runOnce()).toBeGreaterThan(3)
  expect(await job.runOnce()).toBe(0)
})
