import { customerIdsBy } from '../../customers/commands.ts'
import { type Queryable, type Statement, sql } from '../../db/database.ts'
import type { ReferenceMatch } from './filter.ts'
import { decimal, spellings } from './residual-store.ts'
import { amountSaid } from './terms.ts'

/**
 * Conditions without an index in the order of lists: their payments are read as a set, if there are few, and
 * sorted. If there are more, the list is scanned in order instead: then it soon meets enough of them.
 */
export const FEW = 5_000
/** A subquery, and ranges instead of `=`: see `limited` and `rowsOfValue` in store.ts. */
const LIMIT = `limit (select ${FEW + 1})`

/** `$1` app; the last character of Unicode ends the range of a beginning. */
const beginning = (texts: string): string =>
  `select r.payment_id from unnest(${texts}::text[]) b (text) cross join lateral (
     select p.payment_id from payments p
     where p.app_id = $1 and p.reference_id >= b.text and p.reference_id < b.text || chr(1114111)
     order by p.reference_id ${LIMIT}) r`

type Ids = Statement<{ paymentId: number }>

const BY_REFERENCE: Ids = sql(
  'search.byReference',
  `(select w.payment_id from unnest($2::text[]) t (text) cross join lateral (
      select p.payment_id from payments p where p.app_id = $1 and p.reference_id = t.text offset 0) w)
   union (${beginning('$3')}) ${LIMIT}`,
)

const BY_TEXT: Ids = sql(
  'search.byText',
  `(${beginning('$2')})
   union (select s.payment_id from payment_search s where s.app_id = $1 and s.payment_id = $3::bigint)
   union (select s.payment_id from payment_search s where s.app_id = $1
     and s.last4 >= $4 and s.last4 <= $4 order by s.last4 ${LIMIT})
   union (select c.payment_id from unnest($5::text[]) k (id) cross join lateral (
     select s.payment_id from payment_search s where s.app_id = $1
       and s.customer_id >= k.id and s.customer_id <= k.id order by s.customer_id ${LIMIT}) c)
   union (select w.payment_id from (${customerIdsBy('$7')}) k (id) cross join lateral (
     select s.payment_id from payment_search s where s.app_id = $1
       and s.customer_id >= k.id and s.customer_id <= k.id order by s.customer_id ${LIMIT}) w ${LIMIT})
   union (select o.payment_id from unnest($2::text[]) t (text) cross join lateral (
     select s.payment_id from payment_search s where s.app_id = $1
       and s.order_id >= t.text and s.order_id <= t.text order by s.order_id ${LIMIT}) o)
   union (select s.payment_id from payment_search s where s.app_id = $1
     and s.amount >= $6::numeric and s.amount <= $6::numeric order by s.amount ${LIMIT})
   ${LIMIT}`,
)

const BY_AMOUNT: Ids = sql(
  'search.byAmount',
  `select s.payment_id from payment_search s
   where s.app_id = $1 and s.amount >= $2::numeric and s.amount <= $3::numeric
   order by s.amount, s.payment_id ${LIMIT}`,
)

/** Undefined: too many. */
async function idsOf(
  db: Queryable,
  statement: Ids,
  values: readonly unknown[],
): Promise<string[] | undefined> {
  const rows = await db.query(statement, values)
  return rows.length > FEW ? undefined : rows.map((row) => String(row.paymentId))
}

export function idsByReference(
  db: Queryable,
  appId: string,
  matches: readonly ReferenceMatch[],
): Promise<string[] | undefined> {
  const texts = (isPrefix: boolean) =>
    matches.filter((match) => match.isPrefix === isPrefix).map((match) => match.text)
  return idsOf(db, BY_REFERENCE, [appId, texts(false), texts(true)])
}

/**
 * Payments that a free text may mean: by id, last four digits, beginning of the reference, order, amount or
 * customer.
 */
export function idsByText(
  db: Queryable,
  appId: string,
  { text, customers, words }: { text: string; customers: readonly string[]; words: string | undefined },
): Promise<string[] | undefined> {
  const id = /^\d{1,15}$/.test(text) ? text : null
  const last4 = /^\d{4}$/.test(text) ? text : null
  const amount = decimal(amountSaid(text))
  return idsOf(db, BY_TEXT, [appId, spellings(text), id, last4, customers, amount, words ?? null])
}

export function idsByAmount(
  db: Queryable,
  appId: string,
  { min, max }: { min: bigint | undefined; max: bigint | undefined },
): Promise<string[] | undefined> {
  return idsOf(db, BY_AMOUNT, [appId, decimal(min) ?? '-infinity', decimal(max) ?? 'infinity'])
}

const ASSIGNED: Ids = sql(
  'search.assigned',
  `select split_part(a.subject, ':', 2)::bigint as payment_id from assignments a
   where a.app_id = $1 and a.person_id = any ($2::text[]) and a.subject ~ '^payment:' ${LIMIT}`,
)

/** Payments that one of these people takes care of. */
export const idsByAssigned = (
  db: Queryable,
  appId: string,
  people: readonly string[],
): Promise<string[] | undefined> => idsOf(db, ASSIGNED, [appId, people])

const BY_LINK: Ids = sql(
  'search.byLink',
  `select p.payment_id from payment_link_places t
   join payments p on p.app_id = t.app_id and p.reference_id = t.reference_id
   where t.app_id = $1 and t.link_id = any ($2::text[]) ${LIMIT}`,
)

/** Payments of one of these links for many payers. */
export const idsByLink = (
  db: Queryable,
  appId: string,
  links: readonly string[],
): Promise<string[] | undefined> => idsOf(db, BY_LINK, [appId, links])
