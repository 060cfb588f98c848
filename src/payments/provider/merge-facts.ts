import { maskCardNumbers } from '../../base/cards/find.ts'
import { after } from '../../base/clock.ts'
import { decimalText } from '../../base/money.ts'
import type {
  DeclineReason,
  Dispute,
  Facts,
  Handles,
  NotDone,
  ProviderMessage,
} from '../../providers/outcome.ts'
import type { PaymentUpdates } from '../changes.ts'
import type { DisputeInfo, Failure, PayInfo, Payment } from '../payment.ts'

/** Pure: translates provider facts and failures into the payment's own fields and messages. */

/** Merges reported facts into the stored ones: new values replace old ones, missing values keep them. */
export function mergeFacts(
  payment: Payment,
  report: { handles?: Handles | undefined; facts?: Facts | undefined },
): PaymentUpdates {
  const { handles } = report
  const facts = payment.details.isErased ? withoutPayer(report.facts) : report.facts
  const payInfo: PayInfo = {
    ...payment.payInfo,
    ...(facts?.payer ? { payer: { ...payment.payInfo?.payer, ...cleanMembers(facts.payer) } } : {}),
    ...(facts?.card ? { card: { ...payment.payInfo?.card, ...facts.card } } : {}),
    // The fee is stored without its currency, so a fee in another currency is dropped.
    ...(facts?.fee?.currency === payment.currency ? { feeMinor: String(facts.fee.minor) } : {}),
    ...(facts?.risk ? { risk: facts.risk } : {}),
    ...(facts?.checks ? { checks: { ...payment.payInfo?.checks, ...facts.checks } } : {}),
  }
  return { handles: { ...payment.handles, ...handles }, payInfo }
}

const withoutPayer = (facts: Facts | undefined): Facts | undefined => {
  const { payer: _payer, ...rest } = facts ?? {}
  return facts && rest
}

/** Sets or removes the page where the customer claims a refund. */
export function withClaim(payInfo: PayInfo | null | undefined, claimUrl: string | undefined): PayInfo {
  const { claimUrl: _before, ...others } = payInfo ?? {}
  return claimUrl === undefined ? others : { ...others, claimUrl }
}

export const disputeInfo = (dispute: Dispute): DisputeInfo => {
  const { id, state, amount, reason, evidenceDue, url, isRefundable } = dispute
  return {
    id: clean(id),
    state,
    ...(amount ? { amountMinor: String(amount.minor) } : {}),
    ...(reason ? { reason: clean(reason) } : {}),
    ...(evidenceDue ? { evidenceDue: evidenceDue.toISOString() } : {}),
    ...(url ? { url } : {}),
    ...(isRefundable === undefined ? {} : { isRefundable }),
  }
}

/**
 * Makes a provider's text safe to store: a payer may type a card number into the name field, and PostgreSQL
 * rejects NUL and lone surrogates.
 */
const clean = (text: string): string =>
  maskCardNumbers(text, '[card number]').replaceAll('\0', '\ufffd').toWellFormed()

const cleanMembers = <T extends object>(texts: T): T =>
  Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [name, typeof value === 'string' ? clean(value) : value]),
  ) as T

/** The end of the authorisation: from the provider's report, else from its manifest. */
export const reservedUntil = (facts: Facts | undefined, now: Date, windowMs: number): Date =>
  facts?.authorisedUntil ?? after(now, windowMs)

/** Decline messages for merchants. The provider's own text never reaches a page. */
export const DECLINES: Readonly<Record<DeclineReason, string>> = {
  generic: 'The payment was declined.',
  'insufficient-funds': 'The account does not have enough money.',
  'lost-card': 'The card is reported lost.',
  'stolen-card': 'The card is reported stolen.',
  'expired-card': 'The card has expired.',
  'incorrect-number': 'The card number is not valid.',
  'incorrect-cvc': 'The security code is wrong.',
  'incorrect-address': 'The address does not match the card.',
  'limit-exceeded': 'The amount exceeds a limit of the card or account.',
  'card-not-supported': 'The card is not supported.',
  'currency-not-supported': 'The currency is not supported.',
  'authentication-required': 'The bank wants the customer to confirm the payment.',
  'authentication-failed': 'The customer could not be authenticated.',
  'suspected-fraud': 'The bank suspects fraud.',
  blocked: 'The provider blocked the payment.',
  'do-not-honour': "The customer's bank declined without a reason.",
  'issuer-unavailable': "The customer's bank could not be reached.",
  'processing-error': 'The provider could not process the payment. Nothing was charged.',
  'account-closed': 'The bank account is closed.',
  'no-account': 'The bank account does not exist.',
  'debit-not-authorised': 'The customer did not authorise the debit.',
  'mandate-revoked': 'The customer withdrew the permission to debit.',
  'method-removed': 'The stored method no longer exists at the provider.',
  duplicate: 'The provider took it for a duplicate.',
  'customer-cancelled': 'The customer cancelled.',
  expired: 'The customer did not finish in time.',
  underpaid: 'Less than the amount was paid.',
}

export const declineFailure = (reason: DeclineReason): Failure => ({
  code: 'declined',
  message: DECLINES[reason],
  declineCode: reason,
})

export const NOT_DONE: Readonly<Record<NotDone['why'], string>> = {
  'not-sent': 'The provider could not be reached. Nothing was charged.',
  'bad-request': 'The provider did not accept the request.',
  'bad-credentials': "The provider did not accept the profile's credentials.",
  'rate-limited': 'The provider was asked too often. Nothing was charged.',
  unsupported: 'The provider cannot do this.',
  'not-found': 'The provider does not know the payment.',
  'wrong-state': 'The payment is not in a state for this at the provider.',
}

export const notDoneFailure = ({ why, raw }: NotDone): Failure => ({
  code: 'provider_rejected',
  message: raw?.message ? `${NOT_DONE[why]} (${clean(raw.message)})` : NOT_DONE[why],
})

export const refusalText = (what: string, reason: DeclineReason): string =>
  `${what} was refused: ${DECLINES[reason]}`

/** The stored record of an outcome: enough to explain it, without secrets. */
export const summary = (
  kind: string,
  more: { why?: string; raw?: ProviderMessage | undefined } = {},
): object => ({
  kind,
  ...(more.why ? { why: more.why } : {}),
  ...(more.raw ? { raw: cleanMembers(more.raw) } : {}),
})

export const amountText = (payment: Payment, minor: bigint): string =>
  `${decimalText(minor, payment.currency)} ${payment.currency}`
