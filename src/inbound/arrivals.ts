import { MINUTE } from '../base/clock.ts'
import { errorData } from '../base/log.ts'
import type { Context } from '../context.ts'
import type { App, Profile } from '../merchants/app.ts'
import { countUnlisted } from '../payments/provider/outcome/unlisted.ts'
import type { Received } from '../providers/port.ts'
import { noteLastTime, selectArrivals } from './arrivals-store.ts'

/** Rows of a profile that are looked at: a busy one has many, and any of them answers the question. */
const MAX_READ = 1_000

/** Notifications of a profile in the last days. */
export interface Arrivals {
  /** At least one was genuine, so the address and the signing secret are right. */
  readonly hasVerified: boolean
  /** At least one had a wrong signature. */
  readonly hasForged: boolean
}

export const profileArrivals = (
  ctx: Pick<Context, 'db'>,
  { appId }: Pick<App, 'appId'>,
  profileId: number,
): Promise<Arrivals> => selectArrivals(ctx.db, appId, profileId, MAX_READ)

/**
 * Notes that a genuine notification arrived, at most once a minute for a profile, and counts what the adapter
 * does not know. It delays no answer, and losing it does no harm.
 */
export function noteArrival(ctx: Context, { appId }: App, profile: Profile, received: Received): void {
  if (received.kind === 'forged') return
  if (received.kind === 'ignored' && received.unlisted !== undefined)
    countUnlisted(ctx, profile, received.unlisted)
  const now = ctx.clock.now()
  const { profileId, lastNotificationTime: last } = profile
  if (last !== null && now.getTime() - last.getTime() < MINUTE) return
  const noted = noteLastTime(ctx.db, { appId, profileId, now }).catch((error) =>
    ctx.log.debug('notification.time_not_noted', errorData(error)),
  )
  ctx.background.keep('notification-time', noted, appId)
}
