import Type, { type Static } from 'typebox'
import { invalid, wrongField } from '../base/errors.ts'
import { majorNumber } from '../base/money.ts'
import { dayEnd, midnightOf } from '../base/time/zone.ts'
import { acting, type Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import type { App } from '../merchants/app.ts'
import { appRoute } from '../merchants/app-route.ts'
import { hledgerName } from './accounts.ts'
import { type Balances, balancesAt, closeMonth, monthsOf, noteExport, updateLedger } from './commands.ts'
import { type DayRange, journalText, settlementsText, streamed } from './export.ts'
import { type Fees, feesOf } from './fees.ts'
import { FORMATS } from './formats.ts'
import type { ClosedMonth } from './read-store.ts'
import {
  BALANCES_EXAMPLE,
  BalancesAnswer,
  BalancesQuery,
  FEES_EXAMPLE,
  FeesAnswer,
  FeesQuery,
  FIRST_DAY,
  JournalQuery,
  LAST_DAY,
  MONTH_EXAMPLE,
  MonthAnswer,
  MonthParams,
  SettlementsQuery,
} from './schema.ts'

const common = { tag: 'Ledger', status: 200 } as const

export const ledgerRoutes = (ctx: Context): Route[] => [
  appRoute({
    ...common,
    method: 'GET',
    path: '/ledger/balances',
    list: true,
    summary: 'The balance of each account of the ledger at the end of a day',
    description:
      'Amounts of different currencies are never added. Empty until a provider profile of the app has ' +
      'settlements.',
    query: BalancesQuery,
    response: BalancesAnswer,
    examples: { response: BALANCES_EXAMPLE },
    handler: async (app, { query }) => balancesView(await balancesAt(ctx, app, query.date)),
  }),
  feesRoute(ctx),
  journalRoute(ctx),
  settlementsRoute(ctx),
  appRoute({
    ...common,
    method: 'GET',
    path: '/ledger/months',
    summary: 'The months that are closed',
    description: 'All months before a closed one are closed too.',
    response: Type.Array(MonthAnswer),
    examples: { response: [MONTH_EXAMPLE] },
    handler: async (app) => (await monthsOf(ctx, app)).map(monthView),
  }),
  appRoute({
    ...common,
    method: 'POST',
    path: '/ledger/months/{month}/close',
    summary: 'Close a month of the ledger for good',
    description:
      'Nothing more is booked in it or before it: what comes later is booked on the first day after it and ' +
      'names the month. A month can be closed when it has ended. Closing it again changes nothing.',
    params: MonthParams,
    response: MonthAnswer,
    errors: ['not_found', 'not_possible', 'invalid_request'],
    examples: { response: MONTH_EXAMPLE },
    handler: async (app, { params, actor }) =>
      monthView(await closeMonth(acting(ctx, actor), app, params.month)),
  }),
]

const feesRoute = (ctx: Context): Route =>
  appRoute({
    ...common,
    method: 'GET',
    path: '/ledger/fees',
    list: true,
    summary: 'What settlements cost, by provider profile, method, country or month',
    description:
      'Fees of the booking days from `from` to `to`, as the ledger has them, and the sales of the same ' +
      'lines. Both are in the currency of the balance at the provider. Amounts of different currencies are ' +
      'never added.',
    query: FeesQuery,
    response: FeesAnswer,
    errors: ['invalid_request'],
    examples: { response: FEES_EXAMPLE },
    handler: async (app, { query }) =>
      feesView(await feesOf(ctx, app, { by: query.by ?? 'provider', ...rangeOf(query) })),
  })

function journalRoute(ctx: Context): Route {
  return appRoute({
    ...common,
    method: 'GET',
    path: '/ledger/journal',
    summary: 'Export the journal for a spreadsheet, hledger or beancount',
    description:
      'Entries in the order of their booking days. The same entries are the same bytes each time. The ' +
      'audit log has every export.',
    query: JournalQuery,
    response: Type.String(),
    contentType: FORMATS.csv.contentType,
    otherContentTypes: [FORMATS.hledger.contentType],
    list: 'export',
    handler: async (app, { query, actor, reply }) => {
      const { format = 'csv' } = query
      const range = rangeOf(query)
      await updateLedger(ctx, app)
      const { contentType, extension } = FORMATS[format]
      await noteExport(acting(ctx, actor), app, { what: 'journal', format, ...range })
      reply.header('content-type', contentType)
      reply.header('content-disposition', `attachment; filename="journal.${extension}"`)
      return streamed(journalText(ctx, app, range, format))
    },
  })
}

function settlementsRoute(ctx: Context): Route {
  return appRoute({
    ...common,
    method: 'GET',
    path: '/ledger/settlements',
    summary: 'Export the settlement lines of all providers as one CSV',
    description: 'By the time of the lines, oldest first. The audit log has every export.',
    query: SettlementsQuery,
    response: Type.String(),
    contentType: FORMATS.csv.contentType,
    list: 'export',
    handler: async (app, { query, actor, reply }) => {
      const range = rangeOf(query)
      await noteExport(acting(ctx, actor), app, { what: 'settlements', format: 'csv', ...range })
      reply.header('content-disposition', 'attachment; filename="settlements.csv"')
      return streamed(settlementsText(ctx, app, instantsOf(app, range)))
    },
  })
}

function rangeOf({ from = FIRST_DAY, to = LAST_DAY }: Static<typeof SettlementsQuery>): DayRange {
  if (from > to) throw invalid([wrongField('to', 'must not be before from')])
  return { from, to }
}

function instantsOf({ timeZone }: App, { from, to }: DayRange) {
  const [begin, last] = [from, to].map((day) => midnightOf(day, timeZone) ?? new Date(0))
  return { from: begin ?? new Date(0), to: dayEnd(last ?? new Date(0), timeZone) }
}

const balancesView = ({ date, isComplete, accounts }: Balances): Static<typeof BalancesAnswer> => ({
  date,
  isComplete,
  balances: accounts.map((sum) => ({
    account: sum.account,
    paymentProfileId: sum.profileId,
    currency: sum.currency,
    balance: majorNumber(sum.balanceMinor, sum.currency),
    name: hledgerName(sum),
  })),
})

const feesView = ({ fees, ...rest }: Fees): Static<typeof FeesAnswer> => ({
  ...rest,
  fees: fees.map(({ name, currency, feeMinor, grossMinor, rate }) => ({
    name: name === '' ? null : name,
    currency,
    fees: majorNumber(feeMinor, currency),
    gross: majorNumber(grossMinor, currency),
    // Two decimals, like the fees in contracts.
    effectiveRate: rate === null ? null : Math.round(rate * 10_000) / 100,
  })),
})

const monthView = ({ month, closedTime }: ClosedMonth): Static<typeof MonthAnswer> => ({
  month,
  closedTime: closedTime.toISOString(),
})
