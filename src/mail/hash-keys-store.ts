import { type Queryable, sql } from '../db/database.ts'

const INSERT = sql<never>(
  'mails.store_key',
  'insert into installation_keys (purpose, sealed) values ($1, $2) on conflict do nothing',
)
const FIND = sql<{ sealed: Uint8Array }>(
  'mails.find_key',
  'select sealed from installation_keys where purpose = $1',
)

export async function insertKeyIfAbsent(db: Queryable, purpose: string, sealed: Uint8Array): Promise<void> {
  await db.query(INSERT, [purpose, sealed])
}

export async function selectInstallationKey(db: Queryable, purpose: string): Promise<Uint8Array | undefined> {
  const [row] = await db.query(FIND, [purpose])
  return row?.sealed
}
