import { type Queryable, sql } from '../../db/database.ts'
import type { CardTry } from './rules.ts'

/** More than the limits of any network; a `never` is among the last tries, because it stops them. */
const TRIES_READ = 500

const READ = sql<{ version: number; time: Date | null } & Omit<CardTry, 'time'>>(
  'retry.read',
  `select c.version, t.currency, t.amount_minor, t.try_time as time, o.status,
     o.outcome ->> 'why' as reason, o.outcome ->> 'retry' as retry,
     coalesce((o.outcome ->> 'byNetwork')::boolean, false) as by_network
   from charged_cards c
     left join lateral (select * from card_tries l where l.app_id = c.app_id and l.card = c.card
       order by l.try_time desc limit ${TRIES_READ}) t on true
     left join operations o on o.app_id = t.app_id and o.operation_key = t.operation_key
   where c.app_id = $1 and c.card = $2 order by t.try_time desc`,
)

const WRITE = sql<{ operationKey: string }>(
  'retry.write',
  `with counted as (
     insert into charged_cards as c (app_id, card, version) values ($1, $2, 1)
     on conflict (app_id, card) do update set version = c.version + 1
     where $3::integer is null or c.version = $3
     returning app_id, card
   )
   insert into card_tries (app_id, card, operation_key, currency, amount_minor, try_time)
   select app_id, card, $4, $5, $6, $7 from counted returning operation_key`,
)

const REMOVE = sql<never>('retry.remove', 'delete from card_tries where app_id = $1 and operation_key = $2')

export interface CardHistory {
  /** 0: the card was never charged. */
  readonly version: number
  /** Newest first. */
  readonly tries: readonly CardTry[]
}

export async function readTries(db: Queryable, appId: string, card: string): Promise<CardHistory> {
  const rows = await db.query(READ, [appId, card])
  const tries = rows.flatMap(({ version: _version, time, ...one }) => (time ? { ...one, time } : []))
  return { version: rows[0]?.version ?? 0, tries }
}

export interface NewTry {
  readonly card: string
  readonly operationKey: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly time: Date
  /** Written only while the card has this version; null: always. */
  readonly version: number | null
}

/** False when another charge of the card was written since. */
export async function writeTry(db: Queryable, appId: string, one: NewTry): Promise<boolean> {
  const { card, version, operationKey, currency, amountMinor, time } = one
  const values = [appId, card, version, operationKey, currency, amountMinor, time]
  return (await db.query(WRITE, values)).length > 0
}

export async function removeTry(db: Queryable, appId: string, operationKey: string): Promise<void> {
  await db.query(REMOVE, [appId, operationKey])
}
