import type { Context } from '../../context.ts'
import type { App, Profile } from '../app.ts'
import { adapterOf, settingsOf } from './adapter.ts'

/** Why the profile cannot take payments yet, in the adapter's own words; undefined: it can. */
export function notReadyReason(
  ctx: Pick<Context, 'providers' | 'vault'>,
  app: Pick<App, 'isSandbox'>,
  profile: Profile,
): string | undefined {
  const { notReady } = adapterOf(ctx, profile).manifest
  return notReady?.(settingsOf(ctx, app, profile))
}
