import { type Queryable, sql } from '../db/database.ts'
import type { CursorPosition } from './cursors-store.ts'
import { languageOf } from './events-store.ts'

/** A stored method of a customer who can get an e-mail about it. */
export interface MethodOccasion {
  readonly position: CursorPosition
  readonly customerId: string
  /** Null: the row leads to no e-mail. */
  readonly label: string | null
  readonly email: string | null
  readonly language: string | null
}

export interface ActivityOccasion extends MethodOccasion {
  readonly type: string
}

const ACTIVITY = sql<ActivityOccasion>(
  'occasions.activity',
  `with page as materialized (
     select y.app_id, y.activity_time, y.activity_id, y.type, y.customer_id, y.data from customer_activity y
     where y.app_id = $1 and y.activity_time >= $2 and (y.activity_time, y.activity_id) > ($2, $3)
       and y.activity_time <= $4
     order by y.activity_time, y.activity_id limit $5
   )
   select y.activity_time as "position.time", y.activity_id as "position.id", 0 as "position.part",
     y.type, y.customer_id, m.label, m.email, m.language
   from page y left join lateral (
     select m.label, c.email, ${languageOf('y.app_id', 'y.customer_id')} as language
     from customers c join payment_methods m on m.app_id = c.app_id and m.customer_id = c.customer_id
     where c.app_id = y.app_id and c.customer_id = y.customer_id
       and m.payment_method_id = coalesce((y.data ->> 'paymentMethodId')::bigint, (
         select t.payment_method_id from payment_method_tokens t where t.app_id = y.app_id
           and t.token_id = (y.data ->> 'paymentMethodProviderProfileId')::bigint))
   ) m on y.type in ('MethodAdded', 'MethodRemoved')
   order by y.activity_time, y.activity_id`,
)

/** What happened to stored methods after a position, until a time, oldest first. */
export async function activityAfter(
  db: Queryable,
  appId: string,
  { time, id }: CursorPosition,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<ActivityOccasion[]> {
  return await db.query(ACTIVITY, [appId, time, id, until, limit])
}

const CARDS = sql<CardOccasion>(
  'occasions.cards',
  `select $5::timestamptz as "position.time", m.payment_method_id as "position.id", 0 as "position.part",
     m.customer_id, m.label,
     (m.card ->> 'expiryMonth')::integer as month, (m.card ->> 'expiryYear')::integer as year,
     case when soon.is_soon then c.email end as email,
     case when soon.is_soon then ${languageOf('m.app_id', 'm.customer_id')} end as language
   from (
     select app_id, payment_method_id, customer_id, label, card, removed_time from payment_methods
     where app_id = $1 and payment_method_id > $2 order by payment_method_id limit $3) m
     cross join lateral (select m.removed_time is null and (m.card ->> 'expiryYear')::integer * 12
       + (m.card ->> 'expiryMonth')::integer between $4::integer and $4::integer + 1
       and not exists (select from mails q where q.app_id = m.app_id
         and q.mail_id = concat('card-expiring:', m.payment_method_id, ':', m.card ->> 'expiryYear', '-',
           m.card ->> 'expiryMonth') collate "C") as is_soon) soon
     left join customers c on c.app_id = m.app_id and c.customer_id = m.customer_id
   order by m.payment_method_id`,
)

export interface CardOccasion extends MethodOccasion {
  readonly month: number | null
  readonly year: number | null
}

/** Stored methods behind an id. The address is there only where an e-mail is due: this month or the next. */
export async function cardsAfter(
  db: Queryable,
  appId: string,
  { id }: CursorPosition,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<CardOccasion[]> {
  const months = until.getUTCFullYear() * 12 + until.getUTCMonth() + 1
  return await db.query(CARDS, [appId, id, limit, months, until])
}
