import { assert } from '../../base/assert.ts'
import { batchSql, type Database, type Due, type Queryable, sql } from '../../db/database.ts'
import { inputRows } from '../../db/input.ts'
import { lookup } from '../../db/lookup.ts'
import type { Fault } from './rules/faults.ts'
import type { BankMethod, LedgerEntry, LedgerPayment } from './rules/payment.ts'

/** An account without faults or a moved clock has no row; it has version 0, no offset and no faults. */
export interface Account {
  readonly account: string
  readonly version: number
  readonly clockOffsetMs: number
  readonly faults: readonly Fault[]
}

export interface VersionedPayment {
  readonly version: number
  readonly payment: LedgerPayment
}

interface EarlierAnswer {
  readonly fingerprint: string
  readonly status: number
  readonly answer: string
}

export interface BankState {
  readonly account: Account
  readonly current?: VersionedPayment
  /** The answer that was given to this idempotency key before. */
  readonly earlier?: EarlierAnswer
}

/** What does not exist has null members. */
interface FoundState {
  readonly account: Account
  readonly current: VersionedPayment | { readonly version: null }
  readonly earlier: EarlierAnswer | { readonly status: null }
}

interface LookupKey {
  readonly account: string
  readonly payment: string | undefined
  readonly request: string | undefined
}

const stateLookup = (name: string, column: 'payment_id' | 'reference') =>
  lookup<LookupKey, FoundState>(name, {
    columns: 'account text, payment text, request text',
    finds: `select i.account as "account.account", coalesce(a.version, 0) as "account.version",
            coalesce(a.clock_offset_ms, 0) as "account.clock_offset_ms",
            coalesce(a.faults, '[]') as "account.faults",
            p.version as "current.version", p.document as "current.payment",
            r.fingerprint as "earlier.fingerprint", r.status as "earlier.status", r.answer as "earlier.answer"
       from (select 1) one
       left join sandbox_bank.accounts a on a.account = i.account
       left join sandbox_bank.payments p on p.account = i.account and p.${column} = i.payment
       left join sandbox_bank.requests r on r.account = i.account and r.request_key = i.request`,
  })
const findById = stateLookup('sandbox_bank.see', 'payment_id')
const findByReference = stateLookup('sandbox_bank.see_reference', 'reference')

export interface BankLookup {
  readonly account: string
  readonly paymentId?: string | undefined
  readonly reference?: string | undefined
  readonly requestKey?: string | undefined
}

/** Reads the account, the payment and the earlier answer in one statement. */
export async function readState(
  db: Database,
  { account, paymentId, reference, requestKey }: BankLookup,
): Promise<BankState> {
  const found = reference
    ? await db.batch(findByReference, { account, payment: reference, request: requestKey })
    : await db.batch(findById, { account, payment: paymentId, request: requestKey })
  assert(found, 'the lookup of an account always has a row')
  const { current, earlier } = found
  return {
    account: found.account,
    ...(current.version === null ? {} : { current }),
    ...(earlier.status === null ? {} : { earlier }),
  }
}

/** One change of one payment, with all rows that it writes. */
export interface BankChange {
  readonly now: Date
  readonly accountVersion: number
  /** 0 for a new payment. */
  readonly version: number
  readonly payment: LedgerPayment
  readonly dueTime: string | undefined
  readonly entries: readonly LedgerEntry[]
  readonly notifications: readonly {
    readonly dueTime: string
    readonly url: string
    readonly body: string
    readonly forged: boolean
  }[]
  readonly storing: BankMethod | undefined
  readonly request: ({ readonly key: string } & EarlierAnswer) | undefined
}

/**
 * The only statement that changes a payment. It writes the payment, the answer for its idempotency key, the
 * ledger, the notifications and the stored method atomically, and batches many changes into one commit. A
 * change is written only if account and payment still have the versions that the decision was based on, so
 * decisions can be made on cached state.
 */
const changeStatement = batchSql<BankChange, object>({
  ...sql<never>(
    'sandbox_bank.change',
    `with input as (
       select * from ${inputRows(`
         account text, account_version int, payment_id text, version int, reference text, status text,
         amount bigint, captured bigint, refunded bigint, currency text, due_time timestamptz, document json,
         entries json, notifications json, stored_token text, stored json, request_key text, fingerprint text,
         answer_status int, answer text, now timestamptz`)}
     ), allowed as (
       select i.* from input i
         left join sandbox_bank.accounts a on a.account = i.account
        where coalesce(a.version, 0) = i.account_version
          and (select r.request_key from sandbox_bank.requests r
                where r.account = i.account and r.request_key = i.request_key) is null
     ), opened as (
       insert into sandbox_bank.payments (account, payment_id, version, reference, status, amount_minor,
         captured_minor, refunded_minor, currency, due_time, document, opened_time)
       select account, payment_id, 1, reference, status, amount, captured, refunded, currency, due_time,
              document, now
         from allowed where version = 0
       on conflict do nothing
       returning account, payment_id
     ), moved as (
       update sandbox_bank.payments p
          set version = i.version + 1, status = i.status, captured_minor = i.captured,
              refunded_minor = i.refunded, due_time = i.due_time, document = i.document
         from allowed i
        where i.version > 0 and p.account = i.account and p.payment_id = i.payment_id
          and p.version = i.version
       returning p.account, p.payment_id
     ), done as (
       select i.* from (select * from opened union all select * from moved) d
         join allowed i on i.account = d.account and i.payment_id = d.payment_id
     ), answered as (
       insert into sandbox_bank.requests (account, request_key, fingerprint, status, answer, answered_time)
       select account, request_key, fingerprint, answer_status, answer, now from done
        where request_key is not null
     ), booked as (
       insert into sandbox_bank.ledger (account, payment_id, entry, kind, amount_minor, status, operation_key,
         entry_time)
       select d.account, d.payment_id, e.entry, e.kind, e.amount, e.status, e."operationKey", e.time
         from done d, json_to_recordset(d.entries) as e (entry int, kind text, amount bigint, status text,
           "operationKey" text, time timestamptz)
       on conflict (account, payment_id, entry) do update set status = excluded.status
     ), told as (
       insert into sandbox_bank.notifications (account, url, body, is_forged, due_time)
       select d.account, e.url, e.body, e.forged, e."dueTime"
         from done d, json_to_recordset(d.notifications) as e (url text, body text, forged boolean,
           "dueTime" timestamptz)
     ), stored as (
       insert into sandbox_bank.stored_methods (account, token, document)
       select account, stored_token, stored from done where stored_token is not null
     )
     select n from done`,
  ),
  key: ({ payment }) => `${payment.account} ${payment.id}`,
  encode: ({ payment, storing, request, ...change }) =>
    JSON.stringify({
      account: payment.account,
      account_version: change.accountVersion,
      payment_id: payment.id,
      version: change.version,
      reference: payment.reference,
      status: payment.status,
      amount: payment.amount,
      captured: payment.captured,
      refunded: payment.refunded,
      currency: payment.currency,
      due_time: change.dueTime,
      document: payment,
      entries: change.entries,
      notifications: change.notifications,
      stored_token: storing?.token,
      stored: storing,
      request_key: request?.key,
      fingerprint: request?.fingerprint,
      answer_status: request?.status,
      answer: request?.answer,
      now: change.now,
    }),
})

/** Returns false if the versions have changed: read again and repeat the decision. */
export async function writeChange(db: Database, change: BankChange): Promise<boolean> {
  return (await db.batch(changeStatement, change)) !== undefined
}

export const bankPaymentsDue: Due = (now) => `sandbox_bank.payments where due_time <= ${now}`

const duePayments = sql<{ account: string; paymentId: string }>(
  'sandbox_bank.due_payments',
  `select account, payment_id from ${bankPaymentsDue('$1')} and ($2::text is null or account = $2)
   order by due_time limit 64`,
)

export const readDuePayments = (db: Queryable, now: Date, account: string | undefined) =>
  db.query(duePayments, [now, account ?? null])
