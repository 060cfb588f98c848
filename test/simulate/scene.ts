import { createHash } from 'node:crypto'
import type { State } from '../../src/payments/machine.ts'
import { LOG_BATCHES, logLinesIn } from '../support/log-lines.ts'
import { hookOf, type Merchant } from './merchant.ts'
import type { World } from './world.ts'

/** Everything as it stands after the quiet phase, read once for all invariants. */
export interface Scene {
  readonly world: World
  readonly merchants: readonly Merchant[]
  readonly payments: readonly PaymentRow[]
  readonly events: readonly EventRow[]
  readonly tables: readonly TableText[]
  /** The states that the payment went through. */
  historyOf(payment: PaymentRow): readonly State[]
  /** Whose webhooks go there. */
  merchantAt(url: string): Merchant | undefined
}

export interface PaymentRow {
  app_id: string
  payment_id: string
  reference_id: string
  state: State
  sequence: number
  amount_minor: string
  captured_minor: string
  refunded_minor: string
  currency: string
  /** Of the refunds that the bank said were done, what it sent back later. */
  came_back_minor: string
  /** The same at a provider: what we count as refunded beyond the refunds that are done. */
  failed_later_minor: string
  /** The provider did not give the money of an abandoned attempt back. */
  keeps_undone: boolean
  /** The money of an attempt that does not count is still to be given back. */
  is_undoing: boolean
  /** The part of the amount that has arrived on a page that is still open, as `lastError` tells. */
  received_minor: string | null
  /** What was captured on the dashboard after the refund, as `lastError` tells the merchant. */
  captured_later: string | null
  /** The merchant wrote down a refund that was made elsewhere. */
  marked: boolean
  disputed: boolean
  /** A refund failed after it was done, as `lastError` tells the merchant. */
  fails_later: boolean
  /** A capture failed later, and the sums stay, as `lastError` tells the merchant. */
  capture_missing: boolean
  /** What lost disputes at the sandbox's bank took back. */
  lost_minor: string
  /** What disputes at the bank gave back, won or open again: one that was lost first counted as refunded. */
  won_minor: string
  /** A debit that the payer's bank returned. */
  returned: boolean
  /** Its method was stored. */
  keeps_method: boolean
  /** Our references at the bank. */
  attempts: string[] | null
  attempt_status: string | null
}

interface EventRow {
  app_id: string
  payment_id: string
  sequence: number
  state: State
}

const WAS_LOST = `exists (select from events e where e.app_id = p.app_id and e.payment_id = p.payment_id
  and e.body::text like '%"state":"lost"%')`

const LOST = `d.value ->> 'state' = 'lost'`
const GAVE_BACK = `(d.value ->> 'state' = 'won' or (d.value ->> 'state' = 'open' and ${WAS_LOST}))`

const disputes = (which: string): string =>
  `select coalesce(sum(coalesce((d.value ->> 'amount')::bigint, b.captured_minor)), 0)
   from sandbox_bank.payments b, json_array_elements(coalesce(b.document -> 'disputes', '[]')) d
   where b.account = p.app_id and b.reference = p.attempt_key and ${which}`

const PAYMENTS = `
  select p.app_id, p.payment_id, p.reference_id, p.state, p.sequence, p.amount_minor, p.captured_minor,
    p.refunded_minor, p.currency, p.token_id is not null as keeps_method,
    (select coalesce(sum(l.amount_minor), 0) from operations o join sandbox_bank.ledger l
        on l.account = o.app_id and l.operation_key = o.operation_key and l.kind = 'refund'
      where o.app_id = p.app_id and o.payment_id = p.payment_id and o.status = 'done'
        and l.status = 'declined') as came_back_minor,
    (select p.refunded_minor - coalesce(sum(r.amount_minor), 0) from refunds r where r.app_id = p.app_id
      and r.payment_id = p.payment_id and r.state = 'done') as failed_later_minor,
    exists (select from undos u where u.app_id = p.app_id and u.payment_id = p.payment_id
      and u.status = 'refused') as keeps_undone,
    exists (select from undos u where u.app_id = p.app_id and u.payment_id = p.payment_id
      and u.status = 'open') as is_undoing,
    case when p.state = 'Created' then p.pay_info #>> '{received,minor}' end as received_minor,
    case when p.last_error ->> 'code' = 'captured-late' then p.last_error ->> 'minor' end as captured_later,
    exists (select from refunds r where r.app_id = p.app_id and r.payment_id = p.payment_id
      and r.refund_id like 'marked%') as marked,
    exists (select from events e where e.app_id = p.app_id and e.payment_id = p.payment_id
      and e.state = 'Disputed') as disputed,
    'refund-failed-later' in (coalesce(p.last_error ->> 'code', ''),
      coalesce(p.last_error #>> '{also,code}', '')) as fails_later,
    coalesce(p.last_error ->> 'code' = 'capture-repeated', false) and p.captured_minor > 0 as capture_missing,
    (${disputes(LOST)}) as lost_minor, (${disputes(GAVE_BACK)}) as won_minor,
    exists (select from sandbox_bank.payments b where b.account = p.app_id and b.reference = p.attempt_key
      and b.document ->> 'returned' = 'true') or p.last_error ->> 'code' = 'bank-return' as returned,
    (select array_agg(operation_key order by attempt) from operations o where o.app_id = p.app_id
      and o.payment_id = p.payment_id and o.step in ('start', 'charge')) as attempts,
    (select b.status from sandbox_bank.payments b
      where b.account = p.app_id and b.reference = p.attempt_key) as attempt_status
  from payments p order by p.app_id, p.payment_id`

const EVENTS = `
  select app_id, payment_id, sequence, state from events where payment_id > 0
  order by app_id, payment_id, sequence`

/** What a statement needs of the world. */
export interface Queried {
  readonly world: Pick<World, 'database'> & Partial<Pick<World, 'provider'>>
}

/** Rows with the names of the tables, minor units as texts. */
export async function rows<Row>({ database }: Queried['world'], text: string): Promise<Row[]> {
  const name = `simulate.${createHash('sha1').update(text).digest('hex')}`
  return (await database.query<object>({ name, text })).map(asInTable) as Row[]
}

const asInTable = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'bigint' ? String(value) : value,
    ]),
  )

export const readPayments = (world: Queried['world']): Promise<PaymentRow[]> =>
  rows<PaymentRow>(world, PAYMENTS)

export async function readScene(world: World, merchants: readonly Merchant[]): Promise<Scene> {
  const payments = await readPayments(world)
  const events = await rows<EventRow>(world, EVENTS)
  const histories = new Map<string, State[]>()
  for (const { app_id, payment_id, state } of events)
    histories.set(`${app_id} ${payment_id}`, [...(histories.get(`${app_id} ${payment_id}`) ?? []), state])
  const hooks = new Map(merchants.map((merchant) => [hookOf(merchant.mark), merchant]))
  return {
    world,
    merchants,
    payments,
    events,
    tables: await readTables(world),
    historyOf: ({ app_id, payment_id }) => histories.get(`${app_id} ${payment_id}`) ?? [],
    merchantAt: (url) => hooks.get(url),
  }
}

interface TableText {
  readonly name: string
  readonly text: string | null
}

/** Every row of every table, as text, in no order. */
async function readTables(world: World): Promise<TableText[]> {
  const tables = await rows<{ name: string }>(
    world,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'sandbox_bank') and tablename <> 'migrations' order by 1`,
  )
  const each = tables.map(
    ({ name }) => `select '${name}' as name, string_agg(t::text, '\n') as text from ${name} t`,
  )
  const text = logLinesIn(await rows<{ lines: string }>(world, LOG_BATCHES))
  return [...(await rows<TableText>(world, each.join(' union all '))), { name: 'log lines', text }]
}
