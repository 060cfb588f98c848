import type { Static } from 'typebox'
import { majorNumber } from '../base/money.ts'
import { type App, findProfile } from '../merchants/app.ts'
import { STATES } from '../payments/machine.ts'
import type { FailedCharges } from '../payments/search/search.ts'
import type { Kpi, Overview, SeriesPoint } from './overview.ts'
import type { DashboardAnswer, OverviewAnswer, RejectedAnswer } from './schema.ts'

/** With one decimal; without attempts 0. */
const percent = (part: number | null): number => Math.round((part ?? 0) * 1_000) / 10

const kpiView = (kpi: Kpi) => ({
  approvalRate: percent(kpi.approvalRate),
  capturedCount: kpi.capturedCount,
  totalAttempts: kpi.totalAttempts,
  declinedCount: kpi.declinedCount,
  fraudBlockedCount: kpi.fraudBlockedCount,
})

const providerName = (app: App, profileId: number): string =>
  findProfile(app, profileId)?.provider ?? String(profileId)

export const overviewView = (
  app: App,
  shown: Overview,
  { byRetry, ...charges }: FailedCharges,
): Static<typeof OverviewAnswer> => ({
  from: shown.from.toISOString(),
  to: shown.to.toISOString(),
  granularity: shown.granularity,
  kpi: kpiView(shown.kpi),
  previousKpi: kpiView(shown.previousKpi),
  volumeSeries: shown.series.map((point) => ({
    // The hour, the day or the month.
    label: point.key.slice(-2),
    dateKey: point.key,
    capturedCount: point.captured,
    declinedCount: point.declined,
  })),
  paymentStates: shown.states.map(({ state, count }) => ({ state, count })),
  providerStats: shown.providers.map((sum) => ({
    providerName: providerName(app, sum.profileId),
    currency: sum.currency,
    transactionCount: sum.payments,
    grossVolume: majorNumber(sum.capturedMinor, sum.currency),
    fees: majorNumber(sum.feeMinor, sum.currency),
    approvalRate: percent(sum.approvalRate),
    shareOfVolume: percent(sum.share),
  })),
  currencyStats: shown.currencies.map((sum) => ({
    currency: sum.currency,
    volume: majorNumber(sum.capturedMinor, sum.currency),
    paymentCount: sum.payments,
    fees: majorNumber(sum.feeMinor, sum.currency),
    fraudProtectedAmount: majorNumber(sum.blockedMinor, sum.currency),
  })),
  declinedByCurrency: shown.currencies
    .filter(({ declined }) => declined > 0)
    .map(({ currency, declined, declinedMinor }) => ({
      currency,
      count: declined,
      amount: majorNumber(declinedMinor, currency),
    })),
  fraud: shown.fraud,
  failedCharges: { ...charges, byRetry: [...byRetry] },
})

const dailyView = (series: readonly SeriesPoint[], what: 'created' | 'blocked') =>
  series.map((point) => ({
    dateKey: point.key,
    day: Number(point.key.slice(-2)),
    recordCount: point[what],
  }))

/** The answer for an overview by days. */
export function dashboardView(app: App, shown: Overview): Static<typeof DashboardAnswer> {
  const providers = shown.providers.map((sum) => ({
    ...sum,
    ...{ provider: providerName(app, sum.profileId), paymentProfileId: sum.profileId },
  }))
  return {
    providerIncomes: providers
      .filter(({ captured }) => captured > 0)
      .map(({ provider, paymentProfileId, currency, captured, capturedMinor, refundedMinor }) => ({
        ...{ provider, paymentProfileId, currency, recordCount: captured },
        incomeAmount: majorNumber(capturedMinor - refundedMinor, currency),
      })),
    providerCurrencies: providers.map(({ provider, paymentProfileId, currency, payments, amountMinor }) => ({
      ...{ provider, paymentProfileId, currency, recordCount: payments },
      totalAmount: majorNumber(amountMinor, currency),
    })),
    paymentCurrencies: shown.currencies.map(({ currency, payments, amountMinor }) => ({
      currency,
      totalAmount: majorNumber(amountMinor, currency),
      recordCount: payments,
    })),
    paymentState: shown.states.map(({ state, count }) => ({
      paymentState: state,
      paymentStateId: STATES[state].id,
      recordCount: count,
    })),
    paymentDaily: dailyView(shown.series, 'created'),
  }
}

export const rejectedView = (shown: Overview): Static<typeof RejectedAnswer> => ({
  rejectedDaily: dailyView(shown.series, 'blocked'),
  rejectedCurrencies: shown.currencies
    .filter(({ blocked }) => blocked > 0)
    .map(({ currency, blocked, blockedMinor }) => ({
      currency,
      totalAmount: majorNumber(blockedMinor, currency),
      recordCount: blocked,
    })),
})
