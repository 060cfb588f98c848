import { type Queryable, sql } from '../db/database.ts'
import type { LinkTotals, LinkWithTotals, PaymentLink } from './link.ts'

const COLUMNS = `app_id, link_id, link_key, least_minor, most_minor, currency, description, reference_prefix,
  maximum_payments, auto_capture, return_url, created_time, expiration_time, withdrawn_time`

const INSERT = sql<never>(
  'links.insert',
  `insert into payment_links (${COLUMNS})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, null)`,
)

export async function insertLink(tx: Queryable, link: PaymentLink): Promise<void> {
  const { appId, linkId, linkKey, leastMinor, mostMinor, currency, description } = link
  const { referencePrefix, maximumPayments, autoCapture, returnUrl, createdTime, expirationTime } = link
  const what = [appId, linkId, linkKey, leastMinor, mostMinor, currency, description]
  const how = [referencePrefix, maximumPayments, autoCapture, returnUrl, createdTime, expirationTime]
  await tx.query(INSERT, [...what, ...how])
}

/** A place without a payment counts while it is held; one with a payment unless the payment has failed. */
const TOTALS = `select count(*) filter (where p.captured_minor > 0)::integer as paid_count,
    coalesce(sum(p.captured_minor), 0)::bigint as paid_minor,
    count(*) filter (where case when p.payment_id is null then t.held_until > $2
      else p.state <> 'Failed' end)::integer as taken_count
  from payment_link_places t
  left join payments p on p.app_id = t.app_id and p.reference_id = t.reference_id`

const WITH_TOTALS = `select l.*, s.paid_count, s.paid_minor, s.taken_count
  from (select ${COLUMNS} from payment_links where app_id = $1`
const THEIR_TOTALS = `) l, lateral (${TOTALS} where t.app_id = l.app_id and t.link_id = l.link_id) s`

const BY_ID = sql<LinkWithTotals>('links.byId', `${WITH_TOTALS} and link_id = $3${THEIR_TOTALS}`)
const BY_KEY = sql<LinkWithTotals>(
  'links.byKey',
  `${WITH_TOTALS} and link_key = $3) l, lateral (${TOTALS}
   where t.app_id = l.app_id and t.link_id = l.link_id and l.maximum_payments is not null) s`,
)

interface Wish {
  readonly appId: string
  /** Decides which places are still held. */
  readonly now: Date
}

export const findLink = async (db: Queryable, { appId, now, linkId }: Wish & Pick<PaymentLink, 'linkId'>) =>
  (await db.query(BY_ID, [appId, now, linkId]))[0]

/** Places are counted only where their number is limited: the page of a link is open to everyone. */
export const findLinkByKey = async (
  db: Queryable,
  { appId, now, linkKey }: Wish & Pick<PaymentLink, 'linkKey'>,
) => (await db.query(BY_KEY, [appId, now, linkKey]))[0]

const PAGE = sql<LinkWithTotals>(
  'links.page',
  `${WITH_TOTALS} and ($3::text is null or (created_time, link_id) < (
       select created_time, link_id from payment_links where app_id = $1 and link_id = $3))
     order by created_time desc, link_id desc limit $4${THEIR_TOTALS}
   order by l.created_time desc, l.link_id desc`,
)

interface PageWish {
  /** A page begins after this one. */
  readonly before: string | undefined
  readonly limit: number
}

export const pageOfLinks = (db: Queryable, { appId, now, before, limit }: Wish & PageWish) =>
  db.query(PAGE, [appId, now, before ?? null, limit])

const PAYMENTS = sql<{ readonly paymentId: number }>(
  'links.payments',
  `select p.payment_id from payment_link_places t
   join payments p on p.app_id = t.app_id and p.reference_id = t.reference_id
   where t.app_id = $1 and t.link_id = $2 and ($3::bigint is null or (t.taken_time, t.reference_id) < (
     select u.taken_time, u.reference_id from payment_link_places u
     join payments q on q.app_id = u.app_id and q.reference_id = u.reference_id
     where q.app_id = $1 and q.payment_id = $3))
   order by t.taken_time desc, t.reference_id desc limit $4`,
)

/** The newest come first. */
export const paymentIdsOfLink = async (
  db: Queryable,
  { appId, linkId }: PaymentLink,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<number[]> =>
  (await db.query(PAYMENTS, [appId, linkId, before ?? null, limit])).map(({ paymentId }) => paymentId)

const WITHDRAW = sql<{ readonly linkId: string }>(
  'links.withdraw',
  `update payment_links set withdrawn_time = $3
   where app_id = $1 and link_id = $2 and withdrawn_time is null returning link_id`,
)

/** False: it was withdrawn before. */
export const withdrawStored = async (
  tx: Queryable,
  { appId, linkId }: PaymentLink,
  now: Date,
): Promise<boolean> => (await tx.query(WITHDRAW, [appId, linkId, now])).length > 0

const LOCK = sql<PaymentLink>(
  'links.lock',
  `select ${COLUMNS} from payment_links where app_id = $1 and link_id = $2 for update`,
)

/** Locked until the transaction ends, so that places are taken one after the other. */
export const lockLink = async (
  tx: Queryable,
  { appId, linkId }: PaymentLink,
): Promise<PaymentLink | undefined> => (await tx.query(LOCK, [appId, linkId]))[0]

const OTHERS = sql<LinkTotals>(
  'links.otherPlaces',
  `${TOTALS} where t.app_id = $1 and t.link_id = $3 and t.reference_id <> $4`,
)

export interface LinkPlace {
  readonly referenceId: string
  readonly takenTime: Date
  readonly heldUntil: Date
}

/** The totals without the place of this reference. */
export const totalsOfOthers = async (
  tx: Queryable,
  { appId, linkId }: PaymentLink,
  { takenTime, referenceId }: LinkPlace,
): Promise<LinkTotals | undefined> => (await tx.query(OTHERS, [appId, takenTime, linkId, referenceId]))[0]

const TAKE = sql<never>(
  'links.takePlace',
  `insert into payment_link_places (app_id, link_id, reference_id, taken_time, held_until)
   values ($1, $2, $3, $4, $5) on conflict (app_id, reference_id) do update
   set held_until = excluded.held_until`,
)

export async function insertPlace(
  tx: Queryable,
  { appId, linkId }: PaymentLink,
  place: LinkPlace,
): Promise<void> {
  await tx.query(TAKE, [appId, linkId, place.referenceId, place.takenTime, place.heldUntil])
}

const FREE = sql<never>(
  'links.freePlace',
  'update payment_link_places set held_until = $3 where app_id = $1 and reference_id = $2',
)

/** A place whose payment was created meanwhile keeps counting. */
export async function freePlace(
  db: Queryable,
  { appId }: PaymentLink,
  { referenceId, takenTime }: LinkPlace,
): Promise<void> {
  await db.query(FREE, [appId, referenceId, takenTime])
}
