import { type Queryable, sql } from '../../db/database.ts'
import type { ProfileKey } from './reports.ts'

export const EXCEPTION_KINDS = [
  'missing',
  'unknown',
  'amount',
  'currency',
  'doubled',
  'unseen',
  'fee',
  'payout',
  'unpaid',
] as const
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number]

/** Values only; view.ts makes them readable. Amounts are texts of minor units. */
export interface ExceptionDetails {
  readonly what?: 'sale' | 'refund' | 'dispute' | 'return'
  readonly currency?: string
  readonly expectedMinor?: string
  readonly actualMinor?: string
  readonly refundId?: string
  readonly providerLineId?: string
  readonly providerPayoutId?: string
}

/** Something that does not agree. */
export interface SettlementFinding {
  readonly kind: ExceptionKind
  /** What it is about: there is one open exception for each kind and subject. */
  readonly subject: string
  readonly paymentId?: number
  readonly lineId?: number
  readonly payoutId?: number
  readonly details: ExceptionDetails
}

export interface Writing extends ProfileKey {
  readonly licenseId: string
  /** The app's time. */
  readonly now: Date
}

const OPEN = sql<OpenedException>(
  'settlements.openExceptions',
  `insert into settlement_exceptions (app_id, profile_id, kind, payment_id, line_id, payout_id, subject,
     details, opened_time)
   select $1, $2, x.kind, x."paymentId", x."lineId", x."payoutId", x.subject, x.details, $4
   from json_to_recordset($3) as x (kind text, "paymentId" bigint, "lineId" bigint, "payoutId" bigint,
     subject text, details json)
   where not exists (
     select from settlement_exceptions e where e.app_id = $1 and e.profile_id = $2 and e.kind = x.kind
       and e.subject = x.subject and e.closed_by is not null and e.details::text = x.details::text)
   order by x.subject
   on conflict (app_id, profile_id, kind, subject) where closed_time is null do update
     set details = excluded.details where settlement_exceptions.details::text <> excluded.details::text
   returning kind, payment_id, xmax = 0 as is_new`,
)

export interface OpenedException {
  readonly kind: ExceptionKind
  readonly paymentId: number | null
  /** False: it was open with other values. */
  readonly isNew: boolean
}

/** One that a person has closed stays closed while nothing changes. */
export async function openExceptions(
  tx: Queryable,
  { appId, profileId, now }: Omit<Writing, 'licenseId'>,
  findings: readonly SettlementFinding[],
): Promise<OpenedException[]> {
  if (findings.length === 0) return []
  return await tx.query(OPEN, [appId, profileId, JSON.stringify(findings), now])
}

/** Closes the rows of `gone`, and records it. $1 app, $2 profile, $3 licence, $4 time. */
const closed = (condition: string): string =>
  `with gone as (
     update settlement_exceptions e set closed_time = $4
     where e.app_id = $1 and e.profile_id = $2 and e.closed_time is null and ${condition}
     returning e.exception_id, e.kind
   ), audited as (
     insert into audit_log (license_id, app_id, entry_time, actor_kind, actor_id, actor_name, action, target,
       after, address, request_id)
     select $3, $1, $4, 'service', 'settlements', 'settlements', 'settlement_exception.closed',
       'settlement_exception:' || exception_id, json_build_object('kind', kind), '', ''
     from gone
   )
   select count(*)::integer as count from gone`

const CLOSE_SUBJECTS = sql<{ count: number }>(
  'settlements.closeSubjects',
  closed('e.kind = $5 and e.subject = any ($6::text[])'),
)

/** Closes exceptions whose cause is gone. */
export async function closeSubjects(
  tx: Queryable,
  { appId, profileId, licenseId, now }: Writing,
  kind: ExceptionKind,
  subjects: readonly string[],
): Promise<void> {
  if (subjects.length === 0) return
  await tx.query(CLOSE_SUBJECTS, [appId, profileId, licenseId, now, kind, subjects])
}

const CLOSE_PAYMENTS = sql<{ count: number }>(
  'settlements.closePayments',
  closed(`e.payment_id = any ($5::bigint[]) and not exists (
       select from unnest($6::text[], $7::text[]) as k (kind, subject)
       where k.kind = e.kind and k.subject = e.subject)`),
)

/** Closes what was found about these payments and is not found any more. */
export async function closeOfPayments(
  tx: Queryable,
  { appId, profileId, licenseId, now }: Writing,
  paymentIds: readonly number[],
  kept: readonly SettlementFinding[],
): Promise<void> {
  if (paymentIds.length === 0) return
  const names = [kept.map(({ kind }) => kind), kept.map(({ subject }) => subject)]
  await tx.query(CLOSE_PAYMENTS, [appId, profileId, licenseId, now, paymentIds, ...names])
}

export const subjectOfLine = (lineId: number): string => `line:${lineId}`
