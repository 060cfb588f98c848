import { afterAll, beforeAll, expect, it } from 'vitest'
import { ENGLISH } from '../../src/payments/problems.ts'
import { type Answer, good, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_problems')
})
afterAll(() => tender?.stop())

const OLD = 'The account does not have enough money.'
const NEW = 'There is too little money in the account.'

/** Everywhere the API tells why the payment was declined. */
async function reported(paymentId: number) {
  const { lastError, failure }: Answer = await tender.sandbox.read(paymentId)
  const attempts: Answer[] = good(await tender.sandbox.call('GET', `payments/${paymentId}/attempts`))
  const states: Answer[] = good(await tender.sandbox.call('GET', `payments/${paymentId}/state-logs`))
  return { lastError, failure, attempt: attempts[0]?.explanation, state: states.at(-1)?.lastError }
}

it('a reworded sentence is what the API shows for payments from before', async () => {
  const { paymentId } = await tender.sandbox.create()
  await tender.sandbox.pay(paymentId, { outcome: 'insufficient-funds' })
  good(await tender.sandbox.act(paymentId, 'cancel'))
  const retry = { retry: 'unspecified', retryAfter: null }
  const failure = { code: 'cancelled', message: 'The payment was cancelled.', ...retry }
  expect(await reported(paymentId)).toEqual({ lastError: OLD, failure, attempt: OLD, state: OLD })
  const words = { decline: ENGLISH.decline['insufficient-funds'], ending: ENGLISH.ending.cancelled }
  try {
    Object.assign(ENGLISH.decline, { 'insufficient-funds': NEW })
    Object.assign(ENGLISH.ending, { cancelled: 'It was cancelled.' })
    const reworded = { code: 'cancelled', message: 'It was cancelled.', ...retry }
    expect(await reported(paymentId)).toEqual({ lastError: NEW, failure: reworded, attempt: NEW, state: NEW })
  } finally {
    Object.assign(ENGLISH.decline, { 'insufficient-funds': words.decline })
    Object.assign(ENGLISH.ending, { cancelled: words.ending })
  }
})

it('the reason of a dispute that a merchant marks is shown as it was written', async () => {
  const { paymentId } = await tender.sandbox.paid()
  const marked = good(
    await tender.sandbox.call('POST', `payments/${paymentId}/mark-as-dispute`, { reason: 'bank_return' }),
  )
  expect(marked).toMatchObject({ paymentState: 'Disputed', lastError: 'bank_return' })
})

it('a failure has its members in the order of the API, and no others', async () => {
  const { customerId } = await tender.sandbox.paid({ registerAutoPayment: true })
  await tender.sandbox.fault('charge', 'decline')
  const failed: Answer = good(
    await tender.sandbox.call('POST', 'payments/auto-payment', {
      ...{ referenceId: 'declined', amount: 5, autoCapture: true },
      customerOrder: { customer: { customerId } },
    }),
  )
  expect(JSON.stringify(failed.failure)).toBe(
    '{"code":"declined","message":"The payment was declined.","declineCode":"generic",' +
      '"retry":"unspecified","retryAfter":null}',
  )
})
