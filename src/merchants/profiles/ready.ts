import type { Context } from '../../context.ts'
import type { NotReady } from '../../providers/check.ts'
import type { App, Profile } from '../app.ts'
import { adapterOf, settingsOf } from './adapter.ts'

/** Why the profile cannot take payments yet; undefined: it can. */
export function notReadyReason(
  ctx: Pick<Context, 'providers' | 'vault'>,
  app: Pick<App, 'isSandbox'>,
  profile: Profile,
): NotReady | undefined {
  const { notReady } = adapterOf(ctx, profile).manifest
  return notReady?.(settingsOf(ctx, app, profile))
}
