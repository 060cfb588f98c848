import { ApiError, notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { type App, appNow, findProfile, type Profile } from '../merchants/app.ts'
import { callProvider } from '../merchants/profiles/call.ts'
import type { DeclineReason, MethodKind, SetupOutcome } from '../providers/outcome.ts'
import type { MethodSetup } from '../providers/port.ts'
import {
  findSetup,
  insertSetup,
  noteHandles,
  replaceDefault,
  type StoredSetup,
} from './method-setup-store.ts'
import { liveMethods, lockCustomer, type MethodConsent, setVerification } from './method-store.ts'
import { storeMethod } from './register-method.ts'
import { type Customer, selectCustomer } from './store.ts'

/** A request to store a method without a payment: first at the provider, then here. Decision 0066. */
export interface SetupRequest {
  readonly key: string
  readonly profile: Profile
  readonly kind: MethodKind
  /** One-time token from the provider's hosted fields. */
  readonly instrument?: string | undefined
  readonly consent: MethodConsent
  /** Return URL after a redirect to the provider. */
  readonly backUrl: string
}

export type SetupResult =
  | { readonly kind: 'stored'; readonly paymentMethodId: number; readonly isUnconfirmed: boolean }
  /** With `fields`, a form post opens the page. */
  | {
      readonly kind: 'redirect'
      readonly url: string
      readonly fields?: Readonly<Record<string, string>>
      readonly profileId: number
      readonly method: MethodKind
    }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** Nothing was stored, or the result is unknown; nothing was charged in either case. */
  | { readonly kind: 'failed' }

/** Idempotent by the key of the request. */
export async function setUpMethod(
  ctx: Context,
  app: App,
  customer: Customer,
  request: SetupRequest,
): Promise<SetupResult> {
  const { key, profile, kind, instrument, consent, backUrl } = request
  const { customerId } = customer
  const { profileId } = profile
  const row = { key, customerId, profileId, kind, consent, createdTime: appNow(ctx, app) }
  await insertSetup(ctx.db, app.appId, row)
  const setup = { ...setupOf(customer, row), ...(instrument ? { instrument } : {}) }
  const begin = (): Promise<SetupOutcome | undefined> =>
    callProvider({ ...ctx, subject: { step: 'keep' } }, app, profile, (adapter, provider) =>
      adapter.setUp?.(provider, setup, backUrl),
    )
  const first = await begin()
  // Nothing is charged and the key is the same, so one retry is safe.
  const outcome = first?.kind === 'unknown' ? await begin() : first
  return resultOf(ctx, app, row, outcome)
}

/** Completes the setup after the customer returns from the provider. */
export async function finishMethodSetup(
  ctx: Context,
  app: App,
  customer: Customer,
  key: string,
): Promise<SetupResult> {
  const row = await findSetup(ctx.db, app.appId, key)
  const profile = row && findProfile(app, row.profileId)
  if (!profile || row.customerId !== customer.customerId) throw notFound('The method')
  const outcome = await readSetup(ctx, app, profile, { customer, row })
  return resultOf(ctx, app, row, outcome)
}

/**
 * Completes a setup that a notification names: the customer may not have returned. False when the provider
 * gave no certain answer; undefined when the profile has no such setup.
 */
export async function followSetup(
  ctx: Context,
  app: App,
  profileId: number,
  key: string,
): Promise<boolean | undefined> {
  const row = await findSetup(ctx.db, app.appId, key)
  const profile = row?.profileId === profileId ? findProfile(app, profileId) : undefined
  if (!row || !profile) return undefined
  const customer = await selectCustomer(ctx.db, app.appId, row.customerId)
  if (!customer) return true
  const outcome = await readSetup(ctx, app, profile, { customer, row })
  // The customer has not finished, or did not agree.
  if (outcome?.kind !== 'stored') return outcome?.kind !== 'unknown'
  await resultOf(ctx, app, row, outcome)
  return true
}

interface SetupOf {
  readonly customer: Customer
  readonly row: StoredSetup
}

const readSetup = (
  ctx: Context,
  app: App,
  profile: Profile,
  { customer, row }: SetupOf,
): Promise<SetupOutcome | undefined> =>
  callProvider({ ...ctx, subject: { step: 'keep' } }, app, profile, (adapter, provider) =>
    adapter.finishSetup?.(provider, setupOf(customer, row), row.handles ?? {}),
  )

function setupOf(customer: Customer, { key, kind }: Pick<StoredSetup, 'key' | 'kind'>): MethodSetup {
  const { customerId: id, firstName, lastName, email } = customer
  return {
    key,
    method: kind,
    customer: {
      id,
      ...(firstName ? { firstName } : {}),
      ...(lastName ? { lastName } : {}),
      ...(email ? { email } : {}),
    },
  }
}

async function resultOf(
  ctx: Context,
  app: App,
  row: Omit<StoredSetup, 'handles'>,
  outcome: SetupOutcome | undefined,
): Promise<SetupResult> {
  const { customerId, profileId, consent, createdTime } = row
  switch (outcome?.kind) {
    case 'stored': {
      const isUnconfirmed = outcome.unconfirmed === true
      const { paymentMethodId } = await storeMethod(ctx, app, {
        customerId,
        profileId,
        stored: outcome.stored,
        now: appNow(ctx, app),
        agreedTime: createdTime,
        consent,
        isUnconfirmed,
      })
      return { kind: 'stored', paymentMethodId, isUnconfirmed }
    }
    case 'redirect':
      await noteHandles(ctx.db, app.appId, row.key, outcome.handles)
      return {
        kind: 'redirect',
        url: outcome.url,
        profileId,
        method: row.kind,
        ...(outcome.method === 'POST' ? { fields: outcome.fields ?? {} } : {}),
      }
    case 'declined':
      return { kind: 'declined', reason: outcome.reason }
    default:
      ctx.log.warn('keeping.failed', { appId: app.appId, profileId, why: outcome?.why ?? 'unsupported' })
      return { kind: 'failed' }
  }
}

export type ConfirmResult = 'confirmed' | 'wrong' | 'over' | 'failed'

/**
 * Confirms a bank account by two small amounts from the customer's statement. A confirmed account can be
 * charged.
 */
export async function confirmMethod(
  ctx: Context,
  app: App,
  request: { readonly customerId: string; readonly paymentMethodId: number },
  amounts: readonly [number, number],
): Promise<ConfirmResult> {
  const { customerId, paymentMethodId } = request
  const methods = await liveMethods(ctx.db, app.appId, customerId)
  const method = methods.find((one) => one.paymentMethodId === paymentMethodId)
  const [token] = method?.tokens ?? []
  const profile = token && findProfile(app, token.profileId)
  if (!profile || method?.verificationState !== 'Unverified') throw notFound('The method')
  const subject = { step: 'confirm' }
  const reply = await callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
    adapter.confirm?.(provider, ctx.vault.open(token.token), amounts),
  )
  if (reply?.kind === 'wrong' && reply.triesLeft > 0) return 'wrong'
  if (reply?.kind !== 'confirmed' && reply?.kind !== 'wrong') return 'failed'
  const isRight = reply.kind === 'confirmed'
  await setVerification(ctx.db, app.appId, paymentMethodId, isRight ? 'Verified' : 'VerificationFailed')
  if (isRight && !methods.some(({ isDefault }) => isDefault))
    await makeDefault(ctx, app, customerId, paymentMethodId)
  return isRight ? 'confirmed' : 'over'
}

/** Sets the method that is charged when a request names none. */
export async function makeDefault(
  ctx: Context,
  app: App,
  customerId: string,
  paymentMethodId: number,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockCustomer(tx, app.appId, customerId)
    const methods = await liveMethods(tx, app.appId, customerId)
    const method = methods.find((one) => one.paymentMethodId === paymentMethodId)
    if (!method) throw notFound('The stored payment method')
    if (method.verificationState !== 'Verified')
      throw new ApiError('no_stored_method', 'A method that is not verified cannot be the default.')
    await replaceDefault(tx, app.appId, customerId, paymentMethodId)
  })
}
