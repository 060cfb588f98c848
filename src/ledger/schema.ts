import Type from 'typebox'
import { parseInstant } from '../base/time/instant.ts'
import { Instant } from '../http/wire.ts'
import { FEES_BY } from './fees-store.ts'
import { FORMATS } from './formats.ts'
import { ACCOUNTS } from './rules.ts'

/** Days of payments and reports are between these. */
export const FIRST_DAY = '1970-01-01'
export const LAST_DAY = '2999-12-31'

const day = (description: string) =>
  Type.Optional(
    Type.Refine(
      Type.String({ maxLength: 10, expected: 'a day, such as 2026-11-18', description }),
      (text) =>
        /^\d{4}-\d{2}-\d{2}$/.test(text) &&
        text >= FIRST_DAY &&
        text <= LAST_DAY &&
        parseInstant(`${text}T00:00:00Z`) !== undefined,
    ),
  )

export const BalancesQuery = Type.Object({
  date: day("The balances at the end of this day of the app's time zone. Default: today."),
})

export const BalancesAnswer = Type.Object(
  {
    date: Type.String({ description: '`2026-11-18`' }),
    isComplete: Type.Boolean({
      description: 'False while there is so much to book that it goes on after the answer.',
    }),
    balances: Type.Array(
      Type.Object({
        account: Type.Enum([...ACCOUNTS]),
        paymentProfileId: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Null: the account is of the whole app.',
        }),
        currency: Type.String(),
        balance: Type.Number({ description: 'Debits less credits: sales are negative.' }),
        name: Type.String({ description: 'The account in the journal for hledger.' }),
      }),
    ),
  },
  { title: 'LedgerBalances' },
)

export const BALANCES_EXAMPLE = {
  date: '2026-10-31',
  isComplete: true,
  balances: [
    {
      account: 'clearing',
      paymentProfileId: 3,
      currency: 'EUR',
      balance: 1204.5,
      name: 'assets:clearing:3:EUR',
    },
    {
      account: 'sales',
      paymentProfileId: null,
      currency: 'EUR',
      balance: -25300,
      name: 'income:sales',
    },
  ],
}

const RANGE = {
  from: day("From this day of the app's time zone. Default: the first."),
  to: day('To the end of this day. Default: the last.'),
}

export const JournalQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(Object.keys(FORMATS) as (keyof typeof FORMATS)[], { description: 'Default: csv.' }),
  ),
  ...RANGE,
})

export const SettlementsQuery = Type.Object(RANGE)

export const FeesQuery = Type.Object({
  by: Type.Optional(Type.Enum([...FEES_BY], { description: 'Default: provider.' })),
  ...RANGE,
})

export const FeesAnswer = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    by: Type.Enum([...FEES_BY]),
    isComplete: Type.Boolean({
      description: 'False while there is so much to book that it goes on after the answer.',
    }),
    fees: Type.Array(
      Type.Object({
        name: Type.Union([Type.String(), Type.Null()], {
          description:
            'The id of the provider profile, the method, the country or the month (`2026-10`). Null: the ' +
            'lines have no payment, or its country is unknown.',
        }),
        currency: Type.String(),
        fees: Type.Number({ description: 'Fees less those that were given back.' }),
        gross: Type.Number({ description: 'Sales of the lines.' }),
        effectiveRate: Type.Union([Type.Number(), Type.Null()], {
          description: 'Fees ÷ gross, in percent with two decimals. Null without sales.',
        }),
      }),
    ),
  },
  { title: 'LedgerFees' },
)

export const FEES_EXAMPLE = {
  from: '2026-10-01',
  to: '2026-10-31',
  by: 'method',
  isComplete: true,
  fees: [
    { name: 'CreditCard', currency: 'EUR', fees: 412.08, gross: 24310.5, effectiveRate: 1.7 },
    { name: null, currency: 'EUR', fees: 12, gross: 0, effectiveRate: null },
  ],
}

export const MonthParams = Type.Object({
  appId: Type.String(),
  month: Type.String({
    pattern: '^(19[7-9]\\d|2\\d{3})-(0[1-9]|1[0-2])$',
    expected: 'a month, such as 2026-10',
  }),
})

export const MonthAnswer = Type.Object(
  { month: Type.String({ description: '`2026-10`' }), closedTime: Instant },
  { title: 'LedgerMonth' },
)

export const MONTH_EXAMPLE = { month: '2026-10', closedTime: '2026-11-03T08:15:00.000Z' }
