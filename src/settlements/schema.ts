import Type, { type TSchema } from 'typebox'
import { LIMITS } from '../base/limits.ts'
import { IdInput, Instant, InstantInput, name } from '../http/wire.ts'
import { LINE_KINDS } from '../providers/settlement.ts'
import { SETTLEMENTS } from './limits.ts'
import { EXCEPTION_KINDS } from './store/exceptions.ts'

const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

const PageSize = Type.Optional(
  Type.Refine(
    Type.String({ pattern: '^[1-9]\\d{0,2}$', expected: `an integer from 1 to ${LIMITS.pageSize}` }),
    (value) => Number(value) <= LIMITS.pageSize,
  ),
)
const before = (pattern: string) =>
  Type.Optional(
    Type.String({
      pattern,
      expected: 'taken from the link to the next page',
      description: 'Where a page begins; from the `Link` header of the one before.',
    }),
  )
const TIME_CURSOR = '^\\d{1,15}-\\d{1,15}$'
const window = {
  since: Type.Optional(InstantInput),
  until: Type.Optional(InstantInput),
  pageSize: PageSize,
  before: before(TIME_CURSOR),
}

export const LinesQuery = Type.Object({
  kind: Type.Optional(Type.Enum([...LINE_KINDS])),
  match: Type.Optional(Type.Enum(['exact', 'suggested', 'none'])),
  paymentId: Type.Optional(IdInput),
  payoutId: Type.Optional(IdInput),
  paymentProfileId: Type.Optional(IdInput),
  ...window,
})

export const LineAnswer = Type.Object(
  {
    lineId: Type.Integer(),
    paymentProfileId: Type.Integer(),
    providerLineId: Type.String(),
    kind: Type.Enum([...LINE_KINDS]),
    paymentId: nullable(Type.Integer()),
    referenceId: nullable(Type.String(), 'The reference of the payment.'),
    gross: Type.Number({
      description: 'In `currency`, before fees. What is taken from the merchant is negative.',
    }),
    fee: nullable(Type.Number(), 'In `settlementCurrency`. Null: the provider reports none.'),
    net: nullable(Type.Number(), 'In `settlementCurrency`. Null: the provider reports gross amounts only.'),
    currency: Type.String(),
    settlementCurrency: nullable(Type.String()),
    time: Instant,
    payoutId: nullable(Type.Integer()),
    match: Type.Enum(['exact', 'suggested', 'none'], {
      description: '`suggested` is a payment of the same amount and days: it is shown and never counted.',
    }),
  },
  { title: 'SettlementLine' },
)

export const PayoutsQuery = Type.Object({
  paymentProfileId: Type.Optional(IdInput),
  state: Type.Optional(Type.Enum(['pending', 'paid', 'failed'])),
  ...window,
})

const payout = {
  payoutId: Type.Integer(),
  paymentProfileId: Type.Integer(),
  providerPayoutId: Type.String(),
  amount: nullable(Type.Number(), 'Null until the provider has reported the payout itself.'),
  currency: nullable(Type.String()),
  state: Type.Enum(['pending', 'paid', 'failed']),
  time: Instant,
  arrivalTime: nullable(Instant, 'When it is or was on the bank account.'),
  bankReference: nullable(Type.String(), 'What the bank statement says.'),
}

export const PayoutAnswer = Type.Object(payout, { title: 'Payout' })

export const PayoutDetailsAnswer = Type.Object(
  {
    ...payout,
    lines: Type.Array(
      Type.Object({
        kind: Type.Enum([...LINE_KINDS]),
        count: Type.Integer(),
        gross: Type.Number(),
        fee: nullable(Type.Number()),
        net: nullable(Type.Number()),
        currency: Type.String(),
        settlementCurrency: nullable(Type.String()),
      }),
      { description: 'Sums by kind and currency.' },
    ),
    addsUp: nullable(
      Type.Boolean(),
      'Whether the net amounts of its lines are the amount. Null: the provider does not report enough.',
    ),
    difference: nullable(Type.Number(), 'The sum of its lines less its amount.'),
  },
  { title: 'PayoutDetails' },
)

export const PayoutParams = Type.Object({ appId: Type.String(), payoutId: Type.String() })

export const ExceptionsQuery = Type.Object({
  kind: Type.Optional(Type.Enum([...EXCEPTION_KINDS])),
  state: Type.Optional(Type.Enum(['open', 'closed'])),
  paymentId: Type.Optional(IdInput),
  pageSize: PageSize,
  before: before('^(?:open|closed)-\\d{1,15}$'),
})

export const ExceptionAnswer = Type.Object(
  {
    exceptionId: Type.Integer(),
    paymentProfileId: Type.Integer(),
    kind: Type.Enum([...EXCEPTION_KINDS]),
    state: Type.Enum(['open', 'closed']),
    paymentId: nullable(Type.Integer()),
    lineId: nullable(Type.Integer()),
    payoutId: nullable(Type.Integer()),
    about: nullable(Type.Enum(['sale', 'refund', 'dispute', 'return'])),
    currency: nullable(Type.String()),
    expectedAmount: nullable(Type.Number(), 'What Tender expects, signed as lines are.'),
    actualAmount: nullable(Type.Number(), 'What the provider reports.'),
    openedTime: Instant,
    closedTime: nullable(Instant),
    closedBy: nullable(Type.String(), 'Null while it is open, and when it closed by itself.'),
    reason: nullable(Type.String()),
  },
  { title: 'SettlementException' },
)

export const ExceptionParams = Type.Object({ appId: Type.String(), id: Type.String() })
export const CloseBody = Type.Object({
  reason: Type.Refine(
    name(LIMITS.messageLength, { description: 'Why nothing has to be done. Kept in the audit log.' }),
    (value) => value.trim() !== '',
  ),
})

export const ReportQuery = Type.Object({
  paymentProfileId: IdInput,
  fileName: Type.Optional(Type.String({ maxLength: 300, description: 'Shown in the list of reports.' })),
})
export const ReportAnswer = Type.Object(
  {
    reportId: Type.Integer(),
    lines: Type.Integer({ description: 'Lines that were read, also those that were known.' }),
    badRows: Type.Array(Type.Object({ row: Type.String(), problem: Type.String() }), {
      description: 'Rows that could not be read. The other rows count.',
    }),
    isRepeated: Type.Boolean({ description: 'The same file was received before: nothing has changed.' }),
  },
  { title: 'SettlementReport' },
)

export const ReportsQuery = Type.Object({ pageSize: PageSize, before: before('^\\d{1,15}$') })
export const ReportParams = Type.Object({ appId: Type.String(), reportId: Type.String() })

const listedReport = {
  reportId: Type.Integer(),
  paymentProfileId: Type.Integer(),
  source: Type.Enum(['api', 'file'], { description: '`api` is a page that Tender read at the provider.' }),
  fileName: nullable(Type.String()),
  fromTime: nullable(Instant, 'Of its first line.'),
  untilTime: nullable(Instant, 'Of its last line.'),
  receivedTime: Instant,
  lines: Type.Integer({ description: 'Lines that were read, also those that were known.' }),
  badRowCount: Type.Integer({ description: `Rows that could not be read, at most ${SETTLEMENTS.badRows}.` }),
}
export const ListedReportAnswer = Type.Object(listedReport, { title: 'ListedSettlementReport' })
export const ReportDetailsAnswer = Type.Object(
  {
    ...listedReport,
    badRows: Type.Array(Type.Object({ row: Type.String(), problem: Type.String() })),
  },
  { title: 'SettlementReportDetails' },
)

export const SourceParams = Type.Object({ appId: Type.String(), paymentProfileId: Type.String() })
export const SourceBody = Type.Object({
  isActive: Type.Boolean({ description: "Whether the provider's API is read." }),
})
export const SourceAnswer = Type.Object(
  {
    paymentProfileId: Type.Integer(),
    isActive: Type.Boolean(),
    canRead: Type.Boolean({ description: "The provider's API can be read. Files can come for any profile." }),
    beginTime: nullable(Instant, 'What was captured before is not missed.'),
    readUntil: nullable(Instant),
    lastReadTime: nullable(Instant),
    problem: nullable(
      Type.Object({ code: Type.String(), message: Type.Optional(Type.String()) }),
      'Why the last read failed. It is tried again.',
    ),
  },
  { title: 'SettlementSource' },
)

const LINE_EXAMPLE = {
  lineId: 412,
  paymentProfileId: 3,
  providerLineId: 'txn_1Q0c7pLkdIwHu7ix',
  kind: 'sale',
  paymentId: 10001,
  referenceId: 'INV-2041',
  gross: 128.4,
  fee: 2.18,
  net: 126.22,
  currency: 'EUR',
  settlementCurrency: 'EUR',
  time: '2026-11-15T12:00:00.000Z',
  payoutId: 17,
  match: 'exact',
} as const

const PAYOUT_EXAMPLE = {
  payoutId: 17,
  paymentProfileId: 3,
  providerPayoutId: 'po_1Q1d2mLkdIwHu7ix',
  amount: 126.22,
  currency: 'EUR',
  state: 'paid',
  time: '2026-11-17T00:00:00.000Z',
  arrivalTime: '2026-11-18T00:00:00.000Z',
  bankReference: 'STRIPE A1B2C3',
} as const

const EXCEPTION_EXAMPLE = {
  exceptionId: 5,
  paymentProfileId: 3,
  kind: 'amount',
  state: 'open',
  paymentId: 10001,
  lineId: null,
  payoutId: null,
  about: 'sale',
  currency: 'EUR',
  expectedAmount: 128.4,
  actualAmount: 118.4,
  openedTime: '2026-11-16T06:00:00.000Z',
  closedTime: null,
  closedBy: null,
  reason: null,
} as const

const REPORT_EXAMPLE = {
  reportId: 9,
  paymentProfileId: 3,
  source: 'file',
  fileName: 'november.csv',
  fromTime: '2026-11-01T08:12:00.000Z',
  untilTime: '2026-11-15T12:00:00.000Z',
  receivedTime: '2026-11-16T06:00:00.000Z',
  lines: 412,
  badRowCount: 1,
} as const

export const EXAMPLES = {
  lines: [LINE_EXAMPLE],
  payouts: [PAYOUT_EXAMPLE],
  payout: {
    ...PAYOUT_EXAMPLE,
    lines: [
      {
        kind: 'sale',
        count: 1,
        gross: 128.4,
        fee: 2.18,
        net: 126.22,
        currency: 'EUR',
        settlementCurrency: 'EUR',
      },
    ],
    addsUp: true,
    difference: 0,
  },
  exceptions: [EXCEPTION_EXAMPLE],
  closed: {
    ...EXCEPTION_EXAMPLE,
    state: 'closed',
    closedTime: '2026-11-16T09:30:00.000Z',
    closedBy: 'dana@example.com',
    reason: 'The provider gave a discount.',
  },
  accepted: {
    ...EXCEPTION_EXAMPLE,
    kind: 'unknown',
    state: 'closed',
    paymentId: null,
    lineId: 412,
    about: null,
    expectedAmount: null,
    closedTime: '2026-11-16T09:30:00.000Z',
  },
  report: { reportId: 9, lines: 2, badRows: [], isRepeated: false },
  reports: [REPORT_EXAMPLE],
  reportDetails: {
    ...REPORT_EXAMPLE,
    badRows: [{ row: '17', problem: 'The currency is not an ISO 4217 code.' }],
  },
  source: {
    paymentProfileId: 3,
    isActive: true,
    canRead: true,
    beginTime: '2026-11-01T00:00:00.000Z',
    readUntil: '2026-11-16T06:00:00.000Z',
    lastReadTime: '2026-11-16T06:00:00.000Z',
    problem: null,
  },
} as const
