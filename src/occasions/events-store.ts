import { type Queryable, sql } from '../db/database.ts'
import type { CursorPosition } from './cursors-store.ts'

/** An event that may lead to e-mails, with what they need beside it. */
export interface EventOccasion {
  readonly position: CursorPosition
  /** The event as it was delivered; null for states that lead to none. */
  readonly body: string | null
  /** The payment's event before it. */
  readonly before: string | null
  /** An event before it says that the payment was captured. */
  readonly wasCaptured: boolean
  readonly customerId: string | null
  readonly email: string | null
  /** The language of the last page that the payer saw. */
  readonly language: string | null
}

/** Payments of a customer whose pages are looked at for a language. */
const RECENT = 20

/** SQL: the language of the last page that a customer saw, of `app` and `customer`. */
export const languageOf = (app: string, customer: string): string => `(
    select v.language from (
      select q.payment_id from payments q where q.app_id = ${app} and q.customer_id = ${customer}
      order by q.payment_id desc limit ${RECENT}) q
      join page_visits v on v.app_id = ${app} and v.payment_id = q.payment_id
    order by q.payment_id desc, v.visit_time desc limit 1)`

const PAGE = sql<EventOccasion>(
  'occasions.events',
  `with page as materialized (
     select e.app_id, e.created_time, e.payment_id, e.sequence, e.state, e.body from events e
     where e.app_id = $1 and (e.created_time, e.payment_id, e.sequence) > ($2, $3, $4)
       and e.created_time <= $5
     order by e.created_time, e.payment_id, e.sequence limit $6
   )
   select e.created_time as "position.time", e.payment_id as "position.id",
     e.sequence as "position.part", more.body, more.before,
     coalesce(more.was_captured, false) as was_captured, more.customer_id, more.email, more.language
   from page e left join lateral (
     select e.body, p.customer_id, c.email,
       (select b.body from events b where b.app_id = e.app_id and b.payment_id = e.payment_id
          and b.sequence < e.sequence order by b.sequence desc limit 1) as before,
       exists (select from events b where b.app_id = e.app_id and b.payment_id = e.payment_id
          and b.sequence < e.sequence and b.state = 'Captured') as was_captured,
       coalesce((select v.language from page_visits v where v.app_id = e.app_id
          and v.payment_id = e.payment_id order by v.visit_time desc limit 1),
         ${languageOf('e.app_id', 'p.customer_id')}) as language
     from payments p left join customers c on c.app_id = p.app_id and c.customer_id = p.customer_id
     where p.app_id = e.app_id and p.payment_id = e.payment_id
   ) more on e.state in ('Captured', 'Refunded', 'Failed')
     or (e.state = 'SaleInProgress' and e.body like '%"expectedTime":"%')
   order by e.created_time, e.payment_id, e.sequence`,
)

/** The events after a position, until a time, oldest first. */
export async function eventsAfter(
  db: Queryable,
  appId: string,
  { time, id, part }: CursorPosition,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<EventOccasion[]> {
  return await db.query(PAGE, [appId, time, id, part, until, limit])
}
