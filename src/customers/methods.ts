import { ApiError, notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type App, appNow, findProfile, type Profile } from '../merchants/app.ts'
import { callProvider } from '../merchants/profiles/call.ts'
import type { MethodKind, StoredMethod as ProviderMethod } from '../providers/outcome.ts'
import { noteActivity } from './activity/activity.ts'
import { writeToken } from './erasure/tokens.ts'
import {
  allMethods,
  findToken,
  insertMethod,
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
  setVerification,
  type Token,
} from './method-store.ts'

/** A stored card, account or wallet of a customer. */
export type CustomerMethod = Method

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

export interface Registration {
  readonly customerId: string
  readonly profileId: number
  readonly stored: ProviderMethod
  readonly now: Date
  /**
   * When the customer agreed: the creation of the payment. A registration stopped after that stays stopped,
   * even if the provider reports it again with the same payment.
   */
  readonly agreedTime?: Date
  /** Currency of the registering payment; absent when there is none. */
  readonly currency?: string
  /** The consent given on our page, if any. */
  readonly consent?: MethodConsent
  /** It must be confirmed by two small amounts before it can be charged. */
  readonly isUnconfirmed?: boolean
}

export interface RegisteredMethod {
  readonly paymentMethodId: number
  readonly tokenId: number
}

/** Stores a method that a provider registered. Idempotent; a card may have tokens at several profiles. */
export function storeMethod(ctx: Context, app: App, registration: Registration): Promise<RegisteredMethod> {
  return ctx.db.transaction(async (tx) => {
    const kept = await upsertMethod(ctx, tx, app, registration)
    const { consent, currency, agreedTime: time = registration.now } = registration
    if (consent) await recordConsent(tx, app.appId, kept.paymentMethodId, consent)
    if (currency) await noteCurrency(tx, app.appId, kept.tokenId, { currency, time })
    return kept
  })
}

async function upsertMethod(
  ctx: Context,
  tx: Queryable,
  app: App,
  registration: Registration,
): Promise<RegisteredMethod> {
  const { customerId, profileId, stored, now, agreedTime = now, isUnconfirmed = false } = registration
  await lockCustomer(tx, app.appId, customerId)
  const known = await allMethods(tx, app.appId, customerId)
  const duplicate = registrationOf(ctx, known, registration)
  if (duplicate && (duplicate.token.removedTime === null || duplicate.token.removedTime >= agreedTime))
    return currentOf(duplicate)

  const live = known.filter((method) => method.removedTime === null)
  const fingerprint = fingerprintOf(app, registration)
  const card = stored.card ?? null
  const verificationState = isUnconfirmed ? 'Unverified' : 'Verified'
  const match = fingerprint === null ? undefined : live.find((method) => method.fingerprint === fingerprint)
  const token = { profileId, token: stored.token, createdTime: now }
  if (!match) {
    const { label, method: kind } = stored
    const isDefault = !isUnconfirmed && !live.some((method) => method.isDefault)
    const fields: NewMethod = {
      kind,
      label,
      fingerprint,
      card,
      isDefault,
      verificationState,
      createdTime: now,
    }
    const paymentMethodId = await insertMethod(tx, app.appId, customerId, fields)
    const data = { paymentMethodId, paymentMethodType: kind, profileId }
    await noteActivity(ctx, tx, app, { customerId, type: 'MethodAdded', data })
    const tokenId = await writeToken(ctx, tx, app, { paymentMethodId, ...token, existing: undefined })
    return { paymentMethodId, tokenId }
  }
  const { paymentMethodId } = match
  const existing = match.tokens.find((one) => one.profileId === profileId && one.removedTime === null)
  // An account that was confirmed or charged before needs no new confirmation.
  if (existing && isUnconfirmed && match.verificationState === 'Verified')
    return { paymentMethodId, tokenId: existing.tokenId }
  if (match.verificationState !== verificationState)
    await setVerification(tx, app.appId, paymentMethodId, verificationState)
  await refreshMethod(tx, app.appId, paymentMethodId, { label: stored.label, card })
  const writing = { paymentMethodId, ...token, existing: existing?.tokenId }
  return { paymentMethodId, tokenId: await writeToken(ctx, tx, app, writing) }
}

/** The registration that was found, or the one that its token was replaced in. */
function currentOf({ method, token }: { readonly method: Method; readonly token: Token }): RegisteredMethod {
  const { paymentMethodId, tokens } = method
  const live = tokens.find((one) => one.profileId === token.profileId && one.removedTime === null)
  return { paymentMethodId, tokenId: (live ?? token).tokenId }
}

/**
 * Finds the registration with this token. Sealing is not deterministic, so tokens are decrypted to compare.
 */
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

/** Fingerprints are only comparable within one provider. */
function fingerprintOf(app: App, { profileId, stored }: Registration): string | null {
  const provider = findProfile(app, profileId)?.provider
  return stored.fingerprint === undefined ? null : `${provider}:${stored.fingerprint}`
}

export interface MethodFilter {
  readonly onlyVerified: boolean
}

/** Methods with a live registration. */
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

/** Removes a method with its registrations and asks the providers to delete their tokens. */
export async function removeMethod(
  ctx: Context,
  app: App,
  customerId: string,
  paymentMethodId: number,
): Promise<void> {
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  const removal = { customerId, id: paymentMethodId, now: appNow(ctx, app) }
  await ctx.db.transaction(async (tx) => {
    if (!(await removeMethodRow(tx, app.appId, removal))) throw notFound('The stored payment method')
    await noteActivity(ctx, tx, app, { customerId, type: 'MethodRemoved', data: { paymentMethodId } })
  })
  const method = methods.find((one) => one.paymentMethodId === paymentMethodId)
  for (const token of method?.tokens ?? []) deleteAtProvider(ctx, app, token)
}

/** Removes one registration: the method can no longer be charged through that profile. */
export async function stopAutoPayment(
  ctx: Context,
  app: App,
  customerId: string,
  tokenId: number,
): Promise<void> {
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  const removal = { customerId, id: tokenId, now: appNow(ctx, app) }
  await ctx.db.transaction(async (tx) => {
    if (!(await removeTokenRow(tx, app.appId, removal))) throw notFound('The auto-payment registration')
    const data = { paymentMethodProviderProfileId: tokenId }
    await noteActivity(ctx, tx, app, { customerId, type: 'MethodRemoved', data })
  })
  const token = methods.flatMap((method) => method.tokens).find((one) => one.tokenId === tokenId)
  if (token) deleteAtProvider(ctx, app, token)
}

/** Best effort, in the background: the token is already removed here. */
function deleteAtProvider(ctx: Context, app: App, { profileId, token }: Token): void {
  const profile = findProfile(app, profileId)
  if (!profile) return
  const subject = { step: 'forget' }
  const forgotten = callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
    adapter.forget(provider, ctx.vault.open(token)),
  )
  ctx.background.keep('forget-method', forgotten, app.appId)
}
