import Type, { type Static } from 'typebox'
import { invalid, wrongField } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { countText, Instant, InstantInput, readInstant, text } from '../../http/wire.ts'
import type { App } from '../../merchants/app.ts'
import { appRoute, LINK_HEADER, nextPageLink } from '../../merchants/app-route.ts'
import { ACTIVITY_TYPES, type Activity, activityOf } from './activity.ts'

const page = {
  activityLogType: Type.Optional(Type.Enum([...ACTIVITY_TYPES])),
  beginTime: Type.Optional(InstantInput),
  endTime: Type.Optional(InstantInput),
  pageNumber: Type.Optional(countText('an integer from 1')),
  pageSize: Type.Optional(
    Type.Refine(
      Type.String({ pattern: '^[1-9]\\d{0,2}$', expected: `an integer from 1 to ${LIMITS.pageSize}` }),
      (value) => Number(value) <= LIMITS.pageSize,
    ),
  ),
}

const PageQuery = Type.Object(page)
const ListQuery = Type.Object({ ...page, customerId: Type.Optional(text(LIMITS.customerIdLength)) })
type ListQuery = Static<typeof ListQuery>

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const ActivityAnswer = Type.Object(
  {
    activityLogId: Type.String(),
    activityLogType: Type.Enum([...ACTIVITY_TYPES]),
    customerId: Type.String(),
    createdTime: Instant,
    data: nullable(Type.Object({}, { description: 'What changed. Never personal data.' })),
    actor: nullable(Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() })),
  },
  { title: 'CustomerActivity' },
)

const activityView = ({ activityId, customerId, type, time, data, actor }: Activity) => ({
  activityLogId: activityId,
  activityLogType: type,
  customerId,
  createdTime: time.toISOString(),
  data,
  actor,
})

/** Deeper pages cost more each: a narrower time leads there. */
const MAX_ROWS = 10_000

async function activityPage(ctx: Context, app: App, query: ListQuery) {
  const pageNumber = Number(query.pageNumber ?? 1)
  const pageSize = Number(query.pageSize ?? LIMITS.defaultPageSize)
  const offset = (pageNumber - 1) * pageSize
  if (offset + pageSize > MAX_ROWS)
    throw invalid([wrongField('pageNumber', `must lead to the first ${MAX_ROWS} rows`)])
  const { customerId, activityLogType: type, beginTime, endTime } = query
  const found = await activityOf(ctx, app, {
    customerId,
    type,
    from: beginTime === undefined ? undefined : readInstant(beginTime),
    to: endTime === undefined ? undefined : readInstant(endTime),
    offset,
    limit: pageSize + 1,
  })
  const hasNext = found.length > pageSize
  return { items: found.slice(0, pageSize).map(activityView), next: hasNext ? pageNumber + 1 : undefined }
}

export function activityRoutes(ctx: Context): Route[] {
  const listing = {
    method: 'GET',
    tag: 'Customers',
    status: 200,
    list: true,
    response: Type.Array(ActivityAnswer),
    responseHeaders: LINK_HEADER,
  } as const
  return [
    appRoute({
      ...listing,
      path: '/customers/activity-logs',
      summary: 'What happened to customers beside payments, the newest first',
      query: ListQuery,
      handler: async (app, { query, reply }) => {
        const { items, next } = await activityPage(ctx, app, query)
        const link = { ...query, pageNumber: String(next) }
        if (next) reply.header('link', nextPageLink(ctx, app, 'customers/activity-logs', link))
        return items
      },
    }),
    appRoute({
      ...listing,
      path: '/customers/{customerId}/activity-logs',
      summary: 'What happened to a customer beside payments, the newest first',
      params: Type.Object({ appId: Type.String(), customerId: Type.String() }),
      query: PageQuery,
      handler: async (app, { params: { customerId }, query, reply }) => {
        const { items, next } = await activityPage(ctx, app, { ...query, customerId })
        const path = `customers/${encodeURIComponent(customerId)}/activity-logs`
        if (next) reply.header('link', nextPageLink(ctx, app, path, { ...query, pageNumber: String(next) }))
        return items
      },
    }),
  ]
}
