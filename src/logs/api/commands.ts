import { after, HOUR } from '../../base/clock.ts'
import { notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { mayLag } from '../../db/database.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { LOGS } from '../limits.ts'
import type { ApiBucket, ApiCall, ApiCallDetails, ApiFilter, ApiPage } from './call.ts'
import { bucketsOf, callsOfPayment, findCall, pageOfCalls } from './store.ts'

/** A page of the requests of an app, the newest first. */
export const listApiCalls = (ctx: Pick<Context, 'db'>, app: App, filter: ApiFilter): Promise<ApiPage> =>
  pageOfCalls(mayLag(ctx.db), app.appId, filter)

/** The newest request with this id: clients may choose the id, and use it again. */
export async function getApiCall(
  ctx: Pick<Context, 'db'>,
  app: App,
  requestId: string,
): Promise<ApiCallDetails> {
  const call = await findCall(ctx.db, app.appId, requestId)
  if (!call) throw notFound('The request')
  return call
}

export interface ApiHistogram {
  readonly from: Date
  readonly to: Date
  readonly bucket: 'minute' | 'hour'
  /** In order of time, without empty ones. */
  readonly buckets: readonly ApiBucket[]
}

/** Counts of all requests, also of those without a line: by minute up to six hours, else by hour. */
export async function apiHistogram(
  ctx: Pick<Context, 'db' | 'clock'>,
  app: App,
  { since, until }: { readonly since?: Date | undefined; readonly until?: Date | undefined },
): Promise<ApiHistogram> {
  const to = until ?? after(appNow(ctx, app), 1)
  const earliest = after(to, -LOGS.api.keptMs)
  const wanted = since ?? after(to, -24 * HOUR)
  const from = wanted < earliest ? earliest : wanted
  const bucket = to.getTime() - from.getTime() <= LOGS.minuteBucketsMs ? 'minute' : 'hour'
  return { from, to, bucket, buckets: await bucketsOf(ctx.db, app.appId, { since: from, until: to, bucket }) }
}

/** Requests about a payment, the newest first. */
export const apiCallsOf = (
  ctx: Pick<Context, 'db'>,
  app: App,
  wanted: { readonly paymentId: number; readonly limit: number },
): Promise<ApiCall[]> => callsOfPayment(ctx.db, app.appId, wanted)
