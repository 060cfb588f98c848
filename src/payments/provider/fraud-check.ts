import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { cardSeen } from '../../fraud/card.ts'
import { type FraudFacts, stops } from '../../fraud/verdict.ts'
import { customerQueue } from '../../fraud/verdicts/customer-queue.ts'
import { isChecked, type Judgement, judgeApproval, judgeAttempt } from '../../fraud/verdicts/judge.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { lacksThreeDSecure } from '../../providers/methods/three-d-secure.ts'
import type { CardFacts, Facts } from '../../providers/outcome.ts'
import type { Offer } from '../../routing/offers.ts'
import type { Change, NewVerdict } from '../changes.ts'
import type { Payment } from '../payment.ts'
import { fraudFailure } from './outcome/endings.ts'

const needsCheck = (app: App, { details }: Pick<Payment, 'details'>): boolean =>
  isChecked(app, details.fraudPolicyId)

/** More lost races in a row than any number of nodes can cause for one customer. */
const MAX_TRIES = 50

/**
 * Runs a fraud check together with the write that depends on it. `work` returns undefined when a verdict on
 * another payment of the customer was written in between; then it runs again on the current data. Payments
 * of one customer are checked one after another. Decision 0050.
 */
export function checkAndWrite<T>(
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
  if (!needsCheck(app, payment)) return repeat()
  return customerQueue(ctx).serialize(`${app.appId} ${payment.customerId}`, repeat)
}

/** The inputs of the check before an attempt. */
export interface AttemptCheck {
  readonly offer: Offer
  readonly payerIp?: string | undefined
  /** The card of the stored method, when one is used. */
  readonly card?: CardFacts | null | undefined
}

/** Checks the payment's next attempt before it starts. */
export async function checkAttempt(
  ctx: Context,
  app: App,
  payment: Payment,
  { offer, payerIp, card }: AttemptCheck,
): Promise<NewVerdict | undefined> {
  if (!needsCheck(app, payment)) return undefined
  const attempt = payment.attempt + 1
  const { profileId } = offer.profile
  const seen = cardSeen(card)
  const facts = {
    ...commonFacts(payment),
    profileId,
    isCard: offer.method === 'CreditCard',
    payerIp,
    card: seen,
  }
  const found = await judgeAttempt(ctx, app, { ...subjectOf(payment), attempt, facts })
  const judgement = found && withRequirement(found, offer)
  if (!judgement) return undefined
  const outcome = stops(judgement.decision) ? 'rejected' : 'open'
  const time = appNow(ctx, app)
  return { attempt, profileId, card: seen?.identity ?? null, outcome, time, judgement }
}

/** A required challenge stops the payment at a profile that cannot ask for one. */
const withRequirement = (judgement: Judgement, offer: Offer): Judgement =>
  judgement.decision !== 'Block' &&
  judgement.threeDSecure === 'RequireChallenge' &&
  lacksThreeDSecure(offer, judgement.threeDSecure)
    ? { ...judgement, decision: 'Reject' }
    : judgement

/** Checks the attempt that the provider has just approved. Decision 0052. */
export async function checkApproval(
  ctx: Context,
  app: App,
  payment: Payment,
  reported: Facts | undefined,
): Promise<Judgement | undefined> {
  if (!needsCheck(app, payment)) return undefined
  const { profileId, attempt, payInfo } = payment
  const reportedCountry = countryCode(reported?.payer?.country)
  const common = commonFacts(payment)
  const facts: FraudFacts = {
    ...common,
    emails: [...common.emails, reported?.payer?.email ?? payInfo?.payer?.email],
    profileId: profileId ?? 0,
    isCard: payment.method === 'CreditCard',
    payerIp: payInfo?.payerIp,
    card: cardSeen({ ...payInfo?.card, ...reported?.card }),
    riskScore: reported?.risk?.score ?? payInfo?.risk?.score,
    ...(reportedCountry ? { payerCountry: reportedCountry } : {}),
  }
  return judgeApproval(ctx, app, { ...subjectOf(payment), attempt, facts })
}

const subjectOf = ({ paymentId, customerId, details }: Payment) => ({
  paymentId,
  customerId,
  policyId: details.fraudPolicyId,
})

interface Order {
  readonly customer?: {
    readonly email?: string | null
    readonly address?: { readonly country?: string; readonly countryCode?: string }
  }
}

const orderCustomer = ({ details }: Pick<Payment, 'details'>) => (details.customerOrder as Order).customer

/** The country of the customer's address, when the order gives a two-letter code. */
function addressCountry(payment: Pick<Payment, 'details'>): string | undefined {
  const { address } = orderCustomer(payment) ?? {}
  return countryCode(address?.countryCode) ?? countryCode(address?.country)
}

/** The payer's country, as far as the merchant has told it: methods and routes may depend on it. */
export const payerCountry = (payment: Pick<Payment, 'details'>): string | undefined =>
  payment.details.country ?? addressCountry(payment)

const countryCode = (text: string | undefined): string | undefined =>
  text !== undefined && /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined

const commonFacts = (payment: Payment) => ({
  amountMinor: payment.amountMinor,
  currency: payment.currency,
  payerPresent: payment.flow !== 'AutoPayment',
  addressCountry: addressCountry(payment),
  emails: [orderCustomer(payment)?.email ?? undefined],
})

/** Ends a payment that a fraud rule forbids, before any provider is called. */
export const rejectionChange = (verdict: NewVerdict): Change => ({
  events: [{ on: 'rejected', failure: fraudFailure(verdict.judgement) }],
  verdict,
})

export const isRejected = (verdict: NewVerdict | undefined): verdict is NewVerdict =>
  verdict?.outcome === 'rejected'
