import Type from 'typebox'
import { LIMITS } from '../base/limits.ts'
import { parseInstant } from '../base/time/instant.ts'
import { Instant, maybe, name, text } from '../http/wire.ts'
import { KIND_NAMES } from './kinds.ts'
import { EXPORTS } from './limits.ts'
import { PERIODS, PRESETS } from './periods.ts'

/** More than any kind has. */
const MOST_COLUMNS = 60
const QUERY_LENGTH = 500

const day = (description: string) =>
  maybe(
    Type.Refine(
      Type.String({ maxLength: 10, expected: 'a day, such as 2026-11-18', description }),
      (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && parseInstant(`${value}T00:00:00Z`) !== undefined,
    ),
  )

const Kind = Type.Enum([...KIND_NAMES], { description: 'What the file has rows of.' })

const wanted = {
  kind: Kind,
  columns: maybe(
    Type.Array(name(LIMITS.nameLength), { maxItems: MOST_COLUMNS }),
    'Names of columns in their order. Default: the usual ones of the kind.',
  ),
  query: maybe(
    text(QUERY_LENGTH, { description: 'Of payments: the same words as in the search of the list.' }),
  ),
  separator: maybe(
    Type.Enum(['comma', 'semicolon']),
    'Between cells. With semicolons, amounts have a decimal comma. Default: comma.',
  ),
  byteOrderMark: maybe(
    Type.Boolean(),
    'Whether the file begins with the mark by which spreadsheets recognise UTF-8. Default: true.',
  ),
}

export const ExportBody = Type.Object({
  ...wanted,
  sealingKey: maybe(
    text(LIMITS.nameLength, {
      description: 'Of `everything`: 32 bytes in hexadecimal. Tokens are sealed with it; it is not kept.',
    }),
  ),
  period: maybe(Type.Enum([...PRESETS]), "A period of the app's time zone, instead of `from` and `to`."),
  from: day("The first day of the period, in the app's time zone. Default: the first of all."),
  to: day('The last day of the period. Default: until now.'),
})

export const ScheduleBody = Type.Object({
  ...wanted,
  every: Type.Enum([...PERIODS], {
    description: "A day, week or month of the app's time zone is exported when it has ended.",
  }),
  recipients: maybe(
    Type.Array(name(LIMITS.nameLength), { maxItems: EXPORTS.recipients }),
    'Ids of members who get an e-mail with a link to the exports.',
  ),
})

export const ScheduleChangeBody = Type.Object({
  isPaused: Type.Optional(Type.Boolean({ description: 'Periods that end during a pause are not exported.' })),
  recipients: Type.Optional(Type.Array(name(LIMITS.nameLength), { maxItems: EXPORTS.recipients })),
})

export const ExportParams = Type.Object({ exportId: Type.String({ maxLength: 40 }) })
export const ScheduleParams = Type.Object({ scheduleId: Type.String({ maxLength: 40 }) })

const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const file = {
  columns: Type.Array(Type.String()),
  query: nullable(Type.String(), 'Of payments.'),
  separator: Type.Enum(['comma', 'semicolon']),
  byteOrderMark: Type.Boolean(),
}

const By = Type.Object({
  kind: Type.Enum(['person', 'key', 'operator', 'service']),
  id: Type.String(),
  name: Type.String(),
})

export const ExportAnswer = Type.Object(
  {
    exportId: Type.String(),
    kind: Kind,
    state: Type.Enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
    problem: nullable(
      Type.Enum(['too-many-rows', 'no-space', 'internal']),
      'Why it failed: choose a shorter period, remove exports, or try again.',
    ),
    rows: Type.Integer({ description: 'Rows that are in the file so far.' }),
    bytes: Type.Integer({ description: 'Of the file so far.' }),
    ...file,
    from: nullable(Type.String(), 'The beginning of the period, ISO 8601. Null: the first of all.'),
    to: Type.String({ description: 'The end of the period, which is not part of it, ISO 8601.' }),
    scheduleId: nullable(Type.String(), 'The schedule that asked for it.'),
    requestedBy: By,
    createdTime: Instant,
    endedTime: nullable(Type.String(), 'When it ended, ISO 8601.'),
    removalTime: nullable(Type.String(), 'When the file is removed, ISO 8601.'),
  },
  { title: 'Export' },
)

export const ScheduleAnswer = Type.Object(
  {
    scheduleId: Type.String(),
    kind: Kind,
    every: Type.Enum([...PERIODS]),
    ...file,
    recipients: Type.Array(Type.String()),
    isPaused: Type.Boolean(),
    nextTime: Instant,
    createdBy: By,
    createdTime: Instant,
  },
  { title: 'ExportSchedule' },
)

const BY = { kind: 'key', id: 'key_1', name: 'Accounting' } as const
const FILE = {
  columns: ['refundId', 'paymentId', 'createdTime', 'state', 'amount', 'currency'],
  query: null,
  separator: 'comma',
  byteOrderMark: true,
} as const

export const EXPORT_EXAMPLE = {
  exportId: 'exp_4m1x8q0t7v2c9b3n6k5h',
  kind: 'refunds',
  state: 'done',
  problem: null,
  rows: 218,
  bytes: 20_412,
  ...FILE,
  from: '2026-10-01T00:00:00.000Z',
  to: '2026-11-01T00:00:00.000Z',
  scheduleId: null,
  requestedBy: BY,
  createdTime: '2026-11-18T09:00:00.000Z',
  endedTime: '2026-11-18T09:00:00.412Z',
  removalTime: '2026-11-25T09:00:00.412Z',
}

export const SCHEDULE_EXAMPLE = {
  scheduleId: 'sch_7v2c9b3n6k5h4m1x',
  kind: 'refunds',
  every: 'month',
  ...FILE,
  recipients: [],
  isPaused: false,
  nextTime: '2026-12-01T00:00:00.000Z',
  createdBy: BY,
  createdTime: '2026-11-18T09:00:00.000Z',
}
