import { maskCardNumbers } from '../../base/cards/find.ts'
import { after } from '../../base/clock.ts'
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
import type { StoredAdvice } from '../retry/advice.ts'

/** Pure: translates provider facts and failures into the payment's own fields. */

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
    ...(facts?.threeDSecure
      ? { threeDSecure: { ...payment.payInfo?.threeDSecure, ...facts.threeDSecure } }
      : {}),
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

export const declineFailure = (reason: DeclineReason, advice: StoredAdvice = {}): Failure => ({
  code: 'declined',
  declineCode: reason,
  problem: { code: 'declined', reason },
  ...advice,
})

export const notDoneFailure = ({ why, raw }: NotDone): Failure => ({
  code: 'provider_rejected',
  problem: { code: 'not-done', why, ...(raw?.message ? { detail: clean(raw.message) } : {}) },
})

/** The stored record of an outcome: enough to explain it, without secrets. */
export const summary = (
  kind: string,
  more: { why?: string; raw?: ProviderMessage | undefined; advice?: StoredAdvice } = {},
): object => ({
  kind,
  ...(more.why ? { why: more.why } : {}),
  ...(more.raw ? { raw: cleanMembers(more.raw) } : {}),
  ...more.advice,
})
