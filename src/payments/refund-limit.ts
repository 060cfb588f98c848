import { ApiError } from '../base/errors.ts'
import { dayOf, secondsLeftOfDay } from '../base/time/instant.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import type { Change } from './changes.ts'

/** The app's limit of refunds a day. A cancellation that is a refund at the provider is not counted. */

type Ctx = Pick<Context, 'clock'>

export const refundDayOf = (ctx: Ctx, app: App, { events }: Change): string | undefined =>
  app.maxRefundsDaily !== null && events.at(-1)?.on === 'refund'
    ? dayOf(appNow(ctx, app), app.timeZone)
    : undefined

/** Passes by itself, so it is not kept under an Idempotency-Key. */
export function refundLimitReached(ctx: Ctx, app: App): ApiError {
  const { maxRefundsDaily, timeZone } = app
  const seconds = secondsLeftOfDay(appNow(ctx, app), timeZone)
  return new ApiError(
    'refund_limit_reached',
    `The app allows ${maxRefundsDaily} refunds a day. The next day in ${timeZone} begins in ${seconds} s.`,
    { transient: true, headers: { 'retry-after': String(seconds) } },
  )
}
