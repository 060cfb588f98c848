import { LIMITS } from '../base/limits.ts'
import { ago, type Due, type Queryable, sql } from '../db/database.ts'
import type { Handles, MethodKind } from '../providers/outcome.ts'
import type { MethodConsent } from './method-store.ts'

/** The setup of a method that is stored without a payment. */
export interface StoredSetup {
  readonly key: string
  readonly customerId: string
  readonly profileId: number
  readonly kind: MethodKind
  readonly handles: Handles | null
  readonly consent: MethodConsent
  readonly createdTime: Date
}

const INSERT = sql<never>(
  'keepings.insert',
  `insert into method_keepings (app_id, keeping_key, customer_id, profile_id, kind, consent_text,
     consent_time, consent_ip, created_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (app_id, keeping_key) do nothing`,
)
const FIND = sql<StoredSetup>(
  'keepings.find',
  `select keeping_key as key, customer_id, profile_id, kind, handles, consent_text as "consent.text",
     consent_time as "consent.time", consent_ip as "consent.ip", created_time
   from method_keepings where app_id = $1 and keeping_key = $2`,
)
const NOTE_HANDLES = sql<never>(
  'keepings.note_handles',
  'update method_keepings set handles = $3 where app_id = $1 and keeping_key = $2',
)

export const setupsDue: Due = (now) => `method_keepings where created_time < ${ago(now, LIMITS.panelKeptMs)}`

const FORGET = sql<{ appId: string }>(
  'keepings.forget',
  `delete from method_keepings where (app_id, keeping_key) in (
     select app_id, keeping_key from ${setupsDue('$1::timestamptz')} limit $2)
   returning app_id`,
)

export async function insertSetup(
  db: Queryable,
  appId: string,
  row: Omit<StoredSetup, 'handles'>,
): Promise<void> {
  const { key, customerId, profileId, kind, consent, createdTime } = row
  const { text, time, ip } = consent
  await db.query(INSERT, [appId, key, customerId, profileId, kind, text, time, ip, createdTime])
}

export const findSetup = async (db: Queryable, appId: string, key: string) =>
  (await db.query(FIND, [appId, key]))[0]

export async function noteHandles(db: Queryable, appId: string, key: string, handles: Handles) {
  await db.query(NOTE_HANDLES, [appId, key, JSON.stringify(handles)])
}

export const forgetSetups = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(FORGET, [now, most])).length

const CLEAR_DEFAULT = sql<never>(
  'methods.clear_default',
  `update payment_methods set is_default = false
   where app_id = $1 and customer_id = $2 and is_default and removed_time is null`,
)
const SET_DEFAULT = sql<never>(
  'methods.set_default',
  `update payment_methods set is_default = true
   where app_id = $1 and customer_id = $2 and payment_method_id = $3 and removed_time is null`,
)

/** Two statements, because the unique index is checked row by row. The caller holds the customer lock. */
export async function replaceDefault(tx: Queryable, appId: string, customerId: string, methodId: number) {
  await tx.query(CLEAR_DEFAULT, [appId, customerId])
  await tx.query(SET_DEFAULT, [appId, customerId, methodId])
}
