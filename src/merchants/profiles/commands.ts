import { assert } from '../../base/assert.ts'
import { isCurrency } from '../../base/currencies.ts'
import { ApiError, type FieldError, invalid, notFound, wrongField } from '../../base/errors.ts'
import { randomText } from '../../base/ids.ts'
import { LIMITS } from '../../base/limits.ts'
import { expected } from '../../base/mistakes.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { AnyMethod } from '../../providers/methods/method.ts'
import { METHOD_KINDS, type MethodKind } from '../../providers/outcome.ts'
import type { Manifest } from '../../providers/port.ts'
import { type App, findProfile, type Profile, type ProfileFees } from '../app.ts'
import { auditApp, changedMembers } from '../app-audit.ts'
import { forgetApp, loadApp } from '../directory.ts'
import { adapterOf } from './adapter.ts'
import { checkFees } from './fees.ts'
import {
  deleteProfile,
  insertProfile,
  isProfileUsed,
  isReferredTo,
  lockSettings,
  updateProfile,
} from './store.ts'

interface ProfileInput {
  readonly name: string
  readonly methods: readonly AnyMethod[]
  readonly currency: string
  readonly currencies: readonly string[] | null
  readonly isActive: boolean
  readonly settings: object
  readonly fees?: ProfileFees | null
}

export interface NewProfile extends ProfileInput {
  readonly provider: string
}

/** Writes a profile that has been validated. */
export function storeProfile(
  ctx: Context,
  db: Queryable,
  appId: string,
  profile: NewProfile,
): Promise<number> {
  return insertProfile(db, {
    ...profile,
    appId,
    settings: ctx.vault.seal(JSON.stringify(profile.settings)),
    fees: profile.fees ?? null,
    webhookKey: randomText(ctx.random, 32),
    now: ctx.clock.now(),
  })
}

type NewProfileRequest = Omit<NewProfile, 'methods'> & { readonly methods?: readonly AnyMethod[] }

export async function createProfile(ctx: Context, app: App, request: NewProfileRequest): Promise<Profile> {
  if (app.profiles.length >= LIMITS.profiles)
    throw new ApiError('not_possible', `An app has at most ${LIMITS.profiles} provider profiles.`)
  const profile = acceptable(ctx, app, request)
  const profileId = await ctx.db.transaction(async (tx) => {
    const made = await storeProfile(ctx, tx, app.appId, profile)
    const { settings: given, ...shown } = profile
    const after = { ...shown, settings: Object.keys(given) }
    await auditApp(ctx, tx, app, { action: 'profile.created', target: `profile:${made}`, after })
    return made
  })
  return reread(ctx, app, profileId)
}

/** The profile with what the provider itself adds, if the provider accepts it. */
function acceptable(ctx: Context, app: App, request: NewProfileRequest): NewProfile {
  const adapter = ctx.providers.get(request.provider)
  if (!adapter) throw unknownProvider(ctx)
  const { manifest } = adapter
  const methods = request.methods ?? kindsOf(manifest)
  const settings = { ...adapter.openAccount?.(app.appId), ...request.settings }
  const profile = { ...request, methods, settings }
  checkProfile(app, manifest, profile)
  return profile
}

/** A profile as it would be stored, for a test of its settings. Refused like a new one. */
export function unsavedProfile(ctx: Context, app: App, request: NewProfileRequest): Profile {
  const { settings, ...profile } = acceptable(ctx, app, request)
  const unknown = {
    ...{ account: null, acceptedTime: null, lastNotificationTime: null, trouble: null },
    ...{ accountMethods: null, accountMethodsTime: null },
  }
  return {
    ...profile,
    ...unknown,
    fees: profile.fees ?? null,
    profileId: 0,
    webhookKey: '',
    settings: ctx.vault.seal(JSON.stringify(settings)),
    createdTime: ctx.clock.now(),
  }
}

/** A profile with other settings that are not stored. Refused like a change. */
export function withUnsavedSettings(ctx: Context, app: App, profile: Profile, changes: object): Profile {
  const settings = { ...JSON.parse(ctx.vault.open(profile.settings)), ...changes }
  checkProfile(app, adapterOf(ctx, profile).manifest, { ...profile, settings })
  return { ...profile, settings: ctx.vault.seal(JSON.stringify(settings)) }
}

/**
 * The methods that the console suggests for a new profile. Others than cards depend on the country and the
 * contract of the account. The built-in provider can do all. A request without methods means all of them, as
 * it always did; `check` names those that the account cannot take.
 */
/** Methods by name are offered only where the merchant turns them on. */
const kindsOf = ({ methods }: Manifest): MethodKind[] => METHOD_KINDS.filter((kind) => methods[kind])

export function usualMethods(manifest: Manifest): MethodKind[] {
  const all = kindsOf(manifest)
  return manifest.sandboxOnly || !all.includes('CreditCard') ? all : ['CreditCard']
}

/** The settings of a profile with changes, sealed. Undefined if they are the same or not valid. */
export function mergedSettings(
  ctx: Context,
  app: App,
  profile: Profile,
  changes: object,
): Uint8Array | undefined {
  const before: Record<string, unknown> = JSON.parse(ctx.vault.open(profile.settings))
  const isChanged = Object.entries(changes).some(([name, value]) => before[name] !== value)
  const settings = { ...before, ...changes }
  const isValid = isChanged && adapterOf(ctx, profile).manifest.settings.parse(settings, app).ok
  return isValid ? ctx.vault.seal(JSON.stringify(settings)) : undefined
}

function unknownProvider({ providers }: Pick<Context, 'providers'>): ApiError {
  const ids = [...providers.keys()].join(', ')
  const message = ids === '' ? 'must be left out: this installation has none' : `must be one of ${ids}`
  return invalid([wrongField('provider', message)])
}

/** Absent fields stay unchanged, also within the settings, so that one secret can be replaced alone. */
export type ProfileChanges = { readonly [Field in keyof ProfileInput]?: ProfileInput[Field] | undefined }

export async function changeProfile(
  ctx: Context,
  app: App,
  profileId: number,
  changes: ProfileChanges,
): Promise<Profile> {
  const known = findProfile(app, profileId)
  if (!known) throw notFound('The payment profile')
  const { manifest } = adapterOf(ctx, known)
  await ctx.db.transaction(async (tx) => {
    const sealed = await lockSettings(tx, app.appId, profileId)
    if (!sealed) throw notFound('The payment profile')
    const settings = { ...JSON.parse(ctx.vault.open(sealed)), ...changes.settings }
    const profile: ProfileInput = {
      name: changes.name ?? known.name,
      methods: changes.methods ?? known.methods,
      currency: changes.currency ?? known.currency,
      currencies: changes.currencies === undefined ? known.currencies : changes.currencies,
      isActive: changes.isActive ?? known.isActive,
      settings,
      fees: changes.fees ? { ...known.fees, ...changes.fees } : known.fees,
    }
    checkProfile(app, manifest, profile)
    const seal = changes.settings === undefined ? sealed : ctx.vault.seal(JSON.stringify(settings))
    await updateProfile(tx, app.appId, profileId, { ...profile, fees: profile.fees ?? null, settings: seal })
    await auditChange(ctx, tx, app, { known, profile, changes })
  })
  return reread(ctx, app, profileId)
}

interface Changed {
  readonly known: Profile
  readonly profile: ProfileInput
  readonly changes: ProfileChanges
}

/** Records only the names of the settings that were given: some are secrets. */
async function auditChange(ctx: Context, tx: Queryable, app: App, changed: Changed): Promise<void> {
  const { known, profile, changes } = changed
  const { settings: _sealed, ...rest } = profile
  const members = changedMembers(known, rest)
  const names = Object.keys(changes.settings ?? {})
  if (!members && names.length === 0) return
  await auditApp(ctx, tx, app, {
    action: 'profile.changed',
    target: `profile:${known.profileId}`,
    before: members?.before ?? {},
    after: { ...members?.after, ...(names.length > 0 ? { settings: names } : {}) },
  })
}

/** Whether payments or stored methods of the profile exist. Other rows may name it, too. */
export const wasProfileUsed = (ctx: Context, { appId }: App, profileId: number): Promise<boolean> =>
  isProfileUsed(ctx.db, appId, profileId)

/**
 * Removes a profile that was never used. It must be off, so that no payment starts with it meanwhile.
 */
export async function removeProfile(ctx: Context, app: App, profileId: number): Promise<void> {
  const profile = findProfile(app, profileId)
  if (!profile) throw notFound('The payment profile')
  if (profile.isActive) throw new ApiError('not_possible', 'The profile is on. Turn it off first.')
  const { defaults = [], routes = [] } = app.routing ?? {}
  const named = [...defaults, ...routes.flatMap(({ profiles }) => profiles)]
  if (named.some((one) => one.profileId === profileId))
    throw new ApiError('not_possible', 'The routing names the profile. Remove it there first.')
  await ctx.db.transaction(async (tx) => {
    if (!(await lockSettings(tx, app.appId, profileId))) throw notFound('The payment profile')
    if (await isReferredTo(tx, app.appId, profileId))
      throw new ApiError('not_possible', 'The profile was used: payments, methods or rules refer to it.')
    await deleteProfile(tx, app.appId, profileId)
    const { name, provider, currency } = profile
    const before = { name, provider, currency }
    await auditApp(ctx, tx, app, { action: 'profile.removed', target: `profile:${profileId}`, before })
  })
  forgetApp(ctx, app.appId)
}

async function reread(ctx: Context, app: App, profileId: number): Promise<Profile> {
  forgetApp(ctx, app.appId)
  const fresh = await loadApp(ctx, app.appId)
  const profile = fresh && findProfile(fresh, profileId)
  assert(profile, 'a profile just written is there')
  return profile
}

function checkProfile(app: App, manifest: Manifest, profile: ProfileInput): void {
  checkFees(profile.fees ?? {}, profile.currency)
  if (manifest.sandboxOnly && !app.isSandbox)
    throw new ApiError('profile_not_usable', `${manifest.name} can be used in sandbox apps only.`)
  checkCurrencies(manifest, profile)
  const strange = profile.methods.filter((method) => !manifest.methods[method])
  if (strange.length > 0) throw notOffered(manifest, 'methods', strange)
  const parsed = manifest.settings.parse(profile.settings, app)
  if (!parsed.ok) {
    const errors = parsed.problems.map(({ field, message }) => wrongField(`settings.${field}`, message))
    throw new ApiError('invalid_profile_settings', `${manifest.name} does not accept these settings.`, {
      errors,
    })
  }
}

function checkCurrencies(manifest: Manifest, { currency, currencies }: ProfileInput): void {
  const errors: FieldError[] = []
  if (!isCurrency(currency)) errors.push(expected('currency', 'currency'))
  for (const [index, code] of (currencies ?? []).entries())
    if (!isCurrency(code)) errors.push(expected(`currencies[${index}]`, 'currency'))
  if (errors.length > 0) throw invalid(errors)
  const offered = manifest.currencies
  const strange =
    offered === 'any' ? [] : [currency, ...(currencies ?? [])].filter((code) => !offered.includes(code))
  if (strange.length > 0) throw notOffered(manifest, 'currencies', strange)
  if (currencies && !currencies.includes(currency))
    throw new ApiError('profile_not_usable', 'currency must be one of currencies.', {
      errors: [expected('currency', 'accepted')],
    })
}

const notOffered = (manifest: Manifest, field: string, values: readonly string[]): ApiError =>
  new ApiError('profile_not_usable', `${manifest.name} does not offer ${values.join(', ')}.`, {
    errors: [expected(field, 'offered', { values: values.join(', '), provider: manifest.name })],
  })
