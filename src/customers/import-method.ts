import { passesLuhn } from '../base/cards/number.ts'
import { ApiError, type ErrorCode } from '../base/errors.ts'
import { sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type App, appNow, findProfile, type Profile } from '../merchants/app.ts'
import { findAdapter } from '../merchants/profiles/adapter.ts'
import { callProvider } from '../merchants/profiles/call.ts'
import type { NotDone, StoredMethod, Unknown } from '../providers/outcome.ts'
import { noteMethodsAdded } from './activity/activity.ts'
import {
  customersWithMethods,
  insertVerified,
  type KnownToken,
  knownTokens,
  lockCustomers,
  lockTokens,
} from './import-store.ts'
import { liveMethods, type Method, type MethodConsent, methodByHash } from './method-store.ts'
import { fingerprintOf, foundByImport, type Registration, storeMethodWithin } from './register-method.ts'

/** A token that the merchant brings from elsewhere. Decision 0183. */
export interface TokenToImport {
  readonly customerId: string
  readonly profileId: number
  readonly token: string
  readonly consent: Pick<MethodConsent, 'text' | 'time'>
  /** The file that it is in; absent: a request of its own. */
  readonly importId?: string
}

/** Why a token was not imported. The first two pass by themselves. */
export type TokenProblem =
  | 'no-answer'
  | 'rate-limited'
  | 'bad-credentials'
  | 'profile-cannot'
  | 'unknown-profile'
  | 'card-number'
  | 'not-known'
  | 'other-customer'
  | 'removed'

export interface NotImported {
  readonly problem: TokenProblem
  /** When the provider allows the next read. */
  readonly retryAfter?: Date | undefined
}

/** A token that was read at its provider. `known`: it is stored, so it was not read. */
export type Verified =
  | { readonly known: { readonly isOfImport: boolean } }
  | { readonly profileId: number; readonly stored: StoredMethod }
  | NotImported

interface Imported {
  readonly method: Method
  readonly isNew: boolean
}

/** Digits alone with the check digit of a card number, whatever the issuer. */
const isPan = (token: string): boolean => {
  const digits = token.replace(/[ -]/g, '')
  return /^\d{12,19}$/.test(digits) && passesLuhn(digits)
}

/** Finds tokens that the app has. Each `verifyToken` needs its own. */
export async function findKnownTokens(
  { db }: { readonly db: Queryable },
  { appId }: App,
  wanted: readonly TokenToImport[],
): Promise<(one: TokenToImport) => KnownToken | undefined> {
  const hashOf = new Map(wanted.map((one) => [one, sha256(one.token).toString('hex')]))
  const rows = await knownTokens(
    db,
    appId,
    wanted.map((one) => ({ profileId: one.profileId, hash: hashOf.get(one) ?? '' })),
  )
  const found = new Map(rows.map((row) => [`${row.profileId} ${row.hash}`, row]))
  return (one) => found.get(`${one.profileId} ${hashOf.get(one)}`)
}

/** Reads a token at its provider, once, unless it is known already. Writes nothing. */
export async function verifyToken(
  ctx: Context,
  app: App,
  wanted: TokenToImport,
  known: KnownToken | undefined,
): Promise<Verified> {
  const { profileId, token } = wanted
  if (isPan(token)) return { problem: 'card-number' }
  const profile = findProfile(app, profileId)
  if (!profile) return { problem: 'unknown-profile' }
  if (!findAdapter(ctx, profile)?.readStored) return { problem: 'profile-cannot' }
  if (known && known.customerId !== wanted.customerId) return { problem: 'other-customer' }
  if (known)
    return { known: { isOfImport: wanted.importId !== undefined && known.importId === wanted.importId } }
  return read(ctx, app, profile, token)
}

async function read(ctx: Context, app: App, profile: Profile, token: string): Promise<Verified> {
  const subject = { step: 'import' }
  const found = await callProvider({ ...ctx, subject }, app, profile, async (adapter, provider) =>
    adapter.readStored?.(provider, token),
  )
  if (found?.kind === 'stored') return { profileId: profile.profileId, stored: { ...found.stored, token } }
  return found ? problemOf(found) : { problem: 'profile-cannot' }
}

function problemOf(failed: NotDone | Unknown): NotImported {
  if (failed.kind === 'unknown' || failed.why === 'not-sent') return { problem: 'no-answer' }
  if (failed.why === 'rate-limited') return { problem: 'rate-limited', retryAfter: failed.retryAfter }
  return { problem: failed.why === 'bad-credentials' ? 'bad-credentials' : 'not-known' }
}

/**
 * Stores a verified token, once, whatever arrives at the same time. A customer who has removed it since the
 * consent keeps it removed.
 */
export async function storeVerified(
  ctx: Context,
  app: App,
  wanted: TokenToImport,
  verified: VerifiedToken['verified'],
): Promise<Imported | NotImported> {
  const { customerId, importId } = wanted
  const { profileId, stored } = verified
  const place = { profileId, hash: sha256(stored.token) }
  const kept = await ctx.db.transaction(async (tx) => {
    await lockTokens(tx, app.appId, [{ profileId, hash: place.hash.toString('hex') }])
    const known = await methodByHash(tx, app.appId, place)
    if (known && known.customerId !== customerId) return undefined
    // A repeated chunk of an import tells what its first run has stored.
    if (known)
      return {
        paymentMethodId: known.paymentMethodId,
        isNew: importId !== undefined && known.importId === importId,
      }
    const registration = registrationOf(ctx, app, wanted, verified)
    const { paymentMethodId, isKnown = false } = await storeMethodWithin(ctx, tx, app, registration)
    return { paymentMethodId, isNew: !isKnown }
  })
  if (!kept) return { problem: 'other-customer' }
  const { paymentMethodId, isNew } = kept
  const method = await findMethod(ctx, app, customerId, (one) => one.paymentMethodId === paymentMethodId)
  return method ? { method, isNew } : { problem: 'removed' }
}

const registrationOf = (
  ctx: Context,
  app: App,
  { customerId, consent, importId }: TokenToImport,
  { profileId, stored }: VerifiedToken['verified'],
): Registration => ({
  ...{ customerId, profileId, stored, now: appNow(ctx, app), agreedTime: consent.time },
  consent: { ...consent, ip: null },
  imported: { importId: importId ?? null },
})

/** The customers of tokens who have a method, or had one. */
export const customersWithSome = ({ db }: Context, { appId }: App, tokens: readonly TokenToImport[]) =>
  customersWithMethods(db, appId, [...new Set(tokens.map(({ customerId }) => customerId))])

/** What `storeVerified` would find, for a dry run: a method that is stored, or one that stays removed. */
export const foundVerified = (ctx: Context, app: App, { token, verified }: VerifiedToken) =>
  foundByImport(ctx, app, registrationOf(ctx, app, token, verified))

export interface VerifiedToken {
  readonly token: TokenToImport
  readonly verified: { readonly profileId: number; readonly stored: StoredMethod }
}

/**
 * Stores verified tokens of customers who have no method yet, in one transaction, and gives them. The others
 * need the comparisons of `storeVerified`. At most one token for each customer.
 */
export async function storeFirstMethods(
  ctx: Context,
  app: App,
  tokens: readonly VerifiedToken[],
): Promise<readonly VerifiedToken[]> {
  if (tokens.length === 0) return []
  return ctx.db.transaction(async (tx) => {
    const wanted = tokens.map(({ token }) => token)
    await lockTokens(
      tx,
      app.appId,
      wanted.map(({ profileId, token }) => ({ profileId, hash: sha256(token).toString('hex') })),
    )
    const known = await findKnownTokens({ db: tx }, app, wanted)
    const customerIds = tokens.map(({ token }) => token.customerId)
    await lockCustomers(tx, app.appId, customerIds)
    const others = await customersWithMethods(tx, app.appId, customerIds)
    const first = tokens.filter(({ token }) => !known(token) && !others.has(token.customerId))
    const now = appNow(ctx, app)
    const made = await insertVerified(
      tx,
      app.appId,
      now,
      first.map(({ token, verified: { profileId, stored } }) => ({
        ...{ customerId: token.customerId, importId: token.importId ?? null, profileId },
        ...{ kind: stored.method, label: stored.label, card: stored.card ?? null },
        fingerprint: fingerprintOf(app, { profileId, stored }),
        ...{ consentText: token.consent.text, consentTime: token.consent.time },
        token: Buffer.from(ctx.vault.seal(stored.token)).toString('hex'),
        hash: sha256(stored.token).toString('hex'),
      })),
    )
    await noteMethodsAdded(ctx, tx, app, made)
    return first
  })
}

const findMethod = async (ctx: Context, { appId }: App, customerId: string, is: (one: Method) => boolean) =>
  (await liveMethods(ctx.db, appId, customerId)).find((one) => one.tokens.length > 0 && is(one))

/** Throws for a token that cannot be imported. `isNew` is false where the customer has it already. */
export async function importMethod(ctx: Context, app: App, wanted: TokenToImport): Promise<Imported> {
  const known = await findKnownTokens(ctx, app, [wanted])
  const verified = await verifyToken(ctx, app, wanted, known(wanted))
  if ('problem' in verified) throw refusalOf(verified)
  if ('known' in verified) {
    const isIt = ({ profileId, token }: Method['tokens'][number]) =>
      profileId === wanted.profileId && ctx.vault.open(token) === wanted.token
    const method = await findMethod(ctx, app, wanted.customerId, ({ tokens }) => tokens.some(isIt))
    if (method) return { method, isNew: false }
    throw refusalOf({ problem: 'removed' })
  }
  const imported = await storeVerified(ctx, app, wanted, verified)
  if ('problem' in imported) throw refusalOf(imported)
  return imported
}

const REFUSALS: Readonly<Record<TokenProblem, readonly [ErrorCode, string]>> = {
  'no-answer': ['unavailable', 'The provider did not answer. Try again.'],
  'rate-limited': ['unavailable', 'The provider takes no more requests now. Try again later.'],
  'bad-credentials': ['profile_not_usable', 'The provider refuses the credentials of the profile.'],
  'profile-cannot': ['profile_not_usable', 'Tokens of this provider cannot be imported.'],
  'unknown-profile': ['not_found', 'The payment profile was not found.'],
  'card-number': ['card_number_not_allowed', 'token must not contain a card number.'],
  'not-known': ['token_not_known', 'The provider does not know this token, or it cannot be charged.'],
  'other-customer': ['token_in_use', 'Another customer of the app has this token.'],
  removed: ['token_not_known', 'The customer removed this method after the consent.'],
}

const refusalOf = ({ problem }: NotImported): ApiError => new ApiError(...REFUSALS[problem])
