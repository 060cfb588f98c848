import { assert } from '../../base/assert.ts'
import type { Context } from '../../context.ts'
import { type Registration, storeMethod } from '../../customers/register-method.ts'
import { refreshCard } from '../../customers/same-card.ts'
import { stops } from '../../fraud/verdict.ts'
import { type App, appNow, findProfile, type Profile } from '../../merchants/app.ts'
import { reloadApp } from '../../merchants/directory.ts'
import { adapterOf } from '../../merchants/profiles/adapter.ts'
import type { Facts, StoredMethod } from '../../providers/outcome.ts'
import type { Payment } from '../payment.ts'
import { paymentLink } from '../view.ts'
import { checkApproval } from './fraud-check.ts'
import type { OutcomeInputs } from './outcome/endings.ts'

interface ProviderReport {
  readonly facts: Facts | undefined
  /** The provider reserved or took the money of an attempt. */
  readonly isApproval: boolean
}

/** Loads the inputs of the pure decisions. A method that the provider kept is stored first, for its id. */
export async function outcomeInputs(
  ctx: Context,
  app: App,
  payment: Payment,
  { facts, isApproval }: ProviderReport,
): Promise<OutcomeInputs> {
  const profile = profileOf(app, payment)
  const { manifest } = adapterOf(ctx, profile)
  const abilities = payment.method && manifest.methods[payment.method]
  const now = appNow(ctx, app)
  // A person has released the payment: the rules do not hold it again.
  const isJudged = isApproval && payment.fraudStatus !== 'Ignored'
  const judgement = isJudged ? await checkApproval(ctx, app, payment, facts) : undefined
  // The method of a payment that a fraud rule stops is not stored.
  const isStopped = payment.fraudStatus === 'Fraudulent' || (judgement && stops(judgement.decision))
  const mayStore = payment.autoPayment !== 'Use' && !isStopped && !payment.details.isErased
  const kept = mayStore ? facts?.stored : undefined
  const stored = kept && (await storeKept(ctx, app, payment, kept))
  if (isApproval) noteStoredCard(ctx, app, payment, facts)
  return {
    now,
    oneStep: payment.payInfo?.oneStep ?? abilities?.authoriseOnly === false,
    authorisationWindowMs: manifest.authorisationWindowMs,
    canRefund: abilities?.refund ?? false,
    formUrl: `${paymentLink(ctx, payment)}/continue/${payment.attempt}`,
    ...(judgement ? { judgement } : {}),
    ...(stored ? { stored } : {}),
  }
}

/** The card of a stored method as it was charged. It delays nothing, and losing it does no harm. */
function noteStoredCard(ctx: Context, app: App, payment: Payment, facts: Facts | undefined): void {
  const { customerId, paymentMethodId, tokenId } = payment
  if (!facts?.card || paymentMethodId === null || tokenId === null || payment.details.isErased) return
  const noted = refreshCard(ctx, app, { customerId, paymentMethodId }, facts.card)
  ctx.background.keep('stored-card', noted, app.appId)
}

/** Stores a method that the provider kept, for the customer of the payment. */
export async function storeKept(ctx: Context, app: App, payment: Payment, stored: StoredMethod) {
  const { profileId } = profileOf(app, payment)
  const { customerId } = payment
  const kept = await storeMethod(ctx, app, {
    customerId,
    profileId,
    stored,
    now: appNow(ctx, app),
    agreedTime: payment.createdTime,
    currency: payment.currency,
    ...consentOf(payment),
  })
  return { paymentMethodId: kept.paymentMethodId, tokenId: kept.tokenId }
}

function consentOf({ payInfo }: Payment): Pick<Registration, 'consent'> {
  if (!payInfo?.consent) return {}
  const { text, time } = payInfo.consent
  return { consent: { text, time: new Date(time), ip: payInfo.payerIp ?? null } }
}

/** The provider's own review holds the payment, and the adapter can decide it. */
export const holdsAtProvider = (ctx: Pick<Context, 'providers'>, app: App, payment: Payment): boolean =>
  payment.payInfo?.review === 'open' && adapterOf(ctx, profileOf(app, payment)).manifest.decidesHolds === true

/** Another node may have added the profile a moment ago, which the app that is cached here lacks. */
export async function appWithProfile(
  ctx: Pick<Context, 'node'>,
  app: App,
  { profileId }: Pick<Payment, 'profileId'>,
): Promise<App> {
  if (profileId === null || findProfile(app, profileId)) return app
  return (await reloadApp(ctx, app.appId)) ?? app
}

export function profileOf(app: App, payment: Payment): Profile {
  const profile = payment.profileId === null ? undefined : findProfile(app, payment.profileId)
  assert(profile, `payment ${payment.paymentId} names a profile that its app does not have`)
  return profile
}
