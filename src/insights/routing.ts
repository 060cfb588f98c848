import { after, DAY } from '../base/clock.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { outcomeOf } from '../payments/search/outcome.ts'
import { flushSearch } from '../payments/search/writing/writer.ts'
import { configOf } from '../routing/config.ts'
import { routeOf } from '../routing/rules.ts'
import { recentPayments } from './sums-store.ts'

const DAYS = 30
/** Payments that are looked at, the newest first: a read of an index with one order each. */
const MAX_PAYMENTS = 500

/** What the routes of now would take of the newest payments that went to a provider. */
export interface RouteFigures {
  readonly payments: number
  /** By the place of the route. */
  readonly routes: readonly RouteFigure[]
}

interface RouteFigure {
  /** The payments that the route would take. */
  readonly taken: readonly number[]
  /** Of these, the ones that were approved. */
  readonly approved: readonly number[]
  /** Null: none of them was approved or declined. */
  readonly approvalRate: number | null
}

/**
 * The figures of each route. Payments do not store the route that they took, so the routes are applied to
 * what is known of them, as when they were routed: a change of the routes is judged by the same payments.
 */
export async function routeFigures(ctx: Context, app: App): Promise<RouteFigures> {
  const config = configOf(app)
  const since = after(appNow(ctx, app), -DAYS * DAY)
  await flushSearch(ctx, app.appId)
  const payments = await recentPayments(ctx.db, app.appId, since, MAX_PAYMENTS)
  const sums = config.routes.map(() => ({ taken: [] as number[], approved: [] as number[], judged: 0 }))
  for (const payment of payments) {
    const { paymentId, currency, amountMinor, country, brand } = payment
    const facts = { currency, amountMinor, country: country ?? undefined, brand: brand ?? undefined }
    const sum = sums[routeOf(payment, config, facts)]
    if (!sum) continue
    const outcome = outcomeOf(payment)
    const isApproved = outcome === 'paid' || outcome === 'approved'
    sum.taken.push(paymentId)
    if (isApproved) sum.approved.push(paymentId)
    sum.judged += Number(isApproved || outcome === 'declined')
  }
  return {
    payments: payments.length,
    routes: sums.map(({ taken, approved, judged }) => ({
      ...{ taken, approved },
      approvalRate: judged === 0 ? null : approved.length / judged,
    })),
  }
}
