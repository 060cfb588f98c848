import { DAY } from '../../../src/base/clock.ts'
import { idOf } from './fill.ts'

/** What people read in the console of an app with a million payments, as paths of its pages. */

/** The path for the turn of a measurement: each turn reads something else where that is possible. */
export type PathOf = (turn: number) => string

const day = (turn: number): string => new Date(Date.now() - (turn + 1) * DAY).toISOString().slice(0, 10)
const four = (turn: number): string => String((turn * 41) % 9_973).padStart(4, '0')
/** An amount of cents that some payments have. */
const cents = (turn: number): number => 100 + (((turn * 15_485_863) % 10_037) ** 2 % 50_000)
const major = (turn: number): string => (cents(turn) / 100).toFixed(2)

const payments = (filters: Readonly<Record<string, PathOf>>): Record<string, PathOf> =>
  Object.fromEntries(
    Object.entries(filters).map(([what, filterOf]) => [what, (turn) => `/payments?${filterOf(turn)}`]),
  )

const TABS: Record<string, PathOf> = payments({
  'all payments': () => '',
  'tab succeeded': () => 'state=paid',
  'tab refunded': () => 'state=Refunded,part-refunded',
  'tab disputed': () => 'state=Disputed',
  'tab failed': () => 'state=Failed,declined',
  'tab uncaptured': () => 'state=Authorized',
  'tab held': () => 'state=held',
})

const ORDERS: Record<string, PathOf> = payments({
  'all, oldest first': () => 'sort=oldest',
  'all, largest first': () => 'sort=largest',
  'all, smallest first': () => 'sort=smallest',
  'succeeded, largest first': () => 'state=paid&sort=largest',
  'failed, oldest first': () => 'state=Failed,declined&sort=oldest',
  'refunded, smallest first': () => 'state=Refunded,part-refunded&sort=smallest',
  'disputed, largest first': () => 'state=Disputed&sort=largest',
  'held, largest first': () => 'state=held&sort=largest',
  'a name that no customer has, largest first': () => 'q=xavier&sort=largest',
})

const FILTERS: Record<string, PathOf> = payments({
  'a provider': () => 'provider=sandbox',
  'a currency': () => 'currency=USD',
  'a customer': (turn) => `customer=buyer-${turn * 997}`,
  'a customer with 10,000 payments': () => 'customer=buyer-0',
  'a policy': () => 'policy=7',
  'one day': (turn) => `from=${day(turn)}&to=${day(turn)}`,
  'a month': () => 'period=last-30-days',
  'large amounts': () => 'min=500000',
  'most amounts': () => 'min=2',
  'failed, one currency, a month': () => 'state=Failed&currency=CHF&period=last-30-days',
  'a country': () => 'q=country:PL',
  'a brand and a method': () => 'q=brand:mastercard%20method:card',
  'a country that no payment has': () => 'q=country:AQ',
  'not settled in two states': () => 'q=-state:captured%20-state:failed',
  'five conditions': () => 'q=state:failed%20currency:EUR%20amount:%3E100%20provider:sandbox%20-country:FR',
})

const SEARCHES: Record<string, PathOf> = payments({
  'an order number': (turn) => `q=order-${turn * 1_013}`,
  'an order number, as a term': (turn) => `q=order:order-${turn * 1_013}`,
  'a reference': (turn) => `q=inv-${turn * 1_019}`,
  'the beginning of references': (turn) => `q=ref:INV-${100 + turn}*`,
  'the beginning of all references': () => 'q=INV-',
  'a payment id': (turn) => `q=${idOf(turn * 1_009)}`,
  'an amount with a point': (turn) => `q=${major(turn)}`,
  'an amount with a comma and a sign': (turn) => `q=%E2%82%AC${major(turn).replace('.', ',')}`,
  'an amount with its currency': (turn) => `q=${major(turn)}%20EUR`,
  'an amount in thousands': () => 'q=1.000.000,00',
  'a range of amounts': (turn) => `q=amount:${turn + 1}..${turn + 3}`,
  'an e-mail address': (turn) => `q=buyer${turn * 991}@web.example`,
  'an e-mail address, as a term': (turn) => `q=email:buyer${turn * 991}@web.example`,
  'the domain of a seventh': () => 'q=@firm.example',
  'the domain of a third': () => 'q=mail.example',
  'a name without its accents': () => 'q=garcia',
  'a whole name': () => 'q=jose%20garcia',
  'a name, as a term': () => 'q=name:muller',
  'a text that nothing has': (turn) => `q=xylophone${turn}`,
  'last four digits': (turn) => `q=${four(turn)}`,
  'last four digits, as a term': (turn) => `q=last4:${four(turn)}`,
  'a decline reason': () => 'q=reason:insufficient-funds',
  'the word declined': () => 'q=declined',
  'the word today': () => 'q=today',
  'the words declined and today': () => 'q=declined%20today',
  'the words refunded and yesterday': () => 'q=refunded%20yesterday',
  'a name and declined': () => 'q=garcia%20declined',
  'a domain and a month': () => 'q=mail.example&period=last-30-days',
  'a name, a day': (turn) => `q=dana&from=${day(turn)}&to=${day(turn)}`,
  'last four digits, a month, captured': (turn) => `q=${four(turn)}&period=last-month&state=Captured`,
})

const year = (): string => `from=${day(364)}&to=${day(-1)}`

/** By the group of their target. */
export const READS: Readonly<Record<'list' | 'overview', Readonly<Record<string, PathOf>>>> = {
  list: {
    ...TABS,
    ...ORDERS,
    ...FILTERS,
    ...SEARCHES,
    'page 200 of a list': () => `/payments?cursor=${Date.now() - 40 * DAY}-0`,
    'newer payments': () => `/payments/newer?than=${Date.now() - 3_600_000}-0`,
    customers: () => '/customers',
    'customers, oldest first': () => '/customers?sort=oldest',
    'customers by a name': () => '/customers?q=garcia',
    'customers by the domain of a third': () => '/customers?q=mail.example',
    'customers of a month': () => '/customers?period=last-30-days',
    'a customer with 10,000 payments, its page': () => '/customers/buyer-0',
    'payments of that customer': () => '/customers/buyer-0/payments',
    disputes: () => '/disputes',
    'all disputes': () => '/disputes?state=all',
    reviews: () => '/reviews',
    'reviews of a month': () => '/reviews?period=last-30-days',
  },
  overview: {
    'overview of today': () => '/overview?range=today',
    'overview of 7 days': () => '/overview?range=7d',
    'overview of 30 days': () => '/overview?range=30d',
    'overview of 90 days': () => `/overview?range=custom&from=${day(89)}&to=${day(-1)}`,
    'overview of a year': () => `/overview?range=custom&${year()}`,
  },
}

/** Texts for the palette. */
export const PALETTE: Readonly<Record<string, PathOf>> = {
  'a payment id': (turn) => String(idOf(turn * 1_009)),
  'a reference': (turn) => `INV-${turn * 1_019}`,
  'an e-mail address': (turn) => `buyer${turn * 991}@`,
  'four digits': four,
  'a name of many': () => 'garcia',
  'the domain of a third': () => 'mail.example',
}
