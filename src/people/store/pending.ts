import { type Due, type Queryable, sql } from '../../db/database.ts'

const INSERT = sql<never>(
  'pending.insert',
  'insert into pending_sign_ins (token_hash, person_id, expires_time) values ($1, $2, $3)',
)
const FIND = sql<PendingSignIn>(
  'pending.find',
  `select i.person_id, p.email, p.access_version, exists (select from person_networks n
     where n.person_id = i.person_id and n.network = $3) as is_known_network
   from pending_sign_ins i join people p using (person_id)
   where i.token_hash = $1 and i.expires_time > $2 and not p.is_disabled`,
)
const TAKE_TRY = sql<{ tries: number }>(
  'pending.take_try',
  'update pending_sign_ins set tries = tries + 1 where token_hash = $1 and tries < $2 returning tries',
)
const END = sql<{ personId: string }>(
  'pending.end',
  'delete from pending_sign_ins where token_hash = $1 returning person_id',
)

export interface PendingSignIn {
  readonly personId: string
  readonly email: string
  readonly accessVersion: number
  readonly isKnownNetwork: boolean
}

export async function insertPending(db: Queryable, hash: Uint8Array, personId: string, expiresTime: Date) {
  await db.query(INSERT, [hash, personId, expiresTime])
}

export const selectPending = async (db: Queryable, hash: Uint8Array, now: Date, network: string) =>
  (await db.query(FIND, [hash, now, network]))[0]

/** False when all tries are used up. */
export const takePendingTry = async (db: Queryable, hash: Uint8Array, most: number): Promise<boolean> =>
  (await db.query(TAKE_TRY, [hash, most])).length > 0

/** False when another request ended it first. */
export const endPending = async (db: Queryable, hash: Uint8Array): Promise<boolean> =>
  (await db.query(END, [hash])).length > 0

export const pendingDue: Due = (now) => `pending_sign_ins where expires_time < ${now}`

const FORGET = sql<{ personId: string }>(
  'pending.forget',
  `delete from pending_sign_ins where token_hash in (
     select token_hash from ${pendingDue('$1::timestamptz')} limit $2) returning person_id`,
)

export const forgetPending = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(FORGET, [now, most])).length
