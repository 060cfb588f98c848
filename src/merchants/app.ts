import { assert } from '../base/assert.ts'
import { after, type Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { Vault } from '../base/secret.ts'
import { type Observers, observeCall } from '../base/tracing/observe.ts'
import type { Config } from '../config.ts'
import type { Http } from '../net/http.ts'
import { type NodeState, slot } from '../node/slot.ts'
import type { CallRecorder, CallSubject } from '../providers/call-recorder.ts'
import type { MethodKind } from '../providers/outcome.ts'
import type { ProviderAdapter, ProviderContext, Providers } from '../providers/port.ts'
import { createTokenCache } from '../providers/tokens.ts'
import type { PayerMail, TeamMail } from './apps/mail-kinds.ts'
import type { Diagnosis } from './profiles/diagnosis.ts'
import type { RoutingConfig } from './routing-config.ts'

/** The members of the context that a provider call needs. `Context` itself would be an import cycle. */
interface Ctx extends Observers {
  readonly clock: Clock
  readonly config: Config
  readonly http: Http
  readonly providers: Providers
  readonly vault: Vault
  readonly node: NodeState<unknown>
  readonly recordCalls: CallRecorder
  /** What the calls are for. */
  readonly subject?: CallSubject
}

/** The sandbox or the live environment of a licence. */
export interface App {
  readonly appId: string
  readonly licenseId: string
  readonly isSandbox: boolean
  readonly isActive: boolean
  readonly friendlyName: string
  readonly createdTime: Date
  readonly paymentWebhookUrl: string | null
  readonly webhookAuthScheme: string | null
  /** Sealed; responses show only whether it is set. */
  readonly webhookAuthParameter: Uint8Array | null
  /** Sealed. */
  readonly webhookSecret: Uint8Array
  /** The previous secret, sealed, while it still signs too. */
  readonly webhookPreviousSecret: Uint8Array | null
  readonly webhookPreviousUntil: Date | null
  /** False: webhooks are sent without a signature. */
  readonly isSigningEnabled: boolean
  readonly defaultFraudPolicyId: number | null
  /** False: payments skip the policy lookup. */
  readonly hasFraudPolicies: boolean
  /** Null: payments are routed by the order of the profiles. */
  readonly routing: RoutingConfig | null
  readonly checkoutMethods: readonly string[]
  readonly hasFirstCapture: boolean
  readonly clockOffsetMs: number
  /** A sandbox app holds back its webhooks until then, in its own time. */
  readonly webhooksHeldUntil: Date | null
  /** Refunds that may be requested in one day; null: any number. */
  readonly maxRefundsDaily: number | null
  /** Who is told of refunds. */
  readonly refundEmails: readonly string[]
  /** IANA name; decides when a day of the app begins. */
  readonly timeZone: string
  /** Host name of the checkout, routed here by the operator's proxy; null: the installation's own. */
  readonly checkoutHost: string | null
  /** The app has proved that the name is its own. */
  readonly isCheckoutHostProven: boolean
  /** A host name that the app asks for and has not proved. */
  readonly hostClaim: { readonly host: string; readonly token: string } | null
  /** Refunds and marks need a one-time code of the person. */
  readonly twoFactorRequired: boolean
  /** So do they with an API key: a code of the person who made the key. */
  readonly requireOtpForApiKeys: boolean
  /** Days after the last payment until a customer is erased; null: never. */
  readonly personalDataDays: number | null
  readonly branding: Branding
  readonly mails: AppMails
  readonly profiles: readonly Profile[]
}

/** Which e-mails are sent, and from whom. */
export interface AppMails {
  /** Kinds of e-mails to payers that are on. */
  readonly payer: readonly PayerMail[]
  /** Kinds of e-mails to the team that are on. */
  readonly team: readonly TeamMail[]
  /** Null: the name of the app. */
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Where those to the team go; empty: to the owners of the licence. */
  readonly teamAddresses: readonly string[]
}

/** Branding of the payer pages. Null: absent, or the default. */
export interface Branding {
  /** Hash of the logo, part of its URL. */
  readonly logoHash: string | null
  /** `#rrggbb` */
  readonly color: string | null
  readonly slogan1: string | null
  readonly slogan2: string | null
  /** A web address or an e-mail address. */
  readonly support: string | null
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
  readonly locale: string | null
  readonly theme: 'light' | 'dark' | null
  /** The pages name the software at their foot. */
  readonly showPoweredBy: boolean
}

/** A provider account of an app, with the methods it offers. */
export interface Profile {
  readonly profileId: number
  readonly name: string
  readonly provider: string
  readonly methods: readonly MethodKind[]
  /** Default currency of a charge. */
  readonly currency: string
  /** Null: every currency that the provider supports. */
  readonly currencies: readonly string[] | null
  readonly isActive: boolean
  /** Sealed. */
  readonly settings: Uint8Array
  readonly webhookKey: string
  readonly createdTime: Date
  readonly fees: ProfileFees | null
  /** The provider's id of the account, and the minute of the last verified notification; null: not known. */
  readonly account: string | null
  readonly lastNotificationTime: Date | null
  /** Null: healthy. Otherwise the problem, the number of failed probes, and the time of the next probe. */
  readonly trouble: { readonly diagnosis: Diagnosis; readonly failures: number; readonly until: Date } | null
}

/** For previews: major units of the profile's currency, and percent. */
export interface ProfileFees {
  readonly providerInitialFee?: number | null
  readonly providerPercentageFee?: number | null
  readonly appInitialFee?: number | null
  readonly appPercentageFee?: number | null
}

/** The app's time: the clock of a sandbox app can be moved ahead by a test helper. */
export const appNow = (ctx: Pick<Ctx, 'clock'>, app: App): Date =>
  app.clockOffsetMs === 0 ? ctx.clock.now() : after(ctx.clock.now(), app.clockOffsetMs)

export const findProfile = (app: App, profileId: number): Profile | undefined =>
  app.profiles.find((profile) => profile.profileId === profileId)

/** Undefined when this installation no longer has the provider, for example because a setting is off. */
export const findAdapter = (ctx: Pick<Ctx, 'providers'>, profile: Profile): ProviderAdapter | undefined =>
  ctx.providers.get(profile.provider)

export function adapterOf(ctx: Pick<Ctx, 'providers'>, profile: Profile): ProviderAdapter {
  const adapter = findAdapter(ctx, profile)
  if (!adapter)
    throw new ApiError(
      'profile_not_usable',
      `Profile ${profile.profileId} is of the provider ${profile.provider}, which is not available here.`,
    )
  return adapter
}

export function takesCurrency(ctx: Pick<Ctx, 'providers'>, profile: Profile, currency: string): boolean {
  if (profile.currencies && !profile.currencies.includes(currency)) return false
  const { currencies } = adapterOf(ctx, profile).manifest
  return currencies === 'any' || currencies.includes(currency)
}

const opened = new WeakMap<Profile, unknown>()

/** The decrypted and parsed settings, cached per profile object. */
export function settingsOf(
  ctx: Pick<Ctx, 'providers' | 'vault'>,
  app: Pick<App, 'isSandbox'>,
  profile: Profile,
): unknown {
  if (opened.has(profile)) return opened.get(profile)
  const settings = adapterOf(ctx, profile).manifest.settings.parse(
    JSON.parse(ctx.vault.open(profile.settings)),
    app,
  )
  assert(settings.ok, `profile ${profile.profileId} holds settings that its provider no longer accepts`)
  opened.set(profile, settings.config)
  return settings.config
}

const secretTexts = new WeakMap<Profile, readonly string[]>()

/** The secret settings of a profile, also as they are written in URLs; cached per profile object. */
function secretsOf(ctx: Pick<Ctx, 'providers' | 'vault'>, profile: Profile): readonly string[] {
  const known = secretTexts.get(profile)
  if (known) return known
  const settings = JSON.parse(ctx.vault.open(profile.settings)) as Readonly<Record<string, unknown>>
  const { fields } = adapterOf(ctx, profile).manifest.settings
  const values = fields
    .filter(({ secret }) => secret)
    // A field may hold several secrets.
    .flatMap(({ name }) => String(settings[name] ?? '').split(/[\s,]+/))
  const plain = [...values, profile.webhookKey].filter(Boolean)
  const texts = [...new Set([...plain, ...plain.map(encodeURIComponent)])]
  secretTexts.set(profile, texts)
  return texts
}

export const accessTokens = slot('accessTokens', createTokenCache, {
  holds: 'OAuth tokens, by profile and settings',
  until: 'a minute before the end; a refused token',
  restart: 'nothing: a new token is requested',
})

/** The context of one adapter call: settings, transport, the app's time. */
export function providerContext(
  ctx: Ctx,
  app: App,
  profile: Profile,
  signal: AbortSignal,
): ProviderContext<unknown> {
  const now = () => appNow(ctx, app)
  const http = callsOwnServer(ctx, app, profile) ? guarded(ctx.http) : ctx.http
  const { subject = { step: 'other' } } = ctx
  const { hides } = adapterOf(ctx, profile).manifest
  const secrets = secretsOf(ctx, profile)
  return {
    config: settingsOf(ctx, app, profile),
    sandbox: app.isSandbox,
    origin: providerOrigin(ctx, app, profile),
    http: ctx.recordCalls(http, { app, profile, subject, secrets, hides, now }),
    tokens: accessTokens(ctx).of(
      `${profile.profileId} ${Buffer.from(profile.settings).toString('base64')}`,
      now,
    ),
    now,
    signal,
    notifyUrl: notifyUrl(ctx, profile),
    profile: { methods: profile.methods, currency: profile.currency },
  }
}

/** Where the provider's API is. Only sandbox apps use the operator's other origin. */
export function providerOrigin(ctx: Ctx, app: App, profile: Profile): string {
  const { manifest } = adapterOf(ctx, profile)
  const other = app.isSandbox ? ctx.config.providerOrigins?.[manifest.id] : undefined
  return other ?? manifest.origin(settingsOf(ctx, app, profile), app.isSandbox)
}

/** The merchant chose the server's address, so it must not lead into the operator's own network. */
function callsOwnServer(ctx: Ctx, app: App, profile: Profile): boolean {
  const { id, ownServer } = adapterOf(ctx, profile).manifest
  const isReplaced = app.isSandbox && ctx.config.providerOrigins?.[id] !== undefined
  return ownServer === true && !isReplaced
}

const guarded = (http: Http): Http => ({ call: (call) => http.call({ ...call, isGuarded: true }) })

/** Origins of the provider's pages, for the content security policy of our own. */
export function pageOriginsOf(ctx: Ctx, app: App, profile: Profile): readonly string[] {
  const { manifest } = adapterOf(ctx, profile)
  const origin = providerOrigin(ctx, app, profile)
  return manifest.pageOrigins?.(settingsOf(ctx, app, profile), origin) ?? []
}

/**
 * Calls a provider with a time limit. The timer is cleared afterwards, because it would retain the context.
 */
export async function callProvider<T>(
  ctx: Ctx,
  app: App,
  profile: Profile,
  call: (adapter: ProviderAdapter, provider: ProviderContext<unknown>) => T,
): Promise<Awaited<T>> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), LIMITS.providerCallMs).unref()
  const work = async () =>
    await call(adapterOf(ctx, profile), providerContext(ctx, app, profile, over.signal))
  try {
    return await observeCall(ctx, profile.provider, ctx.subject?.step ?? 'other', work)
  } finally {
    clearTimeout(timer)
  }
}

/** Payment links begin with it. */
export const checkoutOrigin = (
  ctx: Pick<Ctx, 'config'>,
  { checkoutHost }: { readonly checkoutHost?: string | null },
): string => (checkoutHost ? `https://${checkoutHost}` : ctx.config.publicUrl)

/** The URL for a provider's notifications about a profile. */
export const notifyUrl = (ctx: Pick<Ctx, 'config'>, { profileId, webhookKey }: Profile): string =>
  `${ctx.config.publicUrl}/api/provider-webhook?profileId=${profileId}&webhookKey=${webhookKey}`
