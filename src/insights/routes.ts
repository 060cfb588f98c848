import type { Static } from 'typebox'
import { after, DAY } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { readId, readInstant } from '../http/wire.ts'
import { type App, appNow } from '../merchants/app.ts'
import { appRoute } from '../merchants/app-route.ts'
import { failedCharges } from '../payments/search/search.ts'
import { type OverviewOptions, overview } from './overview.ts'
import {
  DASHBOARD_EXAMPLE,
  DashboardAnswer,
  DashboardQuery,
  OVERVIEW_EXAMPLE,
  OverviewAnswer,
  OverviewQuery,
  REJECTED_EXAMPLE,
  RejectedAnswer,
  RejectedQuery,
} from './schema.ts'
import { dashboardView, overviewView, rejectedView } from './view.ts'

const common = { method: 'GET', status: 200, list: true, errors: ['invalid_request'] } as const
const DEFAULT_MS = 30 * DAY
const PERIOD =
  'Of the payments created from `beginTime` and before `endTime`, by default in the last 30 days, at most ' +
  '400 days, as they stand now. Days begin at midnight of `timeZoneName`, by default UTC.'

export const insightRoutes = (ctx: Context): Route[] => [
  appRoute({
    ...common,
    path: '/payments/overview',
    tag: 'Payments',
    summary: 'Figures of a period, compared with the period before',
    description:
      `${PERIOD} Amounts of different currencies are never added. \`failedCharges\`: charges of stored ` +
      'methods without the customer.',
    query: OverviewQuery,
    response: OverviewAnswer,
    examples: { response: OVERVIEW_EXAMPLE },
    handler: async (app, { query }) => {
      const options = periodOf(ctx, app, query)
      // The first one refuses what is no period.
      const figures = await overview(ctx, app, options)
      return overviewView(app, figures, await failedCharges(ctx, app, options))
    },
  }),
  appRoute({
    ...common,
    path: '/payments/dashboard-payments',
    tag: 'Payments',
    summary: 'Payments of a period by provider, currency, state and day',
    description: PERIOD,
    query: DashboardQuery,
    response: DashboardAnswer,
    examples: { response: DASHBOARD_EXAMPLE },
    handler: async (app, { query }) => {
      const { paymentProfileId } = query
      // An invalid id has no payments.
      const profileId = paymentProfileId === undefined ? undefined : (readId(paymentProfileId) ?? -1)
      const options = { ...periodOf(ctx, app, query), profileId, granularity: 'day' as const }
      return dashboardView(app, await overview(ctx, app, options))
    },
  }),
  appRoute({
    ...common,
    path: '/fraud-policies/dashboard-rejected-payments',
    tag: 'Fraud policies',
    summary: 'Payments of a period that a fraud policy rejected, by day and currency',
    description: PERIOD,
    query: RejectedQuery,
    response: RejectedAnswer,
    examples: { response: REJECTED_EXAMPLE },
    handler: async (app, { query }) => {
      const options = { ...periodOf(ctx, app, query), granularity: 'day' as const }
      return rejectedView(await overview(ctx, app, options))
    },
  }),
]

function periodOf(ctx: Context, app: App, query: Static<typeof OverviewQuery>): OverviewOptions {
  const to = (query.endTime === undefined ? undefined : readInstant(query.endTime)) ?? appNow(ctx, app)
  const from = query.beginTime === undefined ? undefined : readInstant(query.beginTime)
  return { from: from ?? after(to, -DEFAULT_MS), to, timeZone: query.timeZoneName }
}
