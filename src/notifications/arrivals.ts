import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import { selectArrivals } from './store.ts'

/** Rows of a profile that are looked at: a busy one has many, and any of them answers the question. */
const MOST_READ = 1_000

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
): Promise<Arrivals> => selectArrivals(ctx.db, appId, profileId, MOST_READ)
