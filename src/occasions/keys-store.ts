import { type Due, type Queryable, sql } from '../db/database.ts'

/** An API key whose maker has had no e-mail about it yet. */
export interface UnannouncedKey {
  readonly keyId: string
  readonly name: string
  /** The last characters of the key. */
  readonly hint: string
  readonly createdTime: Date
  readonly app: string
  /** Null: the person has no account any more. */
  readonly email: string | null
  readonly language: string | null
}

export const unannouncedKeysDue: Due = (now) =>
  `api_keys where created_by is not null and told_time is null and created_time <= ${now}`

const TAKE = sql<UnannouncedKey>(
  'occasions.keys',
  `with told as (
     update api_keys k set told_time = $1 where (k.app_id, k.key_id) in (
       select app_id, key_id from ${unannouncedKeysDue('$1::timestamptz')}
       order by created_time limit $2 for update skip locked)
     returning k.app_id, k.key_id, k.name, k.hint, k.created_time, k.created_by)
   select t.key_id, t.name, t.hint, t.created_time, a.friendly_name as app, p.email, p.language
   from told t join apps a on a.app_id = t.app_id left join people p on p.person_id = t.created_by
   order by t.created_time, t.key_id`,
)

/** Marks the oldest of these keys as announced, in the transaction that queues the e-mails. */
export const takeUnannouncedKeys = (tx: Queryable, now: Date, limit: number): Promise<UnannouncedKey[]> =>
  tx.query(TAKE, [now, limit])
