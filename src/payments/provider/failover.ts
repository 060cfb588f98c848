import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import type { MethodRegistration } from '../../customers/choose-method.ts'
import { allRegistrations } from '../../customers/same-card.ts'
import { type App, findProfile, type Profile } from '../../merchants/app.ts'
import { adapterOf, findAdapter, settingsOf } from '../../merchants/profiles/adapter.ts'
import { abilitiesFor } from '../../providers/abilities.ts'
import { canAsk, lacksThreeDSecure, requestOf } from '../../providers/methods/three-d-secure.ts'
import { type Offer, offersFor } from '../../routing/offers.ts'
import { type Applied, apply } from '../apply.ts'
import type { Change, NewVerdict } from '../changes.ts'
import type { Payment } from '../payment.ts'
import { releaseTry, reserveTry } from '../retry/guard.ts'
import { declinedBy } from './failover-rules.ts'
import { checkAndWrite, checkAttempt, isRejected, payerCountry } from './fraud-check.ts'
import { continuesWith, couldHold } from './one-step.ts'
import type { EndedAttempt, Failover } from './send.ts'
import { attemptChange, type PayWith } from './start-attempt.ts'

/** The customer is waiting, and every further profile adds risk: at most two more are tried. */
const MORE_PROFILES = 2

interface Wanted {
  readonly brand?: string | undefined
  /** A stored method is charged. */
  readonly isStored?: boolean
}

/** All offers for this payment, best first. */
export function offersOf(ctx: Context, app: App, payment: Payment, asked: Wanted = {}): Offer[] {
  const { currency, autoCapture, amountMinor, details } = payment
  const { brand = payment.payInfo?.card?.brand, isStored = false } = asked
  return offersFor(ctx, app, {
    currency,
    autoCapture,
    amountMinor,
    profiles: details.paymentProfiles,
    methods: details.checkoutMethods,
    country: payerCountry(payment),
    brand,
    isStored,
    isPayerAbsent: payment.flow === 'AutoPayment',
    threeDSecure: details.threeDSecure,
    seed: String(payment.paymentId),
    declinedBy: declinedBy(payment),
    isPaying: true,
  })
}

/** Moves an attempt to another profile when its end allows that. */
export function failoverFrom(ctx: Context, app: App, how: PayWith, before: readonly number[] = []): Failover {
  const tried = [...before, how.offer.profile.profileId]
  return async (ended) => {
    if (tried.length > MORE_PROFILES) return undefined
    const next = await nextPayWith(ctx, app, how, { payment: ended.payment, tried })
    const reserved = next && (await reserveTry(ctx, app, ended.payment, next))
    if (!next || !reserved || 'failure' in reserved) return undefined
    const applied = await startNext(ctx, app, reserved.how, ended)
    if (!applied?.operation) {
      await releaseTry(ctx, app, reserved.how)
      return undefined
    }
    return { applied, instruments: { ...next, failover: failoverFrom(ctx, app, next, tried) } }
  }
}

/**
 * The same payment at a profile that can ask for a challenge, when a fraud rule wants one and the chosen
 * profile cannot. Without another: as it was.
 */
export async function challengeable(
  ctx: Context,
  app: App,
  payment: Payment,
  how: PayWith,
): Promise<PayWith> {
  if (payment.flow === 'ProviderHostedPage' || !lacksThreeDSecure(how.offer, 'RequestChallenge')) return how
  const verdict = await checkAttempt(ctx, app, payment, how)
  const action = verdict?.judgement.threeDSecure
  if (action === undefined || requestOf(action) !== 'challenge') return how
  const tried = app.profiles.map(({ profileId }) => profileId).filter((id) => !canChallenge(ctx, app, id))
  return (await nextPayWith(ctx, app, how, { payment, tried })) ?? how
}

function canChallenge(ctx: Context, app: App, profileId: number): boolean {
  const profile = findProfile(app, profileId)
  const abilities = profile && findAdapter(ctx, profile)?.manifest.methods.CreditCard
  return abilities !== undefined && canAsk(abilities, 'RequestChallenge')
}

interface Search {
  readonly payment: Payment
  readonly tried: readonly number[]
}

/** The same payment at the best untried profile that accepts the available token or method. */
async function nextPayWith(
  ctx: Context,
  app: App,
  how: PayWith,
  { payment, tried }: Search,
): Promise<PayWith | undefined> {
  const { offer, token, instrument, requestKey: _requestKey, ...same } = how
  const offers = offersOf(ctx, app, payment, {
    brand: how.card?.brand,
    isStored: token !== undefined,
  }).filter(
    ({ profile, method, abilities }) =>
      !tried.includes(profile.profileId) &&
      method === offer.method &&
      continuesWith(payment, abilitiesFor(abilities, token !== undefined)),
  )
  if (token !== undefined) return nextRegistration(ctx, app, payment, offers)
  if (instrument === undefined) return offers.map((next) => ({ ...same, offer: next }))[0]
  const next = offers.find(({ profile }) => sharesTokens(ctx, app, offer.profile, profile))
  return next && { ...same, offer: next, instrument }
}

/** A stored method can only move to a profile where it, or the same card, is registered. */
async function nextRegistration(
  ctx: Context,
  app: App,
  payment: Payment,
  offers: readonly Offer[],
): Promise<PayWith | undefined> {
  const { customerId, paymentMethodId } = payment
  if (paymentMethodId === null) return undefined
  const registrations = await allRegistrations(ctx, app, customerId, paymentMethodId)
  for (const offer of offers.filter(({ abilities }) => abilities.chargeStored)) {
    const registration = registrations.find(({ profileId }) => profileId === offer.profile.profileId)
    if (registration) return payWithStored(offer, registration)
  }
  return undefined
}

export const payWithStored = (offer: Offer, stored: MethodRegistration): PayWith => ({
  offer,
  token: stored.token,
  paymentMethodId: stored.paymentMethodId,
  tokenId: stored.tokenId,
  card: stored.method.card,
  stored: stored.method,
})

/** A one-time token belongs to one provider account. Only the adapter knows whether two profiles share it. */
function sharesTokens(ctx: Context, app: App, one: Profile, other: Profile): boolean {
  const adapter = adapterOf(ctx, one)
  if (one.provider !== other.provider || !adapter.sharesTokens) return false
  return adapter.sharesTokens(settingsOf(ctx, app, one), settingsOf(ctx, app, other))
}

/** Ends the attempt and starts the next in one statement. Undefined when a fraud rule forbids it. */
async function startNext(
  ctx: Context,
  app: App,
  next: PayWith,
  ended: EndedAttempt,
): Promise<Applied | undefined> {
  let { payment } = ended
  const moved = await checkAndWrite<{ applied?: Applied }>(ctx, app, payment, async () => {
    const verdict = await allowed(ctx, app, payment, next)
    if (verdict === 'forbidden') return {}
    const applied = await apply(ctx, app, payment, (current) =>
      current.attemptKey === ended.payment.attemptKey
        ? { ...nextAttempt(ctx, current, next, verdict), ...ending(ended.change) }
        : undefined,
    )
    payment = applied.payment
    return applied.isStale ? undefined : { applied }
  })
  return moved.applied
}

async function allowed(ctx: Context, app: App, payment: Payment, next: PayWith) {
  try {
    const verdict = await checkAttempt(ctx, app, payment, next)
    const isTooLateToHold = payment.state === 'SaleInProgress' && couldHold(verdict)
    return isRejected(verdict) || isTooLateToHold ? 'forbidden' : verdict
  } catch (error) {
    if (error instanceof ApiError) return 'forbidden'
    throw error
  }
}

/** The payment is already running, so the next attempt writes no event. */
const nextAttempt = (
  ctx: Context,
  payment: Payment,
  how: PayWith,
  verdict: NewVerdict | undefined,
): Change => ({
  ...attemptChange(ctx, payment, how, verdict),
  events: [],
})

const ending = ({ operation, attemptResult }: Change): Pick<Change, 'operation' | 'attemptResult'> => ({
  ...(operation ? { operation } : {}),
  ...(attemptResult ? { attemptResult } : {}),
})
