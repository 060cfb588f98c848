import { after, HOUR } from '../../base/clock.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import type { AccountMethods } from '../../providers/check.ts'
import { namedMethod } from '../../providers/methods/catalogue.ts'
import type { AnyMethod } from '../../providers/methods/method.ts'
import type { App, Profile } from '../app.ts'
import { forgetApp } from '../directory.ts'
import { adapterOf, findAdapter } from './adapter.ts'
import { callProvider } from './call.ts'
import { noteAccountMethods } from './store.ts'

/** Which methods an account at a provider has, and which of them a profile offers. Decision 0184. */

/** A list is read again after this time, when it is looked at. */
const FRESH_MS = 6 * HOUR

/** The profile with the present list of its account. If the provider does not tell it, the last one stays. */
export async function withAccountMethods(ctx: Context, app: App, profile: Profile): Promise<Profile> {
  const { accountMethodsTime: read } = profile
  if (read !== null && after(read, FRESH_MS) > ctx.clock.now()) return profile
  return readAccountMethods(ctx, app, profile)
}

/** Reads the list whatever its age. */
export async function readAccountMethods(ctx: Context, app: App, profile: Profile): Promise<Profile> {
  if (!findAdapter(ctx, profile)?.accountMethods) return profile
  const told = await askAccount(ctx, app, profile)
  if (told?.kind !== 'methods') return profile
  const noted = { accountMethods: told.methods, accountMethodsTime: ctx.clock.now() }
  await noteAccountMethods(ctx.db, { appId: app.appId, profileId: profile.profileId, ...noted })
  forgetApp(ctx, app.appId)
  return { ...profile, ...noted }
}

async function askAccount(ctx: Context, app: App, profile: Profile): Promise<AccountMethods | undefined> {
  try {
    const subject = { step: 'check' }
    return await callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
      adapter.accountMethods?.(provider),
    )
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return undefined
  }
}

export interface MethodAtProfile {
  readonly id: AnyMethod
  readonly name: string
  /** Null: the provider does not tell. */
  readonly isEnabledAtProvider: boolean | null
  readonly isOffered: boolean
  /** Empty: any. */
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  ...{ CreditCard: 'Card', ElectronicCheck: 'Bank account', Crypto: 'Crypto', Paypal: 'PayPal' },
}

/** Every method of the provider: those that the profile offers first, in its order. */
export function methodsAtProfile(ctx: Pick<Context, 'providers'>, profile: Profile): MethodAtProfile[] {
  const { manifest } = adapterOf(ctx, profile)
  const offered = profile.methods.filter((method) => manifest.methods[method])
  const others = (Object.keys(manifest.methods) as AnyMethod[]).filter((method) => !offered.includes(method))
  const shared = manifest.currencies === 'any' ? [] : manifest.currencies
  return [...offered, ...others].map((id) => {
    const { name = KIND_NAMES[id] ?? id, currencies = [], countries = [] } = namedMethod(id) ?? {}
    const isEnabledAtProvider = profile.accountMethods?.includes(id) ?? null
    const isOffered = profile.isActive && offered.includes(id) && isEnabledAtProvider !== false
    const own = profile.currencies ?? shared
    const taken =
      currencies.length === 0 ? own : currencies.filter((one) => own.length === 0 || own.includes(one))
    return { id, name, isEnabledAtProvider, isOffered, currencies: taken, countries }
  })
}
