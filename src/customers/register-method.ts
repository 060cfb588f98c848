import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type App, findProfile } from '../merchants/app.ts'
import type { StoredMethod as ProviderMethod } from '../providers/outcome.ts'
import { noteActivity } from './activity/activity.ts'
import { writeToken } from './erasure/tokens.ts'
import {
  allMethods,
  insertMethod,
  lockCustomer,
  type Method,
  type MethodConsent,
  markImported,
  type NewMethod,
  noteCurrency,
  recordConsent,
  refreshMethod,
  setVerification,
  type Token,
} from './method-store.ts'

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
  /** It comes from elsewhere; `importId` names the file. */
  readonly imported?: { readonly importId: string | null }
}

export interface RegisteredMethod {
  readonly paymentMethodId: number
  readonly tokenId: number
  /** An import found its token, or the card at the same profile: it has changed nothing. */
  readonly isKnown?: true
}

/** Stores a method that a provider registered. Idempotent; a card may have tokens at several profiles. */
export const storeMethod = (ctx: Context, app: App, registration: Registration): Promise<RegisteredMethod> =>
  ctx.db.transaction((tx) => storeMethodWithin(ctx, tx, app, registration))

export async function storeMethodWithin(
  ctx: Context,
  tx: Queryable,
  app: App,
  registration: Registration,
): Promise<RegisteredMethod> {
  const kept = await upsertMethod(ctx, tx, app, registration)
  if (kept.isKnown) return kept
  const { consent, currency, agreedTime: time = registration.now } = registration
  if (consent && !kept.isMerged) await recordConsent(tx, app.appId, kept.paymentMethodId, consent)
  if (registration.imported && !kept.isMerged)
    await markImported(tx, app.appId, kept.paymentMethodId, {
      time: registration.now,
      ...registration.imported,
    })
  if (currency) await noteCurrency(tx, app.appId, kept.tokenId, { currency, time })
  return kept
}

interface Kept extends RegisteredMethod {
  /** An import added a registration of a card that is stored: its details and its consent stay. */
  readonly isMerged?: true
}

const IS_KNOWN = { isKnown: true } as const

async function upsertMethod(
  ctx: Context,
  tx: Queryable,
  app: App,
  registration: Registration,
): Promise<Kept> {
  const { customerId, profileId, stored, now, isUnconfirmed = false } = registration
  await lockCustomer(tx, app.appId, customerId)
  const known = await allMethods(tx, app.appId, customerId)
  const duplicate = duplicateOf(ctx, known, registration)
  if (duplicate) return { ...currentOf(duplicate), ...(registration.imported && IS_KNOWN) }

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
  if (registration.imported && match.verificationState === 'Verified') {
    if (existing) return { paymentMethodId, tokenId: existing.tokenId, ...IS_KNOWN }
    const tokenId = await writeToken(ctx, tx, app, { paymentMethodId, ...token, existing: undefined })
    return { paymentMethodId, tokenId, isMerged: true }
  }
  if (match.verificationState !== verificationState)
    await setVerification(tx, app.appId, paymentMethodId, verificationState)
  await refreshMethod(tx, app.appId, paymentMethodId, { label: stored.label, card, cardChangedTime: now })
  const writing = { paymentMethodId, ...token, existing: existing?.tokenId }
  return { paymentMethodId, tokenId: await writeToken(ctx, tx, app, writing) }
}

/** The registration of the same token that counts: it is stored, or was removed after the consent. */
function duplicateOf(ctx: Context, known: readonly Method[], registration: Registration) {
  const { now, agreedTime = now } = registration
  const found = registrationOf(ctx, known, registration)
  return found && (found.token.removedTime === null || found.token.removedTime >= agreedTime)
    ? found
    : undefined
}

/** What storing an import would find: a method that the customer has, or one that stays removed. */
export async function foundByImport(
  ctx: Context,
  app: App,
  registration: Registration,
): Promise<'known' | 'removed' | undefined> {
  const { customerId, profileId } = registration
  const known = await allMethods(ctx.db, app.appId, customerId)
  const duplicate = duplicateOf(ctx, known, registration)
  const isLive = ({ tokens, removedTime }: Method) =>
    removedTime === null && tokens.some((token) => token.removedTime === null)
  if (duplicate) return isLive(duplicate.method) ? 'known' : 'removed'
  const fingerprint = fingerprintOf(app, registration)
  const isStored = known.some(
    (method) =>
      fingerprint !== null &&
      method.fingerprint === fingerprint &&
      method.removedTime === null &&
      method.verificationState === 'Verified' &&
      method.tokens.some((token) => token.profileId === profileId && token.removedTime === null),
  )
  return isStored ? 'known' : undefined
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
export function fingerprintOf(
  app: App,
  { profileId, stored }: Pick<Registration, 'profileId' | 'stored'>,
): string | null {
  const provider = findProfile(app, profileId)?.provider
  return stored.fingerprint === undefined ? null : `${provider}:${stored.fingerprint}`
}
