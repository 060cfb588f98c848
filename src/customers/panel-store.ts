import { LIMITS } from '../base/limits.ts'
import { ago, type Due, type Queryable, sql } from '../db/database.ts'
import type { PanelGrant } from './panel.ts'

/** A stored panel session. Only hashes of its cookie and its link are stored. */
export interface StoredPanelSession {
  readonly sessionHash: Uint8Array
  readonly linkHash: Uint8Array
  readonly grant: PanelGrant
  readonly expiresTime: Date
}

const INSERT = sql<{ customerId: string }>(
  'panel.insert',
  `insert into panel_sessions (app_id, session_hash, link_hash, customer_id, link_grant, expires_time)
   values ($1, $2, $3, $4, $5, $6) on conflict (app_id, link_hash) do nothing returning customer_id`,
)
const FIND = sql<StoredPanelSession>(
  'panel.find',
  `select session_hash, link_hash, link_grant as grant, expires_time from panel_sessions
   where app_id = $1 and session_hash = $2`,
)
const EXTEND = sql<never>(
  'panel.extend',
  `update panel_sessions set expires_time = $3
   where app_id = $1 and session_hash = $2 and expires_time < $3`,
)
const END = sql<never>(
  'panel.end',
  `update panel_sessions set expires_time = $3
   where app_id = $1 and session_hash = $2 and expires_time > $3`,
)
const TAKE_TRY = sql<{ tries: number }>(
  'panel.take_try',
  `update panel_sessions set tries = tries + 1
   where app_id = $1 and session_hash = $2 and tries < $3 returning tries`,
)

export const sessionsDue: Due = (now) => `panel_sessions where expires_time < ${ago(now, LIMITS.panelKeptMs)}`

const FORGET = sql<{ appId: string }>(
  'panel.forget',
  `delete from panel_sessions where (app_id, session_hash) in (
     select app_id, session_hash from ${sessionsDue('$1::timestamptz')} limit $2)
   returning app_id`,
)

/** False when the link has already been used. */
export async function insertSession(db: Queryable, appId: string, row: StoredPanelSession): Promise<boolean> {
  const { sessionHash, linkHash, grant, expiresTime } = row
  const values = [appId, sessionHash, linkHash, grant.customerId, JSON.stringify(grant), expiresTime]
  return (await db.query(INSERT, values)).length > 0
}

export const selectSession = async (
  db: Queryable,
  appId: string,
  sessionHash: Uint8Array,
): Promise<StoredPanelSession | undefined> => (await db.query(FIND, [appId, sessionHash]))[0]

export async function extendSession(db: Queryable, appId: string, hash: Uint8Array, until: Date) {
  await db.query(EXTEND, [appId, hash, until])
}

export async function endSession(db: Queryable, appId: string, hash: Uint8Array, now: Date) {
  await db.query(END, [appId, hash, now])
}

/** False when the limit is reached. */
export const takeTry = async (db: Queryable, appId: string, hash: Uint8Array, most: number) =>
  (await db.query(TAKE_TRY, [appId, hash, most])).length > 0

export const forgetSessions = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(FORGET, [now, most])).length
