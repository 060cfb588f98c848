import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { cardSeen } from '../../fraud/card.ts'
import { type FraudFacts, stops } from '../../fraud/verdict.ts'
import { inTurn } from '../../fraud/verdicts/customer-queue.ts'
import { type Judgement, judgeApproval, judgeAttempt } from '../../fraud/verdicts/judge.ts'
import { type App, appNow } from '../../merchants/app.ts'
import type { CardFacts, Facts } from '../../providers/outcome.ts'
import type { Offer } from '../../routing/offers.ts'
import type { Change, NewVerdict } from '../changes.ts'
import type { Payment } from '../payment.ts'

/** Whether any fraud policy can have a word: without one, nothing is looked up and nothing waits. */
const isJudged = (app: App, { details }: Pick<Payment, 'details'>): boolean =>
  app.hasFraudPolicies || details.fraudPolicyId !== undefined

/** Lost this often in a row, verdicts of one customer come from more nodes than there can be. */
const MAX_TRIES = 50

/**
 * Decides and writes. `work` gives undefined when a verdict on another payment of the customer was written in
 * between: then it decides again, on how things are now.
 */
export function decide<T>(
  ctx: Context,
  app: App,
  payment: Pick<Payment, 'customerId' | 'details'>,
  work: () => Promise<T | undefined>,
): Promise<T> {
  const repeat = async (): Promise<T> => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const done = await work()
      if (done !== undefined) return done
    }
    throw new ApiError('unavailable', 'Too many payments of this customer at once. Try again.')
  }
  return isJudged(app, payment) ? inTurn(ctx.db, `${app.appId} ${payment.customerId}`, repeat) : repeat()
}

/** What the verdict before an attempt looks at. */
export interface Beginning {
  readonly offer: Offer
  readonly payerIp?: string | undefined
  /** Of the stored method, when one is used. */
  readonly card?: CardFacts | null | undefined
}

/** The verdict on the attempt that would be the payment's next. */
export async function judgeBeginning(
  ctx: Context,
  app: App,
  payment: Payment,
  { offer, payerIp, card }: Beginning,
): Promise<NewVerdict | undefined> {
  if (!isJudged(app, payment)) return undefined
  const attempt = payment.attempt + 1
  const { profileId } = offer.profile
  const seen = cardSeen(card)
  const facts = { ...known(payment), profileId, isCard: offer.method === 'CreditCard', payerIp, card: seen }
  const judgement = await judgeAttempt(ctx, app, { ...subjectOf(payment), attempt, facts })
  if (!judgement) return undefined
  const outcome = stops(judgement.decision) ? 'rejected' : 'open'
  const time = appNow(ctx, app)
  return { attempt, profileId, card: seen?.identity ?? null, outcome, time, judgement }
}

/** The verdict on the attempt that the provider has just approved. */
export async function judgeEnd(
  ctx: Context,
  app: App,
  payment: Payment,
  told: Facts | undefined,
): Promise<Judgement | undefined> {
  if (!isJudged(app, payment)) return undefined
  const { profileId, attempt, payInfo } = payment
  const payerCountry = countryCode(told?.payer?.country)
  const facts: FraudFacts = {
    ...known(payment),
    profileId: profileId ?? 0,
    isCard: payment.method === 'CreditCard',
    payerIp: payInfo?.payerIp,
    card: cardSeen({ ...payInfo?.card, ...told?.card }),
    riskScore: told?.risk?.score ?? payInfo?.risk?.score,
    ...(payerCountry ? { payerCountry } : {}),
  }
  return judgeApproval(ctx, app, { ...subjectOf(payment), attempt, facts })
}

const subjectOf = ({ paymentId, customerId, details }: Payment) => ({
  paymentId,
  customerId,
  policyId: details.fraudPolicyId,
})

interface Ordered {
  readonly customer?: { readonly address?: { readonly country?: string; readonly countryCode?: string } }
}

/** Where the customer lives, as far as the order says so in two letters. */
export function addressCountry({ details }: Pick<Payment, 'details'>): string | undefined {
  const { address } = (details.customerOrder as Ordered).customer ?? {}
  return countryCode(address?.countryCode) ?? countryCode(address?.country)
}

const countryCode = (text: string | undefined): string | undefined =>
  text !== undefined && /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined

const known = (payment: Payment) => ({
  amountMinor: payment.amountMinor,
  currency: payment.currency,
  payerPresent: payment.flow !== 'AutoPayment',
  addressCountry: addressCountry(payment),
})

/** A payment that a fraud rule forbids ends before any provider hears of it. */
export const rejection = (verdict: NewVerdict): Change => ({
  events: [{ on: 'rejected', failure: { code: 'fraud_rejected', message: verdict.judgement.message } }],
  verdict,
})

export const isRejected = (verdict: NewVerdict | undefined): verdict is NewVerdict =>
  verdict?.outcome === 'rejected'
