import { type Queryable, sql } from '../db/database.ts'

const ADD = sql<never>(
  'mails.optOut',
  `insert into mail_opt_outs (app_id, address_hash, created_time) values ($1, $2, $3) on conflict do nothing`,
)
const FIND = sql<{ found: boolean }>(
  'mails.isOptedOut',
  'select exists (select from mail_opt_outs where app_id = $1 and address_hash = any ($2::bytea[])) as found',
)

export async function insertOptOut(db: Queryable, appId: string, hash: Uint8Array, now: Date): Promise<void> {
  await db.query(ADD, [appId, hash, now])
}

/** Looks for one address under several keys. */
export async function hasOptedOut(
  db: Queryable,
  appId: string,
  hashes: readonly Uint8Array[],
): Promise<boolean> {
  const [row] = await db.query(FIND, [appId, hashes])
  return row?.found ?? false
}
