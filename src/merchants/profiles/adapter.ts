import { assert } from '../../base/assert.ts'
import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import type { ProviderAdapter } from '../../providers/port.ts'
import type { App, Profile } from '../app.ts'

/** Undefined when this installation no longer has the provider, for example because a setting is off. */
export const findAdapter = (ctx: Pick<Context, 'providers'>, profile: Profile): ProviderAdapter | undefined =>
  ctx.providers.get(profile.provider)

export function adapterOf(ctx: Pick<Context, 'providers'>, profile: Profile): ProviderAdapter {
  const adapter = findAdapter(ctx, profile)
  if (!adapter)
    throw new ApiError(
      'profile_not_usable',
      `Profile ${profile.profileId} is of the provider ${profile.provider}, which is not available here.`,
    )
  return adapter
}

export function takesCurrency(ctx: Pick<Context, 'providers'>, profile: Profile, currency: string): boolean {
  if (profile.currencies && !profile.currencies.includes(currency)) return false
  const { currencies } = adapterOf(ctx, profile).manifest
  return currencies === 'any' || currencies.includes(currency)
}

const opened = new WeakMap<Profile, unknown>()

/** The decrypted and parsed settings, cached per profile object. */
export function settingsOf(
  ctx: Pick<Context, 'providers' | 'vault'>,
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
export function secretsOf(ctx: Pick<Context, 'providers' | 'vault'>, profile: Profile): readonly string[] {
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
