import { rows, type Scene } from '../scene.ts'
import type { BankLine } from './reports.ts'

/** Entries that are not zero in a currency, days that are not the sum of their postings, and gaps. */
const UNEVEN = `
  select format('entry %s of %s does not sum to zero in %s', entry_id, app_id, currency) as problem
  from ledger_postings group by app_id, entry_id, currency having sum(amount_minor) <> 0
  union all
  select format('%s of %s on %s: the day says %s, its postings %s', coalesce(d.account, p.account),
    coalesce(d.app_id, p.app_id), coalesce(d.booking_day, p.booking_day), d.amount_minor, p.amount_minor)
  from ledger_days d full join (
    select p.app_id, p.account, coalesce(p.profile_id, 0) as profile_id, p.currency, e.booking_day,
      sum(p.amount_minor) as amount_minor
    from ledger_postings p join ledger_entries e on e.app_id = p.app_id and e.entry_id = p.entry_id
    group by 1, 2, 3, 4, 5) p using (app_id, account, profile_id, currency, booking_day)
  where d.amount_minor is distinct from p.amount_minor
  union all
  select format('the entries of %s have gaps: %s of %s', app_id, count(*), max(entry_id))
  from ledger_entries group by app_id having count(*) <> max(entry_id)`

interface Balance {
  readonly app_id: string
  readonly account: string
  readonly currency: string
  readonly minor: string
}

const BALANCES = `
  select app_id, account, currency, sum(amount_minor)::bigint as minor from ledger_days group by 1, 2, 3`

/** What Tender did and what the lines say of each payment, added up anew and not as the ledger derives it. */
const SUMS = `
  select p.app_id, p.currency, p.captured_minor as captured, d.lost,
    p.refunded_minor - d.lost - least(d.won_late, p.refunded_minor - d.lost) as refunded,
    coalesce(l.sales, 0) as sales, coalesce(l.refunds, 0) as refunds, coalesce(l.disputes, 0) as disputes
  from payments p cross join lateral (
    select least(p.refunded_minor, coalesce(sum(coalesce((d ->> 'amountMinor')::bigint, p.captured_minor))
      filter (where d ->> 'state' = 'lost'), 0))::bigint as lost,
      coalesce(sum(coalesce((d ->> 'amountMinor')::bigint, p.captured_minor))
        filter (where d ->> 'isWonLate' = 'true'), 0)::bigint as won_late
    from json_array_elements(coalesce(p.pay_info -> 'disputes', '[]')) d) d
  left join lateral (
    select sum(l.gross_minor) filter (where l.kind = 'sale')::bigint as sales,
      sum(l.gross_minor) filter (where l.kind in ('refund', 'return'))::bigint as refunds,
      sum(l.gross_minor) filter (where l.kind in ('dispute', 'dispute-reversal'))::bigint as disputes
    from settlement_matches m join settlement_lines l on l.app_id = m.app_id and l.line_id = m.line_id
    where m.app_id = p.app_id and m.payment_id = p.payment_id and m.match = 'exact'
      and l.currency = p.currency) l on true`

interface PaymentSums
  extends Record<'captured' | 'refunded' | 'lost' | 'sales' | 'refunds' | 'disputes', string> {
  readonly app_id: string
  readonly currency: string
}

/** Lines by themselves: fees, what is held, what was paid out, and what was reported in another currency. */
const LINES = `
  select l.app_id, l.kind, l.gross_minor as gross, l.fee_minor as fee, l.currency,
    l.settlement_currency as balance
  from settlement_lines l`

interface Line extends Record<'kind' | 'gross' | 'fee' | 'currency' | 'balance', string> {
  readonly app_id: string
}

/** Amounts by account and currency of an app. */
type Accounts = Map<string, bigint>

function add(accounts: Accounts, key: readonly string[], minor: bigint): void {
  const name = key.join(' ')
  accounts.set(name, (accounts.get(name) ?? 0n) + minor)
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Debits are positive. Every account but clearing, from payments and lines; clearing is what they leave. */
function expectedAccounts(payments: readonly PaymentSums[], lines: readonly Line[]): Accounts {
  const accounts: Accounts = new Map()
  for (const { app_id, currency, ...sums } of payments) {
    const [captured, refunded] = [BigInt(sums.captured), BigInt(sums.refunded)]
    const more = larger(BigInt(sums.sales) - captured, 0n) - larger(-BigInt(sums.refunds) - refunded, 0n)
    add(accounts, [app_id, 'sales', currency], -captured)
    add(accounts, [app_id, 'refunds', currency], refunded)
    add(accounts, [app_id, 'disputes', currency], larger(BigInt(sums.lost), -BigInt(sums.disputes)))
    add(accounts, [app_id, 'differences', currency], -more)
  }
  for (const { app_id, kind, currency, balance, ...line } of lines) {
    const [gross, fee] = [BigInt(line.gross), BigInt(line.fee)]
    add(accounts, [app_id, 'fees', balance], fee)
    if (kind === 'reserve') add(accounts, [app_id, 'reserves', balance], -gross)
    if (kind === 'payout') add(accounts, [app_id, 'bank', balance], -gross)
    if (currency === balance) continue
    add(accounts, [app_id, 'differences', currency], -gross)
    add(accounts, [app_id, 'conversion', currency], gross)
    add(accounts, [app_id, 'conversion', balance], -gross)
  }
  for (const [name, minor] of [...accounts]) {
    const [appId = '', , currency = ''] = name.split(' ')
    add(accounts, [appId, 'clearing', currency], -minor)
  }
  return accounts
}

/**
 * Entries are even, and every account is what payments and lines add up to: clearing is captured less
 * refunds, fees, disputes and payouts, less what is held, and what lines say beyond it.
 */
export async function booksAgree({ world }: Scene): Promise<string[]> {
  const uneven = await rows<{ problem: string }>(world, UNEVEN)
  const [payments, lines] = [await rows<PaymentSums>(world, SUMS), await rows<Line>(world, LINES)]
  const expected = expectedAccounts(payments, lines)
  const booked: Accounts = new Map()
  for (const { app_id, account, currency, minor } of await rows<Balance>(world, BALANCES))
    add(booked, [app_id, account, currency], BigInt(minor))
  const names = new Set([...expected.keys(), ...booked.keys()])
  const wrong = [...names].filter((name) => (expected.get(name) ?? 0n) !== (booked.get(name) ?? 0n))
  return [
    ...uneven.map(({ problem }) => problem),
    ...wrong.map((name) => `${name} is ${booked.get(name) ?? 0n}, and should be ${expected.get(name) ?? 0n}`),
  ]
}

/** Money that moved only here: marked as refunded elsewhere, or a refund that came back. */
const ONE_SIDED = `
  select distinct app_id, currency from payments p
  where exists (select from refunds r where r.app_id = p.app_id and r.payment_id = p.payment_id
      and r.refund_id like 'marked%')
    or exists (select from undos u where u.app_id = p.app_id and u.payment_id = p.payment_id
      and u.status <> 'done')
    or exists (select from operations o join sandbox_bank.ledger l
        on l.account = o.app_id and l.operation_key = o.operation_key and l.kind = 'refund'
      where o.app_id = p.app_id and o.payment_id = p.payment_id and o.status = 'done'
        and l.status = 'declined')`

/** Where no report was wrong, clearing is what the bank still has for the merchant. */
export async function clearingIsAtTheBank({ world }: Scene, bank: readonly BankLine[]): Promise<string[]> {
  const oneSided = await rows<{ app_id: string; currency: string }>(world, ONE_SIDED)
  const skipped = new Set(oneSided.map(({ app_id, currency }) => `${app_id} ${currency}`))
  const atBank: Accounts = new Map()
  for (const { app_id, currency, lie, ...line } of bank) {
    if (lie !== null) for (const one of [currency, 'EUR', 'USD']) skipped.add(`${app_id} ${one}`)
    add(atBank, [app_id, currency], BigInt(line.amount_minor) - BigInt(line.fee_minor))
  }
  const balances = await rows<Balance>(world, BALANCES)
  return balances
    .filter(
      ({ account, app_id, currency }) => account === 'clearing' && !skipped.has(`${app_id} ${currency}`),
    )
    .flatMap(({ app_id, currency, minor }) => {
      world.counter.count('compared clearing')
      const there = atBank.get(`${app_id} ${currency}`) ?? 0n
      return BigInt(minor) === there
        ? []
        : [`clearing of ${app_id} is ${minor} ${currency}, at the bank are ${there}`]
    })
}
