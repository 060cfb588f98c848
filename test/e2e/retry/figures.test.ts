import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Answer, good, newReference, type TestApp } from '../../support/tender.ts'

/** The figures of charges that failed, and the lists that they open. */

let world: TestConsole
let app: TestApp
beforeAll(async () => {
  world = await startTestConsole('e2e_retry_figures', { rateLimit: 100_000 })
  app = world.sandbox
})
afterAll(() => world?.stop())

const orderOf = (customerId: string, orderId?: string) => ({
  customerOrder: { customer: { customerId }, ...(orderId ? { orderId } : {}) },
})

async function storedCard(outcome: string): Promise<string> {
  const customerId = newReference()
  const { paymentId } = await app.create({ ...orderOf(customerId), registerAutoPayment: true, amount: 1 })
  good(await app.pay(paymentId, { outcome }))
  return customerId
}

interface Charge {
  readonly amount?: number
  readonly orderId?: string
}

const charge = async (customerId: string, { amount = 9.99, orderId }: Charge = {}): Promise<Answer> =>
  good(
    await app.call('POST', 'payments/auto-payment', {
      ...{ referenceId: newReference(), amount, autoCapture: true },
      ...orderOf(customerId, orderId),
    }),
  )

/** What the customer pays on the hosted page. */
async function paid(customerId: string, { amount = 9.99, orderId }: Charge = {}): Promise<void> {
  const { paymentId } = await app.create({ ...orderOf(customerId, orderId), amount })
  good(await app.pay(paymentId))
}

const figures = async (): Promise<Answer> => good(await app.call('GET', 'payments/overview')).failedCharges
const found = async (q: string): Promise<number[]> =>
  good(await app.call('GET', `payments?q=${encodeURIComponent(q)}&pageSize=100`)).map(
    ({ paymentId }: Answer) => paymentId,
  )
const CHARGES = 'flow:AutoPayment state:declined'

it('counts failed charges by advice, those refused and those paid later, as their lists do', async () => {
  expect(await figures()).toMatchObject({ failed: 0, recovered: 0, forbidden: 0, isWhole: true })
  const [never, later, open] = await Promise.all(
    ['stored-charge-never', 'stored-charge-later', 'stored-charge-declined'].map(storedCard),
  )
  if (!never || !later || !open) throw new Error('no cards')
  await charge(never)
  const refused = await charge(never)
  expect(refused.failure.code).toBe('retry_forbidden')
  const [first, second] = [await charge(later), await charge(later)]
  const unpaid = await charge(open)
  // Another amount, another customer and an earlier payment are no recovery.
  await paid(open, { amount: 10 })
  await paid(never, { amount: 5 })
  await app.advance('3d')
  await paid(later)
  expect(await figures()).toEqual({
    ...{ failed: 5, recovered: 2, forbidden: 1, isWhole: true },
    byRetry: [
      { retry: 'never', failed: 2, recovered: 0, forbidden: 1 },
      { retry: 'later', failed: 2, recovered: 2, forbidden: 0 },
      { retry: 'after-customer-acts', failed: 0, recovered: 0, forbidden: 0 },
      { retry: 'unspecified', failed: 1, recovered: 0, forbidden: 0 },
    ],
  })
  expect(await found(`${CHARGES} recovered:yes`)).toEqual([second.paymentId, first.paymentId])
  expect(await found(`${CHARGES} retry:unspecified`)).toEqual([unpaid.paymentId])
  expect(await found(`${CHARGES} reason:retry_forbidden`)).toEqual([refused.paymentId])
  expect(await found('retry:never,later recovered:no')).toHaveLength(2)
  expect((await app.call('GET', 'payments?q=-retry:never')).status).toBe(400)

  const { html } = await world.get('Viewer', 'overview?range=30d')
  const [, card = ''] = /Failed charges of stored methods<\/h2>(.*?)<\/section>/s.exec(html) ?? []
  expect(card).toMatch(/<caption[^>]*>Failed charges of stored methods/)
  const links = [...card.matchAll(/href="([^"]*\/payments\?[^"]*)">(\d+)</g)]
  expect(links).toHaveLength(4 * 3)
  for (const [, href = '', count] of links) {
    const query = new URL(href.replaceAll('&amp;', '&'), world.origin).searchParams
    const listed = good(await app.call('GET', `payments?${query}&pageSize=100`))
    expect([href, listed.length]).toEqual([href, Number(count)])
  }
  expect((await world.get('Viewer', 'overview?range=30d&lang=de')).html).toContain('Davon später bezahlt')
})

it('an order says which charge a payment is for, and two weeks are the end', async () => {
  const customerId = await storedCard('stored-charge-later')
  const week1 = await charge(customerId, { amount: 4, orderId: 'week-1' })
  const week2 = await charge(customerId, { amount: 4, orderId: 'week-2' })
  const none = await charge(customerId, { amount: 6 })
  const recovered = async () => {
    const all = await found('recovered:yes')
    return [week1, week2, none].map(({ paymentId }) => all.includes(paymentId))
  }
  await paid(customerId, { amount: 4, orderId: 'week-2' })
  expect(await recovered()).toEqual([false, true, false])
  await app.advance('13d')
  await paid(customerId, { amount: 3, orderId: 'week-1' })
  expect(await recovered()).toEqual([true, true, false])
  await app.advance('2d')
  await paid(customerId, { amount: 6 })
  expect(await recovered()).toEqual([true, true, false])
})

it('failures from before advice was stored are counted by their reason, as the API tells them', async () => {
  const { db } = world.tender.service.ctx
  const before: Answer[] = (await figures()).byRetry
  const strip = `update payments set failure = (failure::jsonb - 'retry')::json where failure is not null`
  await db.query({ name: 'test.old_failures', text: strip })
  const counts: Record<string, number> = {}
  for (const paymentId of await found(CHARGES)) {
    const { failure } = await app.read(paymentId)
    counts[failure.retry] = (counts[failure.retry] ?? 0) + 1
  }
  const now: Answer[] = (await figures()).byRetry
  for (const { retry, failed } of now) expect([retry, failed]).toEqual([retry, counts[retry] ?? 0])
  expect(now.reduce((sum, { failed }) => sum + failed, 0)).toBe(
    before.reduce((sum, { failed }) => sum + failed, 0),
  )
})
