import { invalid } from '../base/errors.ts'
import { expected } from '../base/mistakes.ts'
import { isTimeZone } from '../base/time/zone.ts'
import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import { STATES, type State } from '../payments/machine.ts'
import { flushSearch } from '../payments/search/writing/writer.ts'
import { type CountrySum, selectCountries } from './countries-store.ts'
import { type PageViewSum, selectPageViews } from './page-views-store.ts'
import {
  checkPeriod,
  daysOf,
  type Granularity,
  granularityOf,
  type Period,
  piecesOf,
  previousOf,
  quartersOf,
  type Slot,
  slotsOf,
} from './period.ts'
import { type MoneyShare, type NamedSum, sharesOf } from './shares.ts'
import {
  hasPayments,
  queuedBuckets,
  type Sum,
  type SumQuery,
  selectLatencies,
  selectSums,
} from './sums-store.ts'

/** Payments created in a period, by how they stand now. */
export interface Kpi {
  /** Payments that were approved, declined or blocked by a fraud policy. */
  readonly totalAttempts: number
  readonly capturedCount: number
  /** Captured or authorised. */
  readonly approvedCount: number
  readonly declinedCount: number
  readonly fraudBlockedCount: number
  readonly heldCount: number
  /** In whole or in part. */
  readonly refundedCount: number
  /** In an open dispute. */
  readonly disputedCount: number
  /** Approved ÷ attempts, 0 to 1; null without attempts. */
  readonly approvalRate: number | null
}

/** The query of the list that has exactly the payments of a count, beside the period. */
export const LISTED_BY = {
  capturedCount: 'state:paid',
  approvedCount: 'state:accepted',
  declinedCount: 'state:declined',
  fraudBlockedCount: 'state:blocked',
  heldCount: 'state:held',
  refundedCount: 'state:refunded,part-refunded',
  disputedCount: 'state:disputed',
} as const satisfies Partial<Record<keyof Kpi, string>>

export interface Overview extends Period {
  readonly granularity: Granularity
  readonly timeZone: string
  /** No payment was ever created in this app. */
  readonly isEmpty: boolean
  readonly kpi: Kpi
  /** The period of the same length before. */
  readonly previousKpi: Kpi
  /** Without gaps. `key` is `2026-11-15T12`, `2026-11-15` or `2026-11`, in the time zone. */
  readonly series: readonly SeriesPoint[]
  /** The period before, place by place. */
  readonly previousSeries: readonly SeriesPoint[]
  readonly states: readonly { readonly state: State; readonly count: number }[]
  /** Never converted. Most payments first. */
  readonly currencies: readonly CurrencySum[]
  readonly providers: readonly ProviderSum[]
  /** 95th percentile of calls that needed neither the payer nor a retry. */
  readonly latencies: readonly { readonly profileId: number; readonly p95Ms: number }[]
  /** Why payments were declined, the most frequent first. */
  readonly reasons: readonly ReasonCount[]
  /** What was captured, by profile, method and country. */
  readonly shares: Readonly<Record<'profiles' | 'methods' | 'countries', readonly MoneyShare[]>>
  readonly funnel: Funnel
  readonly fraud: { readonly paymentsBlocked: number; readonly customersBlocked: number }
}

export interface SeriesPoint {
  readonly key: string
  readonly startTime: Date
  readonly created: number
  readonly captured: number
  readonly declined: number
  readonly blocked: number
  /** Currencies without a payment are absent. */
  readonly money: readonly SeriesMoney[]
}

interface SeriesMoney {
  readonly currency: string
  readonly capturedMinor: bigint
  /** Captured − refunded − fees − disputed. */
  readonly netMinor: bigint
}

interface CurrencySum {
  readonly currency: string
  readonly payments: number
  readonly captured: number
  readonly amountMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly feeMinor: bigint
  /** What open disputes may take. */
  readonly disputedMinor: bigint
  /** Captured − refunded − fees − disputed. It may be negative. */
  readonly netMinor: bigint
  readonly declined: number
  readonly declinedMinor: bigint
  readonly blocked: number
  readonly blockedMinor: bigint
}

interface ProviderSum {
  readonly profileId: number
  readonly currency: string
  readonly payments: number
  readonly captured: number
  readonly amountMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly feeMinor: bigint
  /** Payments that were approved, declined or blocked, and those that were approved. */
  readonly attempts: number
  readonly approved: number
  readonly approvalRate: number | null
  /** The share of the captured money of this currency, 0 to 1. */
  readonly share: number
}

interface ReasonCount {
  readonly reason: string
  readonly count: number
  /** In the period before. */
  readonly previous: number
}

export interface OverviewOptions extends Period {
  /** An IANA zone, in which days begin. Default: UTC. */
  readonly timeZone?: string | undefined
  readonly profileId?: number | undefined
  readonly granularity?: Granularity | undefined
}

/** Figures of an app for a period, from the rollups and the payments since. */
export async function overview(ctx: Context, app: App, wanted: OverviewOptions): Promise<Overview> {
  checkPeriod(wanted)
  const { from, to, timeZone = 'UTC', profileId, granularity = granularityOf(wanted) } = wanted
  if (!isTimeZone(timeZone)) throw invalid([expected('timeZoneName', 'timeZone')])
  await flushSearch(ctx, app.appId)
  const previous = { ...previousOf(wanted), profileId }
  const cut = { granularity, timeZone }
  const slots = slotsOf(wanted, granularity, timeZone, app.monthStartsOn)
  const slotsBefore = slotsOf(previous, granularity, timeZone, app.monthStartsOn)
  const [query, queryBefore] = await Promise.all([
    queryOf(ctx, app, wanted, slots),
    queryOf(ctx, app, previous, slotsBefore),
  ])
  const [now, before, visits, latencies, isUsed] = await Promise.all([
    readSums(ctx, app, query, slots),
    readSums(ctx, app, queryBefore, slotsBefore),
    selectPageViews(ctx.db, app.appId, query),
    selectLatencies(ctx.db, app.appId, quartersOf(wanted)),
    hasPayments(ctx.db, app.appId),
  ])
  const { sums, money } = now
  const kpi = kpiOf(sums)
  return {
    ...{ from, to, ...cut, isEmpty: !isUsed, kpi, previousKpi: kpiOf(before.sums) },
    ...{ series: now.series, previousSeries: before.series },
    states: statesOf(sums),
    currencies: currenciesOf(money),
    providers: providersOf(money),
    latencies: [...latencies].map(([profile, p95Ms]) => ({ profileId: profile, p95Ms })),
    reasons: reasonsOf(sums, before.sums),
    shares: {
      profiles: sharesOf(paidBy(money, profileOf), paidBy(before.money, profileOf)),
      methods: sharesOf(paidBy(now.methods, methodOf), paidBy(before.methods, methodOf)),
      countries: sharesOf(now.countries.map(countryOf), before.countries.map(countryOf)),
    },
    funnel: funnelOf(sums, visits),
    fraud: { paymentsBlocked: kpi.fraudBlockedCount, customersBlocked: total(money, 'customersBlocked') },
  }
}

const profileOf = ({ profileId }: Sum): string => String(profileId)
const methodOf = ({ method }: Sum): string => method
const countryOf = ({ country: name, ...sum }: CountrySum): NamedSum => ({ ...sum, name })

/** The captured payments among sums, by name. */
const paidBy = (sums: readonly Sum[], nameOf: (sum: Sum) => string): NamedSum[] =>
  sums.filter(({ outcome }) => outcome === 'paid').map((sum) => ({ ...sum, name: nameOf(sum) }))

/** The sums of a period, which the previous one has too. */
async function readSums({ db }: Context, { appId }: App, query: SumQuery, slots: readonly Slot[]) {
  const starts = slots.map(({ startTime }) => startTime)
  const [sums, countries] = await Promise.all([
    selectSums(db, appId, query, starts),
    selectCountries(db, appId, query),
  ])
  const only = (of: Sum['of']) => sums.filter((sum) => sum.of === of)
  return {
    sums,
    countries,
    money: only('money'),
    methods: only('method'),
    series: seriesOf(only('series'), slots),
  }
}

async function queryOf(
  { db }: Context,
  { appId }: App,
  { profileId, ...period }: Period & { readonly profileId?: number | undefined },
  slots: readonly Slot[],
): Promise<SumQuery> {
  const queued = await queuedBuckets(db, appId, quartersOf(period))
  const pieces = piecesOf(period, queued)
  const { from: begin, to: end } = pieces
  // Days are not kept by profile.
  const whole = { days: [], quarters: [{ begin, end }], moves: [] }
  return { ...pieces, ...(profileId === undefined ? daysOf(pieces, slots) : whole), profileId }
}

type Count = 'payments' | 'refunded' | 'customersBlocked'
const total = <What extends Count>(sums: readonly Pick<Sum, What>[], what: What): number =>
  sums.reduce((sum, each) => sum + each[what], 0)

const countOf = (sums: readonly Pick<Sum, 'outcome' | 'payments'>[], ...outcomes: Sum['outcome'][]): number =>
  total(
    sums.filter(({ outcome }) => outcomes.includes(outcome)),
    'payments',
  )

type Money = 'amountMinor' | 'capturedMinor' | 'refundedMinor' | 'feeMinor' | 'disputedMinor'
const moneyOf = (sums: readonly Sum[], what: Money, outcome?: Sum['outcome']): bigint =>
  sums.reduce((sum, each) => (outcome && each.outcome !== outcome ? sum : sum + each[what]), 0n)

/** A lost dispute is among what was refunded. */
const netOf = (sums: readonly Sum[]): bigint =>
  moneyOf(sums, 'capturedMinor') -
  moneyOf(sums, 'refundedMinor') -
  moneyOf(sums, 'feeMinor') -
  moneyOf(sums, 'disputedMinor')

function approvalOf(sums: readonly Pick<Sum, 'outcome' | 'payments'>[]) {
  const approved = countOf(sums, 'paid', 'approved')
  const attempts = approved + countOf(sums, 'declined', 'blocked')
  return { approved, attempts, approvalRate: attempts === 0 ? null : approved / attempts }
}

function kpiOf(sums: readonly Sum[]): Kpi {
  const states = sums.filter((sum) => sum.of === 'state')
  const { approved, attempts, approvalRate } = approvalOf(states)
  return {
    totalAttempts: attempts,
    capturedCount: countOf(states, 'paid'),
    approvedCount: approved,
    declinedCount: countOf(states, 'declined'),
    fraudBlockedCount: countOf(states, 'blocked'),
    heldCount: total(
      states.filter(({ state }) => STATES[state].kind === 'held'),
      'payments',
    ),
    refundedCount: total(states, 'refunded'),
    disputedCount: total(
      states.filter(({ state }) => state === 'Disputed'),
      'payments',
    ),
    approvalRate,
  }
}

function seriesOf(series: readonly Sum[], slots: readonly Slot[]): SeriesPoint[] {
  return slots.map(({ key, startTime }, place) => {
    const here = series.filter(({ slot }) => slot === place)
    return {
      ...{ key, startTime, created: total(here, 'payments') },
      captured: countOf(here, 'paid'),
      declined: countOf(here, 'declined'),
      blocked: countOf(here, 'blocked'),
      money: grouped(here, ({ currency }) => currency).map(([currency, each]) => ({
        currency,
        capturedMinor: moneyOf(each, 'capturedMinor'),
        netMinor: netOf(each),
      })),
    }
  })
}

function grouped<Key>(sums: readonly Sum[], keyOf: (sum: Sum) => Key): [Key, Sum[]][] {
  const groups = new Map<Key, Sum[]>()
  for (const sum of sums) groups.set(keyOf(sum), [...(groups.get(keyOf(sum)) ?? []), sum])
  return [...groups]
}

const mostFirst = <T extends { readonly payments: number }>(items: T[]): T[] =>
  items.sort((a, b) => b.payments - a.payments)

const statesOf = (sums: readonly Sum[]): Overview['states'] =>
  grouped(
    sums.filter((sum) => sum.of === 'state'),
    ({ state }) => state,
  )
    .map(([state, each]) => ({ state, count: total(each, 'payments') }))
    .sort((a, b) => b.count - a.count)

const currenciesOf = (money: readonly Sum[]): CurrencySum[] =>
  mostFirst(
    grouped(money, ({ currency }) => currency).map(([currency, sums]) => ({
      currency,
      payments: total(sums, 'payments'),
      captured: countOf(sums, 'paid'),
      amountMinor: moneyOf(sums, 'amountMinor'),
      capturedMinor: moneyOf(sums, 'capturedMinor'),
      refundedMinor: moneyOf(sums, 'refundedMinor'),
      feeMinor: moneyOf(sums, 'feeMinor'),
      disputedMinor: moneyOf(sums, 'disputedMinor'),
      netMinor: netOf(sums),
      declined: countOf(sums, 'declined'),
      declinedMinor: moneyOf(sums, 'amountMinor', 'declined'),
      blocked: countOf(sums, 'blocked'),
      blockedMinor: moneyOf(sums, 'amountMinor', 'blocked'),
    })),
  )

function providersOf(money: readonly Sum[]): ProviderSum[] {
  const tried = money.filter(({ profileId }) => profileId !== 0)
  const groups = grouped(tried, ({ profileId, currency }) => `${profileId} ${currency}`)
  const providers = groups.flatMap(([, sums]) => {
    const [first] = sums
    if (!first) return []
    const { profileId, currency } = first
    const capturedMinor = moneyOf(sums, 'capturedMinor')
    const all = moneyOf(
      money.filter((sum) => sum.currency === currency),
      'capturedMinor',
    )
    return {
      ...{ profileId, currency, capturedMinor },
      payments: total(sums, 'payments'),
      captured: countOf(sums, 'paid'),
      amountMinor: moneyOf(sums, 'amountMinor'),
      refundedMinor: moneyOf(sums, 'refundedMinor'),
      feeMinor: moneyOf(sums, 'feeMinor'),
      ...approvalOf(sums),
      share: all === 0n ? 0 : Number(capturedMinor) / Number(all),
    }
  })
  return mostFirst(providers)
}

/** Reasons are few: the decline reasons of the port and the failure codes. */
function reasonsOf(sums: readonly Sum[], before: readonly Sum[]): ReasonCount[] {
  const declined = (all: readonly Sum[]) =>
    all.filter(({ of, outcome, reason }) => of === 'reason' && outcome === 'declined' && reason !== '')
  const earlier = new Map(declined(before).map(({ reason, payments }) => [reason, payments]))
  return declined(sums)
    .map(({ reason, payments }) => ({ reason, count: payments, previous: earlier.get(reason) ?? 0 }))
    .sort((a, b) => b.count - a.count)
}

/** Payments of the hosted page, by how far their payers came. The other flows have no page of ours. */
interface Funnel {
  readonly created: number
  readonly opened: number
  /** A method was chosen. */
  readonly method: number
  readonly submitted: number
  readonly paid: number
}

function funnelOf(sums: readonly Sum[], { opened, chosen }: PageViewSum): Funnel {
  const hosted = sums.filter(({ of, flow }) => of === 'flow' && flow === 'HostedPage')
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)
  return {
    created: total(hosted.map(({ payments }) => payments)),
    opened,
    method: chosen,
    submitted: total(hosted.map(({ submitted }) => submitted)),
    paid: total(hosted.map(({ outcome, payments }) => (outcome === 'paid' ? payments : 0))),
  }
}
