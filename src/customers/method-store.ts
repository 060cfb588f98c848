import { assert } from '../base/assert.ts'
import { LIMITS } from '../base/limits.ts'
import { type Queryable, sql } from '../db/database.ts'
import { asMembers } from '../db/rows.ts'
import type { CardFacts, MethodKind } from '../providers/outcome.ts'

/** `Unverified`: waits for two small amounts to be confirmed; too many wrong tries fail the verification. */
export type VerificationState = 'Verified' | 'Unverified' | 'VerificationFailed'

/** A stored card, account or wallet of a customer, with its provider tokens. */
export interface Method {
  readonly paymentMethodId: number
  readonly kind: MethodKind
  readonly label: string
  readonly fingerprint: string | null
  readonly card: CardFacts | null
  readonly nickname: string | null
  readonly isDefault: boolean
  readonly verificationState: VerificationState
  readonly createdTime: Date
  readonly removedTime: Date | null
  /** When the card's details were renewed; null: never. */
  readonly cardChangedTime: Date | null
  /** When its token came from elsewhere; null: it was stored through this service. */
  readonly importedTime: Date | null
  readonly tokens: readonly Token[]
}

/** A method's registration at one provider profile. */
export interface Token {
  readonly tokenId: number
  readonly profileId: number
  /** Sealed. */
  readonly token: Uint8Array
  readonly removedTime: Date | null
  /** Data of the payment that registered it; null when it was stored without a payment. */
  readonly registeredIn: RegisteredIn | null
}

/** The currency of the payment that registered a method, and when that payment was created. */
export interface RegisteredIn {
  readonly currency: string
  readonly time: Date
}

/** A method with one of its tokens. */
interface MethodAndToken extends Omit<Method, 'tokens'> {
  readonly token: Omit<Token, 'registeredIn'> | { readonly tokenId: null }
  readonly registeredIn: RegisteredIn | { readonly time: null }
}

const COLUMNS = `m.payment_method_id, m.kind, m.label, m.fingerprint, m.card, m.nickname, m.is_default,
  m.verification_state, m.created_time, m.removed_time, m.card_changed_time, m.imported_time,
  ${asMembers('t', 'token_id, profile_id, token, removed_time', { of: 'token' })},
  t.currency as "registeredIn.currency", t.currency_time as "registeredIn.time"`

const JOINED = `payment_methods m left join payment_method_tokens t
  on t.app_id = m.app_id and t.payment_method_id = m.payment_method_id`

const LIST_LIVE = sql<MethodAndToken>(
  'methods.list_live',
  `select ${COLUMNS} from ${JOINED} and t.removed_time is null
   where m.app_id = $1 and m.customer_id = $2 and m.removed_time is null
   order by m.payment_method_id desc, t.token_id desc limit ${LIMITS.storedMethodsShown}`,
)

const LIST_ALL = sql<MethodAndToken>(
  'methods.list_all',
  `select ${COLUMNS} from ${JOINED} where m.app_id = $1 and m.customer_id = $2
   order by m.payment_method_id desc, t.token_id desc limit ${LIMITS.storedMethodsShown}`,
)

const TOKEN = sql<{ token: Uint8Array }>(
  'methods.token',
  'select token from payment_method_tokens where app_id = $1 and token_id = $2',
)

const LOCK_CUSTOMER = sql<{ customerId: string }>(
  'methods.lock_customer',
  'select customer_id from customers where app_id = $1 and customer_id = $2 for no key update',
)

const INSERT_METHOD = sql<{ paymentMethodId: number }>(
  'methods.insert',
  `insert into payment_methods (app_id, customer_id, kind, label, fingerprint, card, is_default,
     verification_state, created_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning payment_method_id`,
)

const INSERT_TOKEN = sql<{ tokenId: number }>(
  'methods.insert_token',
  `insert into payment_method_tokens (app_id, payment_method_id, profile_id, token, created_time)
   values ($1, $2, $3, $4, $5) returning token_id`,
)

const REPLACE_TOKEN = sql<never>(
  'methods.replace_token',
  'update payment_method_tokens set token = $3 where app_id = $1 and token_id = $2',
)

const NOTE_CURRENCY = sql<never>(
  'methods.note_currency',
  `update payment_method_tokens set currency = $3, currency_time = $4
   where app_id = $1 and token_id = $2 and (currency_time is null or currency_time < $4)`,
)

const REFRESH_METHOD = sql<never>(
  'methods.refresh',
  `update payment_methods set label = $3, card = $4, card_changed_time = $5
   where app_id = $1 and payment_method_id = $2`,
)

const RECORD_CONSENT = sql<never>(
  'methods.record_consent',
  `update payment_methods set consent_text = $3, consent_time = $4, consent_ip = $5
   where app_id = $1 and payment_method_id = $2`,
)

const SET_VERIFICATION = sql<never>(
  'methods.set_verification',
  'update payment_methods set verification_state = $3 where app_id = $1 and payment_method_id = $2',
)

const REMOVE_METHOD = sql<{ paymentMethodId: number }>(
  'methods.remove',
  `with method as (
     update payment_methods set removed_time = $4, is_default = false
     where app_id = $1 and customer_id = $2 and payment_method_id = $3 and removed_time is null
     returning app_id, payment_method_id
   ), tokens as (
     update payment_method_tokens t set removed_time = $4 from method m
     where t.app_id = m.app_id and t.payment_method_id = m.payment_method_id and t.removed_time is null
   )
   select payment_method_id from method`,
)

const REMOVE_TOKEN = sql<{ tokenId: number }>(
  'methods.remove_token',
  `update payment_method_tokens t set removed_time = $4 from payment_methods m
   where t.app_id = $1 and t.token_id = $3 and t.removed_time is null and m.app_id = t.app_id
     and m.payment_method_id = t.payment_method_id and m.customer_id = $2 and m.removed_time is null
   returning t.token_id`,
)

/** The customer's methods with their tokens, newest first. */
export const liveMethods = async (db: Queryable, appId: string, customerId: string): Promise<Method[]> =>
  grouped(await db.query(LIST_LIVE, [appId, customerId]))

/** Includes removed methods. */
export const allMethods = async (db: Queryable, appId: string, customerId: string): Promise<Method[]> =>
  grouped(await db.query(LIST_ALL, [appId, customerId]))

/** The sealed token of a registration, removed ones included. */
export const findToken = async (
  db: Queryable,
  appId: string,
  tokenId: number,
): Promise<Uint8Array | undefined> => (await db.query(TOKEN, [appId, tokenId]))[0]?.token

const METHOD_BY_HASH = sql<{ customerId: string; paymentMethodId: number; importId: string | null }>(
  'customers.method_by_hash',
  `select m.customer_id, m.payment_method_id, m.import_id from payment_method_tokens t
     join payment_methods m on m.app_id = t.app_id and m.payment_method_id = t.payment_method_id
   where t.app_id = $1 and t.profile_id = $2 and t.token_hash = $3 and t.removed_time is null`,
)

/** The stored method that has this token at a profile. */
export async function methodByHash(
  db: Queryable,
  appId: string,
  { profileId, hash }: { readonly profileId: number; readonly hash: Uint8Array },
) {
  return (await db.query(METHOD_BY_HASH, [appId, profileId, hash]))[0]
}

/**
 * Serializes imports of one token at a profile, for all customers. Taken before the lock of the customer,
 * one in a transaction, so that no two wait for each other.
 */
const LOCK_TOKEN = sql<never>(
  'customers.lock_token',
  `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2::bigint || ' ' || encode($3, 'hex'), 0))`,
)

export async function lockToken(
  tx: Queryable,
  appId: string,
  { profileId, hash }: { readonly profileId: number; readonly hash: Uint8Array },
): Promise<void> {
  await tx.query(LOCK_TOKEN, [appId, profileId, hash])
}

function grouped(rows: readonly MethodAndToken[]): Method[] {
  const methods = new Map<number, Method & { tokens: Token[] }>()
  for (const { token, registeredIn, ...facts } of rows) {
    const method = methods.get(facts.paymentMethodId) ?? { ...facts, tokens: [] }
    methods.set(facts.paymentMethodId, method)
    if (token.tokenId !== null)
      method.tokens.push({ ...token, registeredIn: registeredIn.time === null ? null : registeredIn })
  }
  return [...methods.values()]
}

/** Serializes registrations of one customer: concurrent ones would not see each other's method. */
export async function lockCustomer(tx: Queryable, appId: string, customerId: string): Promise<void> {
  await tx.query(LOCK_CUSTOMER, [appId, customerId])
}

export interface NewMethod extends Pick<Method, 'kind' | 'label' | 'fingerprint' | 'card' | 'isDefault'> {
  readonly verificationState: VerificationState
  readonly createdTime: Date
}

export async function insertMethod(
  tx: Queryable,
  appId: string,
  customerId: string,
  method: NewMethod,
): Promise<number> {
  const { kind, label, fingerprint, card, isDefault, verificationState, createdTime } = method
  const values = [kind, label, fingerprint, card, isDefault, verificationState, createdTime]
  const [row] = await tx.query(INSERT_METHOD, [appId, customerId, ...values])
  assert(row, 'an insert returns its row')
  return row.paymentMethodId
}

export interface NewToken {
  readonly paymentMethodId: number
  readonly profileId: number
  readonly token: Uint8Array
  readonly createdTime: Date
}

export async function insertToken(tx: Queryable, appId: string, token: NewToken): Promise<number> {
  const values = [appId, token.paymentMethodId, token.profileId, token.token, token.createdTime]
  const [row] = await tx.query(INSERT_TOKEN, values)
  assert(row, 'an insert returns its row')
  return row.tokenId
}

export async function replaceToken(
  tx: Queryable,
  appId: string,
  tokenId: number,
  token: Uint8Array,
): Promise<void> {
  await tx.query(REPLACE_TOKEN, [appId, tokenId, token])
}

/**
 * The newest registering payment decides: a repeated report of an older one changes nothing. Decision 0093.
 */
export async function noteCurrency(
  tx: Queryable,
  appId: string,
  tokenId: number,
  { currency, time }: RegisteredIn,
): Promise<void> {
  await tx.query(NOTE_CURRENCY, [appId, tokenId, currency, time])
}

/** A renewed card keeps its fingerprint and gets a new expiry. */
export async function refreshMethod(
  tx: Queryable,
  appId: string,
  paymentMethodId: number,
  { label, card, cardChangedTime }: Pick<Method, 'label' | 'card' | 'cardChangedTime'>,
): Promise<void> {
  await tx.query(REFRESH_METHOD, [appId, paymentMethodId, label, card, cardChangedTime])
}

/** The customer's consent to store the method. */
export interface MethodConsent {
  /** Identifies the wording, its version and language. */
  readonly text: string
  readonly time: Date
  readonly ip: string | null
}

export async function recordConsent(
  tx: Queryable,
  appId: string,
  paymentMethodId: number,
  { text, time, ip }: MethodConsent,
): Promise<void> {
  await tx.query(RECORD_CONSENT, [appId, paymentMethodId, text, time, ip])
}

const MARK_IMPORTED = sql<never>(
  'methods.mark_imported',
  `update payment_methods set imported_time = $3, import_id = $4
   where app_id = $1 and payment_method_id = $2 and imported_time is null and created_time = $3`,
)

/** Only a method that the import has made: others were stored through this service. */
export async function markImported(
  tx: Queryable,
  appId: string,
  paymentMethodId: number,
  { time, importId }: { readonly time: Date; readonly importId: string | null },
): Promise<void> {
  await tx.query(MARK_IMPORTED, [appId, paymentMethodId, time, importId])
}

export async function setVerification(
  db: Queryable,
  appId: string,
  paymentMethodId: number,
  state: VerificationState,
): Promise<void> {
  await db.query(SET_VERIFICATION, [appId, paymentMethodId, state])
}

export interface MethodRemoval {
  readonly customerId: string
  readonly id: number
  readonly now: Date
}

/** Removes the method and its tokens. False when there is no such method. */
export const removeMethodRow = async (db: Queryable, appId: string, removal: MethodRemoval) =>
  (await db.query(REMOVE_METHOD, [appId, removal.customerId, removal.id, removal.now])).length > 0

export const removeTokenRow = async (db: Queryable, appId: string, removal: MethodRemoval) =>
  (await db.query(REMOVE_TOKEN, [appId, removal.customerId, removal.id, removal.now])).length > 0
