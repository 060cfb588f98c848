import { assert } from '../base/assert.ts'
import { after } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { MethodKind } from '../providers/outcome.ts'
import type { ProviderAdapter, ProviderContext } from '../providers/port.ts'

/** One side, sandbox or live, of a merchant's licence. */
export interface App {
  readonly appId: string
  readonly licenseId: string
  readonly isSandbox: boolean
  readonly isActive: boolean
  readonly friendlyName: string
  readonly createdTime: Date
  readonly paymentWebhookUrl: string | null
  readonly webhookAuthScheme: string | null
  /** Sealed; only its presence is ever shown. */
  readonly webhookAuthParameter: Uint8Array | null
  readonly defaultFraudPolicyId: number | null
  readonly checkoutMethods: readonly string[]
  readonly hasFirstCapture: boolean
  readonly clockOffsetMs: number
  readonly profiles: readonly Profile[]
}

/** A provider account of an app, with the methods it offers. */
export interface Profile {
  readonly profileId: number
  readonly name: string
  readonly provider: string
  readonly methods: readonly MethodKind[]
  /** What a charge without a currency of its own is made in. */
  readonly currency: string
  /** Null: every currency the provider takes. */
  readonly currencies: readonly string[] | null
  readonly isActive: boolean
  /** Sealed. */
  readonly settings: Uint8Array
  readonly webhookKey: string
  readonly createdTime: Date
}

/** The app's own time: a sandbox app's clock can be moved ahead by its test helper. */
export const appNow = (ctx: Pick<Context, 'clock'>, app: App): Date =>
  app.clockOffsetMs === 0 ? ctx.clock.now() : after(ctx.clock.now(), app.clockOffsetMs)

export const findProfile = (app: App, profileId: number): Profile | undefined =>
  app.profiles.find((profile) => profile.profileId === profileId)

export function adapterOf(ctx: Pick<Context, 'providers'>, profile: Profile): ProviderAdapter {
  const adapter = ctx.providers.get(profile.provider)
  assert(adapter, `profile ${profile.profileId} names the unknown provider ${profile.provider}`)
  return adapter
}

export function takesCurrency(ctx: Pick<Context, 'providers'>, profile: Profile, currency: string): boolean {
  if (profile.currencies && !profile.currencies.includes(currency)) return false
  const { currencies } = adapterOf(ctx, profile).manifest
  return currencies === 'any' || currencies.includes(currency)
}

/** What an adapter is given for one call: the opened settings, the transport, the app's time. */
export function providerContext(
  ctx: Context,
  app: App,
  profile: Profile,
  signal: AbortSignal,
): ProviderContext<unknown> {
  const settings = adapterOf(ctx, profile).manifest.settings.parse(
    JSON.parse(ctx.vault.open(profile.settings)),
  )
  assert(settings.ok, `profile ${profile.profileId} holds settings that its provider no longer accepts`)
  return {
    config: settings.config,
    sandbox: app.isSandbox,
    http: ctx.http,
    now: () => appNow(ctx, app),
    signal,
    notifyUrl: notifyUrl(ctx, profile),
  }
}

/** Where a provider sends its notifications about a profile. */
export const notifyUrl = (ctx: Pick<Context, 'config'>, { profileId, webhookKey }: Profile): string =>
  `${ctx.config.publicUrl}/api/provider-webhook?profileId=${profileId}&webhookKey=${webhookKey}`
