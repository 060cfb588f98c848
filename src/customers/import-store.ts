import { type Queryable, sql } from '../db/database.ts'
import type { CardFacts, MethodKind } from '../providers/outcome.ts'

/** A token that a stored method of the app has. */
export interface KnownToken {
  readonly customerId: string
  readonly importId: string | null
}

const KNOWN_TOKENS = sql<KnownToken & { readonly profileId: number; readonly hash: string }>(
  'customers.known_tokens',
  `select m.customer_id, m.import_id, t.profile_id, encode(t.token_hash, 'hex') as hash
   from json_to_recordset($2) as r ("profileId" bigint, hash text)
     join payment_method_tokens t on t.app_id = $1 and t.profile_id = r."profileId"
       and t.token_hash = decode(r.hash, 'hex') and t.removed_time is null
     join payment_methods m on m.app_id = t.app_id and m.payment_method_id = t.payment_method_id`,
)

/** Hashes are in hexadecimal. */
export const knownTokens = (
  db: Queryable,
  appId: string,
  tokens: readonly { readonly profileId: number; readonly hash: string }[],
) => db.query(KNOWN_TOKENS, [appId, JSON.stringify(tokens)])

const LOCK_TOKENS = sql<never>(
  'customers.lock_tokens',
  `select pg_advisory_xact_lock(key) from (
     select distinct hashtextextended($1 || ' ' || "profileId" || ' ' || hash, 0) as key
     from json_to_recordset($2) as r ("profileId" bigint, hash text) order by key offset 0) k`,
)

/**
 * Serialises imports of a token at a profile, for any customer. Taken before the locks of customers and in
 * one order, so that no two transactions wait for each other.
 */
export async function lockTokens(
  tx: Queryable,
  appId: string,
  tokens: readonly { readonly profileId: number; readonly hash: string }[],
): Promise<void> {
  await tx.query(LOCK_TOKENS, [appId, JSON.stringify(tokens)])
}

// In one order, so that two of these transactions never wait for each other.
const LOCK_CUSTOMERS = sql<{ customerId: string }>(
  'customers.lock_many',
  `select customer_id from customers where app_id = $1 and customer_id = any ($2::text[])
   order by customer_id for no key update`,
)

const WITH_METHODS = sql<{ customerId: string }>(
  'customers.with_methods',
  `select distinct customer_id from payment_methods where app_id = $1 and customer_id = any ($2::text[])`,
)

/** Locks these customers until the transaction ends. */
export async function lockCustomers(tx: Queryable, appId: string, customerIds: readonly string[]) {
  await tx.query(LOCK_CUSTOMERS, [appId, customerIds])
}

/** Which of these customers have a method, or had one. */
export async function customersWithMethods(
  db: Queryable,
  appId: string,
  customerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await db.query(WITH_METHODS, [appId, customerIds])
  return new Set(found.map(({ customerId }) => customerId))
}

export interface VerifiedRow {
  readonly customerId: string
  readonly importId: string | null
  readonly profileId: number
  readonly kind: MethodKind
  readonly label: string
  readonly fingerprint: string | null
  readonly card: CardFacts | null
  readonly consentText: string
  readonly consentTime: Date
  /** Sealed, in hexadecimal. */
  readonly token: string
  /** In hexadecimal. */
  readonly hash: string
}

export interface AddedMethod {
  readonly customerId: string
  readonly paymentMethodId: number
  readonly paymentMethodType: MethodKind
  readonly profileId: number
}

const INSERT_VERIFIED = sql<AddedMethod>(
  'customers.insert_verified',
  `with rows as materialized (
     select * from json_to_recordset($3) as r ("customerId" text, "importId" text, "profileId" bigint,
       kind text, label text, fingerprint text, card json, "consentText" text, "consentTime" timestamptz,
       token text, hash text)
   ), methods as (
     insert into payment_methods (app_id, customer_id, kind, label, fingerprint, card, is_default,
       verification_state, created_time, consent_text, consent_time, imported_time, import_id)
     select $1, "customerId", kind, label, fingerprint, card, true, 'Verified', $2, "consentText",
       "consentTime", $2, "importId" from rows
     returning payment_method_id, customer_id
   ), tokens as (
     insert into payment_method_tokens (app_id, payment_method_id, profile_id, token, token_hash,
       created_time)
     select $1, payment_method_id, "profileId", decode(token, 'hex'), decode(hash, 'hex'), $2
     from methods join rows on "customerId" = customer_id
   )
   select customer_id, payment_method_id, kind as payment_method_type, "profileId" as profile_id
   from methods join rows on "customerId" = customer_id`,
)

/** Each becomes the default of its customer, who has no other. */
export const insertVerified = (
  tx: Queryable,
  appId: string,
  now: Date,
  rows: readonly VerifiedRow[],
): Promise<AddedMethod[]> => tx.query(INSERT_VERIFIED, [appId, now, JSON.stringify(rows)])
