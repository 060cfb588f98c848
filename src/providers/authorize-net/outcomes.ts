import { after, MINUTE } from '../../base/clock.ts'
import type { AnyMethod } from '../methods/method.ts'
import type { Echo, Facts, Outcome } from '../outcome.ts'
import type { Purchase } from '../port.ts'
import type { CallFailure } from './exchange.ts'
import { declineOf } from './reasons.ts'
import { captureHandles, cardOf, notSettled, paymentHandles, refundHandle, standingOf } from './snapshot.ts'
import type { Result, TransactionDetails } from './wire.ts'

/** Pure: answers as outcomes. */

export const wrongState = (code: string): Outcome => ({ kind: 'not-done', why: 'wrong-state', raw: { code } })

export const unclear = (message: string): Outcome => ({
  kind: 'unknown',
  why: 'unreadable-reply',
  raw: { message },
})

/** The facts that are in every answer about a transaction, so that a repeated one is the same. */
const factsOf = (method: AnyMethod, number: string | undefined, brand: string | undefined): Facts =>
  method === 'CreditCard' ? { method, card: cardOf(number, brand) } : { method }

interface Charged {
  readonly id: string
  readonly facts: Facts
  readonly purchase: Purchase
  readonly echo: Echo
  readonly isHeld: boolean
}

/** A charge that succeeded. A debit is certain only when it is settled. */
function charged({ id, facts, purchase, echo, isHeld }: Charged): Outcome {
  const handles = paymentHandles(id)
  if (isHeld) return { kind: 'approved', handles, facts, stage: 'authorised', isHeld: true, echo }
  if (purchase.method === 'ElectronicCheck')
    return { kind: 'pending', handles, waitsFor: 'provider', facts, echo }
  if (!purchase.sale) return { kind: 'approved', handles, facts, stage: 'authorised', echo }
  const taken = captureHandles(id, purchase.amount.minor)
  return { kind: 'approved', handles: taken, facts, stage: 'captured', echo }
}

interface Wanted {
  readonly reference: string
  readonly purchase: Purchase
}

export function chargeOutcome(result: Result, { reference, purchase }: Wanted): Outcome {
  const { code, id, account, brand } = result
  if (code === '2' || code === '3') return refused(result)
  if (id === undefined) return unclear('an approval without a transaction')
  const facts = factsOf(purchase.method, account, brand)
  return charged({ id, facts, purchase, echo: { reference }, isHeld: code === '4' })
}

/** The charge of an earlier request, as it is now. */
export function foundCharge(one: TransactionDetails, { reference, purchase }: Wanted): Outcome {
  if (one.invoice !== reference) return unclear('another transaction')
  const facts = factsOf(purchase.method, one.payment.number, one.payment.brand)
  const echo = { reference }
  switch (standingOf(one)) {
    case 'declined':
      return { kind: 'declined', handles: {}, ...declineOf(one.reasonCode, one.reasonText) }
    case 'not-settled':
      return { kind: 'declined', handles: {}, ...notSettled(one) }
    case 'held':
    case 'authorised':
    case 'unsettled':
    case 'settled':
      // Another amount under our reference is not what was asked for.
      if (one.authorised.minor !== purchase.amount.minor) return unclear('another amount')
      return charged({ id: one.id, facts, purchase, echo, isHeld: standingOf(one) === 'held' })
    default:
      return unclear(one.status)
  }
}

export const refused = ({ reasonCode, reasonText }: Pick<Result, 'reasonCode' | 'reasonText'>): Outcome => ({
  kind: 'declined',
  ...declineOf(reasonCode, reasonText),
})

const echoOf = ({ invoice }: TransactionDetails): { echo?: Echo } =>
  invoice ? { echo: { reference: invoice } } : {}

export const captured = (one: TransactionDetails, minor: bigint): Outcome => ({
  kind: 'approved',
  handles: captureHandles(one.id, minor),
  facts: {},
  ...echoOf(one),
})

export const done = (one: TransactionDetails): Outcome => ({
  kind: 'approved',
  handles: paymentHandles(one.id),
  facts: {},
  ...echoOf(one),
})

/** The provider can give back a part only after the settlement, which is once a day. */
export const afterSettlement = (one: TransactionDetails, now: Date): Outcome => ({
  kind: 'pending',
  handles: paymentHandles(one.id),
  waitsFor: 'provider',
  isDeferred: true,
  recheckAt: after(now, 30 * MINUTE),
  ...echoOf(one),
})

export const refunded = (one: TransactionDetails, key: string, refundId: string): Outcome => ({
  kind: 'approved',
  handles: { ...paymentHandles(one.id), [refundHandle(key)]: refundId },
  facts: {},
  ...echoOf(one),
})

/** What a merchant can do about settings that do not work, in one sentence. */
export function settingsProblem({ why, raw }: CallFailure): string {
  if (why === 'bad-credentials')
    return raw?.code === 'E00011'
      ? 'The account does not permit the Transaction Details API; enable it under Account, Settings.'
      : 'Authorize.Net does not accept the API Login ID and the Transaction Key.'
  if (why === 'not-sent') return 'Authorize.Net could not be reached.'
  if (why === 'rate-limited') return 'Authorize.Net is busy; try again later.'
  if (why === 'timeout') return 'Authorize.Net did not answer in time.'
  return `Authorize.Net answered with an error${raw?.message ? `: ${raw.message}` : '.'}`
}
