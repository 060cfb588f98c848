import { afterAll, beforeAll, expect, it } from 'vitest'
import { triesRemovalJob } from '../../../src/payments/retry/removal.ts'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_retry_removal')
})
afterAll(() => tender?.stop())

const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })

async function storedCard(outcome: string): Promise<string> {
  const customerId = newReference()
  const { paymentId } = await tender.sandbox.create({ ...order(customerId), registerAutoPayment: true })
  good(await tender.sandbox.pay(paymentId, { outcome }))
  return customerId
}

const charge = async (customerId: string): Promise<Answer> =>
  good(
    await tender.sandbox.call('POST', 'payments/auto-payment', {
      ...{ referenceId: newReference(), amount: 9.99, autoCapture: true },
      ...order(customerId),
    }),
  )
const codeOf = async (customerId: string) => (await charge(customerId)).failure?.code

let names = 0
const ask = (text: string, values: unknown[] = []) =>
  tender.service.ctx.db.query<Answer>({ name: `test.tries.${++names}`, text }, values)
const remove = () => triesRemovalJob(tender.service.ctx).runOnce()
const age = (days: number) => ask(`update card_tries set try_time = try_time - ${days} * interval '1 day'`)
const triesOf = async (customerId: string) => {
  const text = `select o.status, t.is_kept from card_tries t join operations o using (app_id, operation_key)
    join payments p using (app_id, payment_id) where p.customer_id = $1 order by t.try_time`
  return (await ask(text, [customerId])).map(({ status, isKept }) => `${status}${isKept ? ' kept' : ''}`)
}

it('tries beyond every window are removed; of each card the one that decides is kept', async () => {
  const [final, freed, later] = [
    await storedCard('stored-charge-never'),
    await storedCard('approved'),
    await storedCard('stored-charge-later'),
  ]
  await charge(final)
  const { paymentId } = await charge(freed)
  await ask(
    `update operations set status = 'declined', outcome = '{"why":"lost-card","retry":"never"}'
     where payment_id = $1`,
    [paymentId],
  )
  expect(await codeOf(freed)).toBe('retry_forbidden')
  await age(20)
  await charge(later)
  await charge(later)
  // None is too old yet.
  expect([await remove(), await triesOf(later)]).toEqual([0, ['declined', 'declined']])

  await age(20)
  expect(await remove()).toBe(2)
  expect([await triesOf(final), await triesOf(freed)]).toEqual([['declined kept'], ['declined kept']])
  expect([await codeOf(final), await codeOf(freed)]).toEqual(['retry_forbidden', 'retry_forbidden'])
  expect(await remove()).toBe(0)

  // The customer pays with the card, which ends the refusal, also when that is long ago.
  good(await tender.sandbox.call('PATCH', '', { retryGuard: false }))
  expect(await codeOf(freed)).toBeUndefined()
  good(await tender.sandbox.call('PATCH', '', { retryGuard: true }))
  await age(40)
  expect(await remove()).toBe(3)
  expect([await triesOf(freed), await triesOf(later)]).toEqual([['done kept'], []])
  expect([await codeOf(final), await codeOf(freed)]).toEqual(['retry_forbidden', undefined])
  expect(await codeOf(later)).toBe('declined')
})

it('declines that are about the payment are not kept, and do not replace a final one', async () => {
  const customerId = await storedCard('stored-charge-never')
  await charge(customerId)
  good(await tender.sandbox.call('PATCH', '', { retryGuard: false }))
  const { paymentId } = await charge(customerId)
  good(await tender.sandbox.call('PATCH', '', { retryGuard: true }))
  await ask(`update operations set outcome = '{"why":"duplicate","retry":"never"}' where payment_id = $1`, [
    paymentId,
  ])
  await age(40)
  await remove()
  expect(await triesOf(customerId)).toEqual(['declined kept'])
  expect(await codeOf(customerId)).toBe('retry_forbidden')
})

it.each([
  { first: 'done', last: 'declined', kept: 'declined kept', code: 'retry_forbidden' },
  { first: 'declined', last: 'done', kept: 'done kept', code: undefined },
])('of several that decide the newest is kept: $first, then $last', async ({ first, last, kept, code }) => {
  const customerId = await storedCard('approved')
  good(await tender.sandbox.call('PATCH', '', { retryGuard: false }))
  for (const status of [first, last]) {
    const { paymentId } = await charge(customerId)
    const outcome = status === 'declined' ? '{"why":"lost-card","retry":"never"}' : null
    await ask(
      'update operations set status = $2, outcome = coalesce($3::json, outcome) where payment_id = $1',
      [paymentId, status, outcome],
    )
    await age(1)
  }
  good(await tender.sandbox.call('PATCH', '', { retryGuard: true }))
  expect(await triesOf(customerId)).toEqual([first, last])
  await age(40)
  await remove()
  expect(await triesOf(customerId)).toEqual([kept])
  expect(await codeOf(customerId)).toBe(code)
})
