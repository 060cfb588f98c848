import Type from 'typebox'
import { IdInput, Instant, InstantInput } from '../http/wire.ts'
import { STATES } from '../payments/machine.ts'
import { TimeZoneName } from '../payments/search/schema.ts'
import { RETRY_ADVICE } from '../providers/outcome.ts'

/** Without times: the last 30 days. */
const PERIOD = {
  beginTime: Type.Optional(InstantInput),
  endTime: Type.Optional(InstantInput),
  timeZoneName: Type.Optional(TimeZoneName),
}

export const OverviewQuery = Type.Object(PERIOD)
export const DashboardQuery = Type.Object({ ...PERIOD, paymentProfileId: Type.Optional(IdInput) })
export const RejectedQuery = Type.Object(PERIOD)

const count = Type.Integer()
const State = Type.Enum(Object.keys(STATES))
const currency = Type.String()
const share = Type.Number({ description: 'In percent, 0 to 100.' })

const CHARGES = {
  failed: count,
  recovered: Type.Integer({
    description:
      'Followed within 14 days by a captured payment of the same customer: for the same order, or for the ' +
      'same amount where one of them has no order.',
  }),
  forbidden: Type.Integer({ description: 'Refused by network rules: `retry_forbidden`.' }),
}

const KpiAnswer = Type.Object({
  approvalRate: share,
  capturedCount: count,
  totalAttempts: count,
  declinedCount: count,
  fraudBlockedCount: count,
})

export const OverviewAnswer = Type.Object(
  {
    from: Instant,
    to: Instant,
    granularity: Type.Enum(['hour', 'day', 'month']),
    kpi: KpiAnswer,
    previousKpi: KpiAnswer,
    volumeSeries: Type.Array(
      Type.Object({
        label: Type.String(),
        dateKey: Type.String({ description: '`2026-11-15T12`, `2026-11-15` or `2026-11`.' }),
        capturedCount: count,
        declinedCount: count,
      }),
    ),
    paymentStates: Type.Array(Type.Object({ state: State, count })),
    providerStats: Type.Array(
      Type.Object({
        providerName: Type.String(),
        currency,
        transactionCount: count,
        grossVolume: Type.Number({ description: 'Captured.' }),
        fees: Type.Number(),
        approvalRate: share,
        shareOfVolume: share,
      }),
    ),
    currencyStats: Type.Array(
      Type.Object({
        currency,
        volume: Type.Number({ description: 'Captured.' }),
        paymentCount: count,
        fees: Type.Number(),
        fraudProtectedAmount: Type.Number({
          description: 'The sum of payments that a fraud policy rejected.',
        }),
      }),
    ),
    declinedByCurrency: Type.Array(Type.Object({ currency, count, amount: Type.Number() })),
    fraud: Type.Object({ paymentsBlocked: count, customersBlocked: count }),
    failedCharges: Type.Object({
      ...CHARGES,
      isWhole: Type.Boolean({ description: 'False: only the newest 2,000 are counted.' }),
      byRetry: Type.Array(
        Type.Object({
          retry: Type.Enum([...RETRY_ADVICE], { description: 'The `failure.retry` of these.' }),
          ...CHARGES,
        }),
      ),
    }),
  },
  { title: 'PaymentOverview' },
)

const daily = Type.Array(
  Type.Object({
    dateKey: Type.String({ description: '`2026-11-15`' }),
    day: Type.Integer({ description: 'The day of the month.' }),
    recordCount: count,
  }),
)
const sums = Type.Array(Type.Object({ currency, totalAmount: Type.Number(), recordCount: count }))

export const DashboardAnswer = Type.Object(
  {
    providerIncomes: Type.Array(
      Type.Object({
        provider: Type.String(),
        paymentProfileId: Type.Integer(),
        currency,
        recordCount: count,
        incomeAmount: Type.Number({ description: 'Captured less refunded.' }),
      }),
    ),
    providerCurrencies: Type.Array(
      Type.Object({
        provider: Type.String(),
        paymentProfileId: Type.Integer(),
        currency,
        recordCount: count,
        totalAmount: Type.Number(),
      }),
    ),
    paymentCurrencies: sums,
    paymentState: Type.Array(
      Type.Object({ paymentState: State, paymentStateId: Type.Integer(), recordCount: count }),
    ),
    paymentDaily: daily,
  },
  { title: 'PaymentDashboard' },
)

export const RejectedAnswer = Type.Object(
  { rejectedDaily: daily, rejectedCurrencies: sums },
  { title: 'RejectedDashboard' },
)

const KPI_EXAMPLE = {
  approvalRate: 92.7,
  capturedCount: 412,
  totalAttempts: 459,
  declinedCount: 33,
  fraudBlockedCount: 1,
}

export const OVERVIEW_EXAMPLE = {
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-16T00:00:00.000Z',
  granularity: 'day',
  kpi: KPI_EXAMPLE,
  previousKpi: { ...KPI_EXAMPLE, approvalRate: 91.4 },
  volumeSeries: [{ label: '15', dateKey: '2026-11-15', capturedCount: 31, declinedCount: 2 }],
  paymentStates: [{ state: 'Captured', count: 412 }],
  providerStats: [
    {
      providerName: 'stripe',
      currency: 'EUR',
      transactionCount: 459,
      grossVolume: 52_916.8,
      fees: 1_612.04,
      approvalRate: 92.7,
      shareOfVolume: 100,
    },
  ],
  currencyStats: [
    { currency: 'EUR', volume: 52_916.8, paymentCount: 503, fees: 1_612.04, fraudProtectedAmount: 128.4 },
  ],
  declinedByCurrency: [{ currency: 'EUR', count: 33, amount: 4_237.2 }],
  fraud: { paymentsBlocked: 1, customersBlocked: 0 },
  failedCharges: {
    ...{ failed: 4, recovered: 1, forbidden: 1, isWhole: true },
    byRetry: [
      { retry: 'never', failed: 2, recovered: 0, forbidden: 1 },
      { retry: 'later', failed: 2, recovered: 1, forbidden: 0 },
      { retry: 'after-customer-acts', failed: 0, recovered: 0, forbidden: 0 },
      { retry: 'unspecified', failed: 0, recovered: 0, forbidden: 0 },
    ],
  },
} as const

const DAILY_EXAMPLE = [{ dateKey: '2026-11-15', day: 15, recordCount: 31 }]

export const DASHBOARD_EXAMPLE = {
  providerIncomes: [
    { provider: 'stripe', paymentProfileId: 101, currency: 'EUR', recordCount: 412, incomeAmount: 52_788.4 },
  ],
  providerCurrencies: [
    { provider: 'stripe', paymentProfileId: 101, currency: 'EUR', recordCount: 459, totalAmount: 58_935.6 },
  ],
  paymentCurrencies: [{ currency: 'EUR', totalAmount: 64_585.2, recordCount: 503 }],
  paymentState: [{ paymentState: 'Captured', paymentStateId: 7, recordCount: 412 }],
  paymentDaily: DAILY_EXAMPLE,
} as const

export const REJECTED_EXAMPLE = {
  rejectedDaily: [{ dateKey: '2026-11-15', day: 15, recordCount: 1 }],
  rejectedCurrencies: [{ currency: 'EUR', totalAmount: 128.4, recordCount: 1 }],
} as const
