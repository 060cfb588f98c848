import { createCounter } from '../../../base/counter.ts'
import { cut, folded } from '../../../base/text.ts'
import type { Context } from '../../../context.ts'
import { type App, findProfile, type Profile } from '../../../merchants/app.ts'
import { slot } from '../../../node/slot.ts'
import type { Declined, Snapshot } from '../../../providers/outcome.ts'
import type { Payment } from '../../payment.ts'

/** Longer values are cut: they come from outside. */
const MAX_SHOWN = 100

const MAX_CODES = 1_000

export const unlistedCodes = slot('unlistedCodes', () => createCounter(MAX_CODES), {
  holds: 'counts of unknown codes of providers, a thousand at most',
  until: 'a restart',
  restart: 'the counts',
})

/** Counts a value that an adapter does not know, so that its tables can grow. */
export function countUnlisted(
  ctx: Pick<Context, 'log' | 'meter' | 'node'>,
  { provider }: Pick<Profile, 'provider'>,
  value: string,
): void {
  const code = cut(folded(value), MAX_SHOWN)
  ctx.meter?.unlisted(provider)
  const count = unlistedCodes(ctx).add(`${provider} ${code}`)
  ctx.log.warn('provider.unlisted_code', { provider, code, count })
}

/** Counts decline codes that an adapter does not know, so that its table can grow. */
export function countIfUnlisted(
  ctx: Context,
  profile: Profile,
  { isUnlisted, raw }: Pick<Declined, 'isUnlisted' | 'raw'>,
): void {
  if (!isUnlisted) return
  countUnlisted(ctx, profile, raw.code ?? '')
}

/** Values outside the adapter's enumerations that a read has shown. */
export function countAllUnlisted(
  ctx: Context,
  app: App,
  { profileId }: Payment,
  { unlisted = [] }: Snapshot,
): void {
  const profile = profileId === null ? undefined : findProfile(app, profileId)
  if (profile) for (const value of unlisted) countUnlisted(ctx, profile, value)
}
