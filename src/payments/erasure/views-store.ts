import { type Queryable, sql } from '../../db/database.ts'

/** A saved view of the console, as far as erasure needs it. */
interface View {
  readonly personId: string
  readonly name: string
  readonly query: string
}

const VIEWS = sql<View>('erasure.views', 'select person_id, name, query from saved_views where app_id = $1')

export const viewsOf = (tx: Queryable, appId: string): Promise<View[]> => tx.query(VIEWS, [appId])

/** Payments that are read for earlier names and addresses of a customer, newest first. */
const MAX_PAYMENTS = 200

const TEXTS = sql<{ text: string }>(
  'erasure.person_texts',
  `with people as (
     select first_name, last_name, email, mobile_number as mobile from customers
     where app_id = $1 and customer_id = $2
     union
     select c->>'firstName', c->>'lastName', c->>'email', c->>'phoneNumber' from (
       select details #> '{customerOrder,customer}' as c from payments
       where app_id = $1 and customer_id = $2 order by payment_id desc limit ${MAX_PAYMENTS}) latest
   )
   select distinct text from people,
     unnest(array[first_name, last_name, first_name || ' ' || last_name, email, mobile]) as text
   where text is not null`,
)

/** The names, e-mail addresses and numbers of a customer and of the latest payments. */
export const personTexts = async (tx: Queryable, appId: string, customerId: string): Promise<string[]> =>
  (await tx.query(TEXTS, [appId, customerId])).map(({ text }) => text)

const REMOVE = sql<never>(
  'erasure.remove_views',
  `delete from saved_views where app_id = $1
   and (person_id, name) in (select * from unnest($2::text[], $3::text[]))`,
)

export async function removeViews(tx: Queryable, appId: string, views: readonly View[]): Promise<void> {
  await tx.query(REMOVE, [appId, views.map(({ personId }) => personId), views.map(({ name }) => name)])
}
