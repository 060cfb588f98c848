import { ApiError, notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { type App, findProfile, type Profile } from '../merchants/app.ts'
import type { MethodKind } from '../providers/outcome.ts'
import { findToken, liveMethods, type Method } from './method-store.ts'

/** A method's registration at one profile, with everything needed to charge it. */
export interface MethodRegistration {
  readonly method: Method
  readonly paymentMethodId: number
  readonly kind: MethodKind
  readonly profile: Profile
  readonly profileId: number
  readonly tokenId: number
  /** Decrypted provider token. */
  readonly token: string
}

interface Choice {
  readonly paymentMethodId?: number | undefined
  readonly tokenId?: number | undefined
}

/** Chooses the method to charge: by registration, by method, the default, or the newest usable one. */
export async function chooseStoredMethod(
  ctx: Context,
  app: App,
  customerId: string,
  { paymentMethodId, tokenId }: Choice,
): Promise<MethodRegistration> {
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  if (tokenId !== undefined) {
    const method = methods.find(({ tokens }) => tokens.some((token) => token.tokenId === tokenId))
    if (!method) throw notFound('The stored payment method')
    return firstUsable(ctx, app, [
      { ...method, tokens: method.tokens.filter((one) => one.tokenId === tokenId) },
    ])
  }
  if (paymentMethodId !== undefined) {
    const method = methods.find((one) => one.paymentMethodId === paymentMethodId)
    if (!method) throw notFound('The stored payment method')
    return firstUsable(ctx, app, [method])
  }
  return firstUsable(ctx, app, [...methods.filter((one) => one.isDefault), ...methods])
}

/**
 * The token of a charge that is sent again. The customer may have removed the method since: the same token
 * with the same key is what tells whether the first request arrived, and a provider that has forgotten the
 * method declines it. Only erased methods have no token any more.
 */
export async function tokenOfCharge(ctx: Context, app: App, tokenId: number | null): Promise<string> {
  const sealed = tokenId === null ? undefined : await findToken(ctx.db, app.appId, tokenId)
  const token = sealed && ctx.vault.open(sealed)
  if (!token) throw notFound('The stored payment method')
  return token
}

/** The usable registrations of a method, newest first. */
export const registrationsOf = (
  ctx: Pick<Context, 'vault'>,
  app: App,
  method: Method,
): MethodRegistration[] =>
  method.tokens.flatMap(({ tokenId, profileId, token }) => {
    const profile = findProfile(app, profileId)
    if (!profile?.isActive || method.verificationState !== 'Verified') return []
    const { paymentMethodId, kind } = method
    return { method, paymentMethodId, kind, profile, profileId, tokenId, token: ctx.vault.open(token) }
  })

/**
 * The currency of a charge that names none: that of the newest payment that registered the method, otherwise
 * that of its profile.
 */
export function chargeCurrency({ method, profile }: MethodRegistration): string {
  const times = method.tokens.flatMap(({ registeredIn }) => registeredIn ?? [])
  const [newest] = times.sort((a, b) => b.time.getTime() - a.time.getTime())
  return newest?.currency ?? profile.currency
}

function firstUsable(ctx: Context, app: App, candidates: readonly Method[]): MethodRegistration {
  for (const method of candidates) {
    const [first] = registrationsOf(ctx, app, method)
    if (first) return first
  }
  throw new ApiError('no_stored_method', 'The customer has no stored method that can be charged now.')
}
