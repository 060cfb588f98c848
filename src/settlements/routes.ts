import Type, { type Static } from 'typebox'
import { LIMITS } from '../base/limits.ts'
import { acting, type Context } from '../context.ts'
import { mayLag } from '../db/database.ts'
import type { Route } from '../http/route.ts'
import { readId, readInstant } from '../http/wire.ts'
import type { Profile } from '../merchants/app.ts'
import { appRoute, LINK_HEADER, nextPageLink } from '../merchants/app-route.ts'
import { closeByHand, findSource, getPayout, importFile, profileNamed, setSource } from './commands.ts'
import { SETTLEMENTS } from './limits.ts'
import { settlementsOf } from './matching/judging.ts'
import { acceptSuggested, getException, getReport, readNow, reportPage } from './pages.ts'
import {
  CloseBody,
  EXAMPLES,
  ExceptionAnswer,
  ExceptionParams,
  ExceptionsQuery,
  LineAnswer,
  LinesQuery,
  ListedReportAnswer,
  PayoutAnswer,
  PayoutDetailsAnswer,
  PayoutParams,
  PayoutsQuery,
  ReportAnswer,
  ReportDetailsAnswer,
  ReportParams,
  ReportQuery,
  ReportsQuery,
  SourceAnswer,
  SourceBody,
  SourceParams,
} from './schema.ts'
import { pageOfExceptions, pageOfLines, pageOfPayouts } from './store/lists.ts'
import {
  cursorText,
  exceptionCursor,
  exceptionView,
  lineView,
  listedReportView,
  payoutDetailsView,
  payoutView,
  readCursor,
  readExceptionCursor,
  reportDetailsView,
  reportView,
  sourceView,
} from './view.ts'

const common = { tag: 'Settlements', status: 200 } as const

export const settlementRoutes = (ctx: Context): Route[] => [
  linesRoute(ctx),
  ...payoutRoutes(ctx),
  ...exceptionRoutes(ctx),
  ...reportRoutes(ctx),
  ...sourceRoutes(ctx),
]

/** An id that is not valid matches nothing. */
const idOf = (id: number | string | undefined): number | undefined =>
  id === undefined ? undefined : (readId(id) ?? -1)
const instant = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : readInstant(text)
const sizeOf = (pageSize: string | undefined): number => Number(pageSize ?? LIMITS.defaultPageSize)

const windowOf = ({ since, until, before, pageSize }: Static<typeof PayoutsQuery>) => ({
  since: instant(since),
  until: instant(until),
  before: readCursor(before),
  limit: sizeOf(pageSize),
})

const linesRoute = (ctx: Context): Route =>
  appRoute({
    ...common,
    method: 'GET',
    path: '/settlement-lines',
    list: true,
    summary: 'List what providers report about settled money, the newest first',
    description: 'With a filter a page may be short: follow `Link` until there is none.',
    query: LinesQuery,
    response: Type.Array(LineAnswer),
    responseHeaders: LINK_HEADER,
    examples: { response: EXAMPLES.lines },
    handler: async (app, { query, reply }) => {
      const { kind, match, paymentId, payoutId, paymentProfileId } = query
      const ids = { paymentId: idOf(paymentId), payoutId: idOf(payoutId), profileId: idOf(paymentProfileId) }
      const filter = { kind, match, ...ids, ...windowOf(query) }
      const { items, next } = await pageOfLines(mayLag(ctx.db), app.appId, filter)
      if (next)
        reply.header(
          'link',
          nextPageLink(ctx, app, 'settlement-lines', { ...query, before: cursorText(next) }),
        )
      return items.map(lineView)
    },
  })

function payoutRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      method: 'GET',
      path: '/payouts',
      list: true,
      summary: 'List the payouts of providers, the newest first',
      query: PayoutsQuery,
      response: Type.Array(PayoutAnswer),
      responseHeaders: LINK_HEADER,
      examples: { response: EXAMPLES.payouts },
      handler: async (app, { query, reply }) => {
        const { state, paymentProfileId } = query
        const filter = { state, profileId: idOf(paymentProfileId), ...windowOf(query) }
        const { items, next } = await pageOfPayouts(mayLag(ctx.db), app.appId, filter)
        if (next)
          reply.header('link', nextPageLink(ctx, app, 'payouts', { ...query, before: cursorText(next) }))
        return items.map(payoutView)
      },
    }),
    appRoute({
      ...common,
      method: 'GET',
      path: '/payouts/{payoutId}',
      summary: 'Read a payout with its lines by kind, and whether they add up',
      params: PayoutParams,
      response: PayoutDetailsAnswer,
      errors: ['not_found'],
      examples: { response: EXAMPLES.payout },
      handler: async (app, { params }) => {
        const { payout, sums } = await getPayout(ctx, app, readId(params.payoutId))
        return payoutDetailsView(payout, sums)
      },
    }),
  ]
}

function exceptionRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      method: 'GET',
      path: '/settlement-exceptions',
      list: true,
      summary: 'List what does not agree, open exceptions first, the newest first',
      query: ExceptionsQuery,
      response: Type.Array(ExceptionAnswer),
      responseHeaders: LINK_HEADER,
      examples: { response: EXAMPLES.exceptions },
      handler: async (app, { query, reply }) => {
        const { kind, state, paymentId, pageSize, before } = query
        const isOpen = state === undefined ? undefined : state === 'open'
        const place = { before: readExceptionCursor(before), limit: sizeOf(pageSize) }
        const filter = { kind, isOpen, paymentId: idOf(paymentId), ...place }
        const { items, next } = await pageOfExceptions(mayLag(ctx.db), app.appId, filter)
        const more = next && { ...query, before: exceptionCursor(next) }
        if (more) reply.header('link', nextPageLink(ctx, app, 'settlement-exceptions', more))
        return items.map(exceptionView)
      },
    }),
    appRoute({
      ...common,
      method: 'POST',
      path: '/settlement-exceptions/{id}/close',
      summary: 'Close an exception with a reason',
      description: 'An exception closes by itself when a late line comes. The audit log has both.',
      params: ExceptionParams,
      body: CloseBody,
      response: ExceptionAnswer,
      errors: ['not_found', 'not_possible'],
      examples: { body: { reason: EXAMPLES.closed.reason }, response: EXAMPLES.closed },
      handler: async (app, { params, body, actor }) =>
        exceptionView(await closeByHand(acting(ctx, actor), app, readId(params.id), body.reason)),
    }),
    acceptRoute(ctx),
  ]
}

const acceptRoute = (ctx: Context): Route =>
  appRoute({
    ...common,
    method: 'POST',
    path: '/settlement-exceptions/{id}/accept',
    summary: 'Accept the payment that is suggested for the line of an exception',
    description:
      'For the kind `unknown`, where the line has `match: "suggested"`. The line then counts for the ' +
      'payment, and the exception closes. The audit log has it.',
    params: ExceptionParams,
    response: ExceptionAnswer,
    errors: ['not_found', 'not_possible'],
    examples: { response: EXAMPLES.accepted },
    handler: async (app, { params, actor }) => {
      const exception = await getException(ctx, app, readId(params.id))
      await acceptSuggested(acting(ctx, actor), app, exception)
      return exceptionView(await getException(ctx, app, exception.exceptionId))
    },
  })

const reportRoutes = (ctx: Context): Route[] => [
  importRoute(ctx),
  appRoute({
    ...common,
    method: 'GET',
    path: '/settlement-reports',
    list: true,
    summary: 'List files and pages that were read, the newest first',
    query: ReportsQuery,
    response: Type.Array(ListedReportAnswer),
    responseHeaders: LINK_HEADER,
    examples: { response: EXAMPLES.reports },
    handler: async (app, { query, reply }) => {
      const { items, next } = await reportPage(ctx, app, idOf(query.before), sizeOf(query.pageSize))
      const more = next !== undefined && { ...query, before: String(next) }
      if (more) reply.header('link', nextPageLink(ctx, app, 'settlement-reports', more))
      return items.map(listedReportView)
    },
  }),
  appRoute({
    ...common,
    method: 'GET',
    path: '/settlement-reports/{reportId}',
    summary: 'Read a report with the rows that could not be read',
    params: ReportParams,
    response: ReportDetailsAnswer,
    errors: ['not_found'],
    examples: { response: EXAMPLES.reportDetails },
    handler: async (app, { params }) => reportDetailsView(await getReport(ctx, app, readId(params.reportId))),
  }),
]

const importRoute = (ctx: Context): Route =>
  appRoute({
    ...common,
    method: 'POST',
    path: '/settlement-reports',
    status: 201,
    summary: 'Import a settlement report',
    description:
      'The body is the file: as the provider makes it where Tender can read that, else the general CSV of ' +
      'the guide. The same file twice is answered with 200 and changes nothing.',
    query: ReportQuery,
    rawBody: true,
    bodyBytes: SETTLEMENTS.fileBytes,
    response: ReportAnswer,
    errors: ['not_found', 'payload_too_large', 'wrong_settlement_report'],
    examples: { response: EXAMPLES.report },
    handler: async (app, { query, body, actor, reply }) => {
      const profile = profileNamed(app, readId(query.paymentProfileId))
      const file = { bytes: body as Uint8Array, name: query.fileName }
      const imported = await importFile(acting(ctx, actor), app, profile, file)
      if (imported.isRepeated) reply.code(200)
      return reportView(imported)
    },
  })

const canRead = (ctx: Context, profile: Profile): boolean => settlementsOf(ctx, profile)?.read !== undefined

function sourceRoutes(ctx: Context): Route[] {
  const reading = {
    ...common,
    path: '/settlement-sources/{paymentProfileId}',
    params: SourceParams,
    response: SourceAnswer,
  } as const
  return [
    appRoute({
      ...reading,
      method: 'GET',
      summary: 'Read how the settlements of a profile arrive',
      errors: ['not_found'],
      examples: { response: EXAMPLES.source },
      handler: async (app, { params }) => {
        const profile = profileNamed(app, readId(params.paymentProfileId))
        return sourceView(profile.profileId, canRead(ctx, profile), await findSource(ctx, app, profile))
      },
    }),
    appRoute({
      ...reading,
      method: 'POST',
      path: '/settlement-sources/{paymentProfileId}/read',
      summary: "Read the provider's settlements now",
      description: 'The read begins at once, beside the answer. `lastReadTime` tells when it was done.',
      errors: ['not_found', 'not_possible'],
      examples: { response: EXAMPLES.source },
      handler: async (app, { params, actor }) => {
        const profile = profileNamed(app, readId(params.paymentProfileId))
        await readNow(acting(ctx, actor), app, profile)
        return sourceView(profile.profileId, canRead(ctx, profile), await findSource(ctx, app, profile))
      },
    }),
    appRoute({
      ...reading,
      method: 'PUT',
      summary: "Turn reading of the provider's settlements on or off",
      description: 'It is off until then. The first read begins some days back, as the provider asks for.',
      body: SourceBody,
      errors: ['not_found', 'not_possible'],
      examples: { body: { isActive: true }, response: EXAMPLES.source },
      handler: async (app, { params, body, actor }) => {
        const profile = profileNamed(app, readId(params.paymentProfileId))
        const source = await setSource(acting(ctx, actor), app, profile, { isActive: body.isActive })
        return sourceView(profile.profileId, canRead(ctx, profile), source)
      },
    }),
  ]
}
