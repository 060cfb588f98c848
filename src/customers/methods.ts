import { ApiError, notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type App, appNow, callProvider, findProfile, type Profile } from '../merchants/app.ts'
import type { MethodKind, StoredMethod as ProviderMethod } from '../providers/outcome.ts'
import {
  allMethods,
  insertMethod,
  insertToken,
  liveMethods,
  lockCustomer,
  type Method,
  type MethodConsent,
  type NewMethod,
  noteCurrency,
  recordConsent,
  refreshMethod,
  removeMethodRow,
  removeTokenRow,
  replaceToken,
  setVerification,
  type Token,
} from './method-store.ts'

/** A stored card, account or wallet of a customer. */
export type CustomerMethod = Method

/** What a charge without the customer needs. */
export interface MethodRegistration {
  readonly method: Method
  readonly paymentMethodId: number
  readonly kind: MethodKind
  readonly profile: Profile
  readonly profileId: number
  readonly tokenId: number
  /** Opened: what the provider wants back to charge the method. */
  readonly token: string
}

interface Choice {
  readonly paymentMethodId?: number | undefined
  readonly tokenId?: number | undefined
}

/** The method to charge: by registration, else by method, else the default, else the newest that works. */
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
    return usable(ctx, app, [{ ...method, tokens: method.tokens.filter((one) => one.tokenId === tokenId) }])
  }
  if (paymentMethodId !== undefined) {
    const method = methods.find((one) => one.paymentMethodId === paymentMethodId)
    if (!method) throw notFound('The stored payment method')
    return usable(ctx, app, [method])
  }
  return usable(ctx, app, [...methods.filter((one) => one.isDefault), ...methods])
}

/** Everywhere a method can be charged, newest registration first. */
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
 * What a charge without a currency is made in: the currency of the payment that registered the method, the
 * newest where there were several; without one, the currency of its provider profile.
 */
export function chargeCurrency({ method, profile }: MethodRegistration): string {
  const times = method.tokens.flatMap(({ registeredIn }) => registeredIn ?? [])
  const [newest] = times.sort((a, b) => b.time.getTime() - a.time.getTime())
  return newest?.currency ?? profile.currency
}

function usable(ctx: Context, app: App, candidates: readonly Method[]): MethodRegistration {
  for (const method of candidates) {
    const [first] = registrationsOf(ctx, app, method)
    if (first) return first
  }
  throw new ApiError('no_stored_method', 'The customer has no stored method that can be charged now.')
}

export interface Registration {
  readonly customerId: string
  readonly profileId: number
  readonly stored: ProviderMethod
  readonly now: Date
  /**
   * When the customer agreed: the creation of the payment. A registration that was stopped after that stays
   * stopped, although the provider may report it again with the same old payment.
   */
  readonly agreedTime?: Date
  /** Of the payment that registers it; absent: it is kept without a payment. */
  readonly currency?: string
  /** What the customer agreed to, where a page asked. */
  readonly consent?: MethodConsent
  /** Two small amounts have to be read back before it can be charged. */
  readonly isUnconfirmed?: boolean
}

export interface RegisteredMethod {
  readonly paymentMethodId: number
  readonly tokenId: number
}

/** Keeps what a provider stored. Told twice, it is kept once; a card may hold tokens at several profiles. */
export function storeMethod(ctx: Context, app: App, registration: Registration): Promise<RegisteredMethod> {
  return ctx.db.transaction(async (tx) => {
    const kept = await keepMethod(ctx, tx, app, registration)
    const { consent, currency, agreedTime: time = registration.now } = registration
    if (consent) await recordConsent(tx, app.appId, kept.paymentMethodId, consent)
    if (currency) await noteCurrency(tx, app.appId, kept.tokenId, { currency, time })
    return kept
  })
}

async function keepMethod(
  ctx: Context,
  tx: Queryable,
  app: App,
  registration: Registration,
): Promise<RegisteredMethod> {
  const { customerId, profileId, stored, now, agreedTime = now, isUnconfirmed = false } = registration
  await lockCustomer(tx, app.appId, customerId)
  const known = await allMethods(tx, app.appId, customerId)
  const same = registrationOf(ctx, known, registration)
  if (same && (same.token.removedTime === null || same.token.removedTime >= agreedTime))
    return { paymentMethodId: same.method.paymentMethodId, tokenId: same.token.tokenId }

  const live = known.filter((method) => method.removedTime === null)
  const fingerprint = fingerprintOf(app, registration)
  const card = stored.card ?? null
  const verificationState = isUnconfirmed ? 'Unverified' : 'Verified'
  const twin = fingerprint === null ? undefined : live.find((method) => method.fingerprint === fingerprint)
  const token = ctx.vault.seal(stored.token)
  if (!twin) {
    const { label, method: kind } = stored
    const isDefault = !isUnconfirmed && !live.some((method) => method.isDefault)
    const basics: NewMethod = {
      kind,
      label,
      fingerprint,
      card,
      isDefault,
      verificationState,
      createdTime: now,
    }
    const paymentMethodId = await insertMethod(tx, app.appId, customerId, basics)
    const tokenId = await insertToken(tx, app.appId, {
      paymentMethodId,
      profileId,
      token,
      createdTime: now,
    })
    return { paymentMethodId, tokenId }
  }
  const { paymentMethodId } = twin
  const there = twin.tokens.find((one) => one.profileId === profileId && one.removedTime === null)
  // An account that was confirmed, or has paid, does not have to be confirmed again.
  if (there && isUnconfirmed && twin.verificationState === 'Verified')
    return { paymentMethodId, tokenId: there.tokenId }
  if (twin.verificationState !== verificationState)
    await setVerification(tx, app.appId, paymentMethodId, verificationState)
  await refreshMethod(tx, app.appId, paymentMethodId, { label: stored.label, card })
  if (there) await replaceToken(tx, app.appId, there.tokenId, token)
  const tokenId =
    there?.tokenId ??
    (await insertToken(tx, app.appId, { paymentMethodId, profileId, token, createdTime: now }))
  return { paymentMethodId, tokenId }
}

/** The registration that holds this very token. Sealed values always differ: they are opened to compare. */
function registrationOf(
  ctx: Context,
  methods: readonly Method[],
  { profileId, stored }: Registration,
): { readonly method: Method; readonly token: Token } | undefined {
  for (const method of methods)
    for (const token of method.tokens)
      if (token.profileId === profileId && ctx.vault.open(token.token) === stored.token)
        return { method, token }
  return undefined
}

/** Only one provider's fingerprints can be compared with each other. */
function fingerprintOf(app: App, { profileId, stored }: Registration): string | null {
  const provider = findProfile(app, profileId)?.provider
  return stored.fingerprint === undefined ? null : `${provider}:${stored.fingerprint}`
}

export interface MethodFilter {
  readonly onlyVerified: boolean
}

/** The methods that can be charged without the customer: those with a live registration. */
export async function customerMethods(
  ctx: Context,
  app: App,
  customerId: string,
  { onlyVerified }: MethodFilter,
): Promise<Method[]> {
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  return methods.filter(
    ({ tokens, verificationState }) =>
      tokens.length > 0 && (!onlyVerified || verificationState === 'Verified'),
  )
}

/** Removes a method and ends its registrations; the providers are asked to forget it too. */
export async function removeMethod(
  ctx: Context,
  app: App,
  customerId: string,
  paymentMethodId: number,
): Promise<void> {
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  const removal = { customerId, id: paymentMethodId, now: appNow(ctx, app) }
  if (!(await removeMethodRow(ctx.db, app.appId, removal))) throw notFound('The stored payment method')
  const method = methods.find((one) => one.paymentMethodId === paymentMethodId)
  for (const token of method?.tokens ?? []) askToForget(ctx, app, token)
}

/** Ends one registration: the method can no longer be charged through that profile. */
export async function stopAutoPayment(
  ctx: Context,
  app: App,
  customerId: string,
  tokenId: number,
): Promise<void> {
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  const removal = { customerId, id: tokenId, now: appNow(ctx, app) }
  if (!(await removeTokenRow(ctx.db, app.appId, removal))) throw notFound('The auto-payment registration')
  const token = methods.flatMap((method) => method.tokens).find((one) => one.tokenId === tokenId)
  if (token) askToForget(ctx, app, token)
}

/** Beside the request and as well as it goes: for us the token is gone already. */
function askToForget(ctx: Context, app: App, { profileId, token }: Token): void {
  const profile = findProfile(app, profileId)
  if (!profile) return
  const forgotten = callProvider(ctx, app, profile, (adapter, provider) =>
    adapter.forget(provider, ctx.vault.open(token)),
  )
  ctx.background.keep('forget-method', forgotten, app.appId)
}
