import { assert } from '../../base/assert.ts'
import type { Context } from '../../context.ts'
import { storeMethod } from '../../customers/methods.ts'
import { type App, adapterOf, appNow, findProfile, type Profile } from '../../merchants/app.ts'
import type { Facts, StoredMethod } from '../../providers/outcome.ts'
import type { Payment } from '../payment.ts'
import type { Surroundings } from './outcomes.ts'

/** What the pure decisions need to know. A method that the provider kept is stored first, so its id is told too. */
export async function surroundings(
  ctx: Context,
  app: App,
  payment: Payment,
  facts: Facts | undefined,
): Promise<Surroundings> {
  const profile = profileOf(app, payment)
  const { manifest } = adapterOf(ctx, profile)
  const abilities = payment.method && manifest.methods[payment.method]
  const now = appNow(ctx, app)
  const kept = payment.autoPayment === 'Use' ? undefined : facts?.stored
  const stored = kept && (await keep(ctx, app, payment, kept))
  return {
    now,
    oneStep: abilities ? !abilities.authoriseOnly : false,
    authorisationWindowMs: manifest.authorisationWindowMs,
    ...(stored ? { stored } : {}),
  }
}

async function keep(ctx: Context, app: App, payment: Payment, stored: StoredMethod) {
  const { profileId } = profileOf(app, payment)
  const { customerId } = payment
  const kept = await storeMethod(ctx, app, {
    customerId,
    profileId,
    stored,
    now: appNow(ctx, app),
    agreedTime: payment.createdTime,
  })
  return { paymentMethodId: kept.paymentMethodId, tokenId: kept.tokenId }
}

export function profileOf(app: App, payment: Payment): Profile {
  const profile = payment.profileId === null ? undefined : findProfile(app, payment.profileId)
  assert(profile, `payment ${payment.paymentId} names a profile that its app does not have`)
  return profile
}
