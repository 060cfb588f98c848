import type { Clock } from '../../base/clock.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Vault } from '../../base/secret.ts'
import { type Observers, observeCall } from '../../base/tracing/observe.ts'
import type { Config } from '../../config.ts'
import type { Http } from '../../net/http.ts'
import { type NodeState, slot } from '../../node/slot.ts'
import type { CallRecorder, CallSubject } from '../../providers/call-recorder.ts'
import type { ProviderAdapter, ProviderContext, Providers } from '../../providers/port.ts'
import { createTokenCache } from '../../providers/tokens.ts'
import { type App, appNow, type Profile } from '../app.ts'
import { notifyUrl } from '../urls.ts'
import { adapterOf, secretsOf, settingsOf } from './adapter.ts'

/** The members of the context that a provider call needs. */
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
