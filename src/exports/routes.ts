import Type, { type Static } from 'typebox'
import { after } from '../base/clock.ts'
import { invalid, wrongField } from '../base/errors.ts'
import { acting, type Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { type App, appNow } from '../merchants/app.ts'
import { appRoute } from '../merchants/app-route.ts'
import { unknownParts } from '../payments/search/export.ts'
import {
  cancelExport,
  createExport,
  deleteExport,
  exportsOf,
  getExport,
  openFile,
  type Wanted,
} from './commands.ts'
import type { Export, Schedule, ScheduleSpec } from './export.ts'
import { EXPORTS } from './limits.ts'
import { daySpan, presetSpan, type Span } from './periods.ts'
import { changeSchedule, createSchedule, removeSchedule, schedulesOf } from './schedules.ts'
import {
  EXPORT_EXAMPLE,
  ExportAnswer,
  ExportBody,
  ExportParams,
  SCHEDULE_EXAMPLE,
  ScheduleAnswer,
  ScheduleBody,
  ScheduleChangeBody,
  ScheduleParams,
} from './schema.ts'

const common = { tag: 'Exports', status: 200 } as const

export const exportRoutes = (ctx: Context): Route[] => [
  ...listRoutes(ctx),
  ...oneRoutes(ctx),
  ...scheduleListRoutes(ctx),
  ...scheduleRoutes(ctx),
]

function listRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      method: 'POST',
      path: '/exports',
      status: 201,
      // Its first pages are made with the request, so a few are made at once, as of lists.
      list: true,
      summary: 'Make a file of payments, refunds, disputes, customers, links, events or everything',
      description:
        'A file of a few thousand rows is `done` in the answer. A larger one is made in the background: ' +
        'read the export until its state is `done`, then its file. The guide lists the columns.',
      body: ExportBody,
      response: ExportAnswer,
      errors: ['forbidden', 'not_possible'],
      examples: { body: { kind: 'refunds', period: 'last-month' }, response: EXPORT_EXAMPLE },
      handler: async (app, { body, actor }) => {
        const span = spanOf(body, appNow(ctx, app), app)
        refuseUnknown(acting(ctx, actor), app, body.query)
        return exportView(
          await createExport(acting(ctx, actor), app, {
            ...{ ...wantedOf(body), span, sealingKey: body.sealingKey ?? undefined },
          }),
        )
      },
    }),
    appRoute({
      ...common,
      method: 'GET',
      path: '/exports',
      summary: 'List the exports of the last seven days, the newest first',
      response: Type.Array(ExportAnswer),
      examples: { response: [EXPORT_EXAMPLE] },
      handler: async (app, { actor }) => (await exportsOf(acting(ctx, actor), app)).map(exportView),
    }),
  ]
}

function oneRoutes(ctx: Context): Route[] {
  const one = { ...common, path: '/exports/{exportId}', params: ExportParams } as const
  return [
    appRoute({
      ...one,
      method: 'GET',
      summary: 'Read an export and its progress',
      response: ExportAnswer,
      errors: ['not_found'],
      examples: { response: EXPORT_EXAMPLE },
      handler: async (app, { params, actor }) =>
        exportView(await getExport(acting(ctx, actor), app, params.exportId)),
    }),
    fileRoute(ctx),
    appRoute({
      ...one,
      method: 'POST',
      path: '/exports/{exportId}/cancel',
      summary: 'Cancel an export that is not done',
      description: 'One that has ended stays as it is.',
      response: ExportAnswer,
      errors: ['not_found'],
      examples: { response: { ...EXPORT_EXAMPLE, state: 'cancelled' } },
      handler: async (app, { params, actor }) =>
        exportView(await cancelExport(acting(ctx, actor), app, params.exportId)),
    }),
    appRoute({
      ...one,
      method: 'DELETE',
      status: 204,
      summary: 'Remove an export and its file',
      errors: ['not_found'],
      handler: (app, { params, actor }) => deleteExport(acting(ctx, actor), app, params.exportId),
    }),
  ]
}

const fileRoute = (ctx: Context): Route =>
  appRoute({
    ...common,
    method: 'GET',
    path: '/exports/{exportId}/file',
    summary: 'Read the file of an export that is done',
    description: 'CSV as RFC 4180 has it. The audit log has every download.',
    params: ExportParams,
    response: Type.String(),
    contentType: 'text/csv; charset=utf-8',
    errors: ['not_found', 'not_possible'],
    handler: async (app, { params, actor, reply }) => {
      const { name, content } = await openFile(acting(ctx, actor), app, params.exportId)
      reply.header('content-disposition', `attachment; filename="${name}"`)
      return content
    },
  })

function scheduleListRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      method: 'POST',
      path: '/export-schedules',
      status: 201,
      summary: 'Export each day, week or month when it has ended',
      body: ScheduleBody,
      response: ScheduleAnswer,
      errors: ['forbidden', 'not_possible'],
      examples: { body: { kind: 'refunds', every: 'month' }, response: SCHEDULE_EXAMPLE },
      handler: async (app, { body, actor }) => {
        const { every, recipients } = body
        refuseUnknown(acting(ctx, actor), app, body.query)
        const wanted = { ...wantedOf(body), every, recipients: recipients ?? [] }
        return scheduleView(await createSchedule(acting(ctx, actor), app, wanted))
      },
    }),
    appRoute({
      ...common,
      method: 'GET',
      path: '/export-schedules',
      summary: 'List the schedules of exports',
      response: Type.Array(ScheduleAnswer),
      examples: { response: [SCHEDULE_EXAMPLE] },
      handler: async (app, { actor }) => (await schedulesOf(acting(ctx, actor), app)).map(scheduleView),
    }),
  ]
}

function scheduleRoutes(ctx: Context): Route[] {
  const one = { ...common, path: '/export-schedules/{scheduleId}', params: ScheduleParams } as const
  return [
    appRoute({
      ...one,
      method: 'PATCH',
      summary: 'Pause or resume a schedule, or change who gets an e-mail',
      body: ScheduleChangeBody,
      response: ScheduleAnswer,
      errors: ['not_found'],
      examples: { body: { isPaused: true }, response: { ...SCHEDULE_EXAMPLE, isPaused: true } },
      handler: async (app, { params, body, actor }) =>
        scheduleView(await changeSchedule(acting(ctx, actor), app, params.scheduleId, body)),
    }),
    appRoute({
      ...one,
      method: 'DELETE',
      status: 204,
      summary: 'Remove a schedule; its exports stay',
      errors: ['not_found'],
      handler: (app, { params, actor }) => removeSchedule(acting(ctx, actor), app, params.scheduleId),
    }),
  ]
}

/** A program must not get a file that ignores part of its query. The list of payments refuses it too. */
function refuseUnknown(ctx: Context, app: App, query: string | null | undefined): void {
  const parts = query ? unknownParts(ctx, app, { q: query }) : []
  if (parts.length === 0) return
  const says = (part: string) => `has a part that is not understood: ${part.slice(0, 80)}`
  throw invalid(parts.map((part) => wrongField('query', says(part))))
}

type WantedBody = Omit<Static<typeof ExportBody>, 'period' | 'from' | 'to' | 'sealingKey'>

const wantedOf = (body: WantedBody): Wanted => ({
  kind: body.kind,
  columns: body.columns ?? undefined,
  filter: body.query ? { q: body.query } : {},
  separator: body.separator === 'semicolon' ? ';' : ',',
  hasMark: body.byteOrderMark ?? true,
})

function spanOf({ period, from, to }: Static<typeof ExportBody>, now: Date, app: App): Span {
  if (!period) {
    if (from && to && from > to) throw invalid([wrongField('to', 'must not be before from')])
    return daySpan({ from: from ?? undefined, to: to ?? undefined }, now, app.timeZone)
  }
  if (from || to) throw invalid([wrongField('period', 'must not be given with from or to')])
  return presetSpan(period, now, app)
}

const fileView = ({ columns, filter, separator, hasMark }: ScheduleSpec) => ({
  columns: [...columns],
  query: filter.q ?? null,
  separator: separator === ';' ? ('semicolon' as const) : ('comma' as const),
  byteOrderMark: hasMark,
})

const exportView = (one: Export): Static<typeof ExportAnswer> => ({
  exportId: one.exportId,
  kind: one.kind,
  state: one.state,
  problem: one.problem,
  rows: one.rowCount,
  bytes: one.fileBytes,
  ...fileView(one.spec),
  from: one.spec.from,
  to: one.spec.to,
  scheduleId: one.scheduleId,
  requestedBy: one.requestedBy,
  createdTime: one.createdTime.toISOString(),
  endedTime: one.endedTime?.toISOString() ?? null,
  removalTime: one.endedTime ? after(one.endedTime, EXPORTS.keptMs).toISOString() : null,
})

const scheduleView = (schedule: Schedule): Static<typeof ScheduleAnswer> => ({
  scheduleId: schedule.scheduleId,
  kind: schedule.kind,
  every: schedule.every,
  ...fileView(schedule.spec),
  recipients: [...schedule.recipients],
  isPaused: schedule.isPaused,
  nextTime: schedule.nextTime.toISOString(),
  createdBy: schedule.createdBy,
  createdTime: schedule.createdTime.toISOString(),
})
