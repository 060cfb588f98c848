import { DAY, HOUR } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import type { Job } from '../../jobs/loop.ts'
import { ABOUT_PAYMENT, MONTH } from './rules.ts'

/** Longer than every window of the rules. Decision 0190. */
const KEPT_MS = MONTH + DAY
const BATCH = 1_000

const oldTries = (now: string) => `not t.is_kept and t.try_time < ${ago(now, KEPT_MS)}`

const oldTriesDue: Due = (now) =>
  `apps a where exists (select from card_tries t where t.app_id = a.app_id and ${oldTries(now)})`

const APPS = sql<{ appId: string }>(
  'retry.apps_with_old',
  `select a.app_id from ${oldTriesDue('$1::timestamptz')}`,
)

/**
 * The oldest tries of an app. `isStopped` in rules.ts reads back to the newest approved or final one, so that
 * one is kept, in place of the one that was kept before.
 */
const REMOVE = sql<{ count: number }>(
  'retry.remove_old',
  `with page as (
     select t.card, t.operation_key, t.try_time,
       coalesce(o.status = 'done' or (o.status = 'declined' and o.outcome ->> 'retry' = 'never'
         and (o.outcome ->> 'byNetwork' is not null
           or coalesce(o.outcome ->> 'why', '') <> all ($3))), false) as decides
     from card_tries t left join operations o on o.app_id = t.app_id and o.operation_key = t.operation_key
     where t.app_id = $1 and ${oldTries('$2::timestamptz')}
     order by t.try_time limit $4
   ), newest as (
     select distinct on (card) card, operation_key from page where decides order by card, try_time desc
   ), gone as (
     delete from card_tries t where t.app_id = $1 and (
       t.operation_key in (select operation_key from page except select operation_key from newest)
       or (t.is_kept and t.card in (select card from newest)))
   ), kept as (
     update card_tries t set is_kept = true from newest n
     where t.app_id = $1 and t.operation_key = n.operation_key
   )
   select count(*)::integer as count from page`,
)

const removeOld = async (db: Queryable, appId: string, now: Date): Promise<number> =>
  (await db.query(REMOVE, [appId, now, [...ABOUT_PAYMENT], BATCH]))[0]?.count ?? 0

/** Removes tries that no rule counts any more. */
export const triesRemovalJob = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'card tries removal',
  everyMs: HOUR,
  due: [oldTriesDue],
  async runOnce() {
    const now = clock.now()
    let removed = 0
    for (const { appId } of await db.query(APPS, [now])) removed += await removeOld(db, appId, now)
    return removed
  },
})
