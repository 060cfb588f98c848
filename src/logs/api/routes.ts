import Type, { type Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { readInstant } from '../../http/wire.ts'
import { appRoute, LINK_HEADER, nextPageLink } from '../../merchants/app-route.ts'
import { LOGS } from '../limits.ts'
import type { ApiFilter } from './call.ts'
import { apiHistogram, getApiCall, listApiCalls } from './commands.ts'
import {
  API_LOG_EXAMPLES,
  ApiCallAnswer,
  ApiCallDetailsAnswer,
  ApiCountsAnswer,
  ApiCountsQuery,
  ApiLogParams,
  ApiLogQuery,
} from './schema.ts'
import { callView, cursorText, detailsView, histogramView, readCursor } from './view.ts'

const instant = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : readInstant(text)

const filterOf = (query: Static<typeof ApiLogQuery>): ApiFilter => ({
  since: instant(query.since),
  until: instant(query.until),
  statusClass: query.statusClass === undefined ? undefined : Number(query.statusClass[0]),
  method: query.method,
  pathPrefix: query.pathPrefix,
  keyId: query.keyId,
  requestId: query.requestId,
  before: readCursor(query.before),
  limit: Number(query.pageSize ?? LOGS.pageLines),
})

/** The requests of an app. */
export const apiLogRoutes = (ctx: Context): Route[] => [listRoute(ctx), countsRoute(ctx), detailsRoute(ctx)]

const common = { tag: 'API log', method: 'GET', status: 200 } as const

const listRoute = (ctx: Context): Route =>
  appRoute({
    ...common,
    path: '/api-log',
    list: true,
    summary: 'List the requests of the app, the newest first',
    description:
      'Kept for seven days. Requests appear after half a second. Of an app with many requests a second ' +
      'only a part is kept: `api-log-counts` says how many are left out. With a filter a page may be ' +
      'short: follow `Link` until there is none.',
    query: ApiLogQuery,
    response: Type.Array(ApiCallAnswer),
    responseHeaders: LINK_HEADER,
    examples: { response: API_LOG_EXAMPLES.list },
    handler: async (app, { query, reply }) => {
      const { calls, next } = await listApiCalls(ctx, app, filterOf(query))
      if (next)
        reply.header('link', nextPageLink(ctx, app, 'api-log', { ...query, before: cursorText(next) }))
      return calls.map(callView)
    },
  })

const countsRoute = (ctx: Context): Route =>
  appRoute({
    ...common,
    path: '/api-log-counts',
    summary: 'Count the requests of the app by time and class of status',
    description: 'By minute for up to six hours, else by hour; the last day when no time is given.',
    query: ApiCountsQuery,
    response: ApiCountsAnswer,
    examples: { response: API_LOG_EXAMPLES.counts },
    handler: async (app, { query }) =>
      histogramView(
        await apiHistogram(ctx, app, { since: instant(query.since), until: instant(query.until) }),
      ),
  })

const detailsRoute = (ctx: Context): Route =>
  appRoute({
    ...common,
    path: '/api-log/{requestId}',
    summary: 'Read a request with its masked bodies',
    description:
      'Bodies are kept for sandbox apps, and of live apps for refused requests. Card numbers and secrets ' +
      'are masked; for live apps e-mail addresses, names, telephone numbers and addresses too.',
    params: ApiLogParams,
    response: ApiCallDetailsAnswer,
    errors: ['not_found'],
    examples: { response: API_LOG_EXAMPLES.details },
    handler: async (app, { params }) => detailsView(await getApiCall(ctx, app, params.requestId)),
  })
