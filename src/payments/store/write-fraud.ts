import { type BatchStatement, batchSql } from '../../db/database.ts'
import type { AttemptResult, NewVerdict } from '../changes.ts'
import type { Payment } from '../payment.ts'

/**
 * Extra rows that the two statements of write.ts write when a fraud policy judged the payment, or when an
 * attempt was abandoned and must be undone. All other payments use the plain statements.
 */
export interface FraudWrite {
  readonly verdict: NewVerdict | undefined
  readonly attemptResult: AttemptResult | undefined
}

export interface ExtraSql {
  /** Extra input columns with their types. */
  readonly typed: string
  /** CTE that runs before the payment is written, and the condition that it adds to the write. */
  readonly gate: string
  readonly passes: string
  /** Condition under which a waiting operation is abandoned. */
  readonly givesUp: string
  readonly create: string
  readonly change: string
  /** Further results of the change statement. */
  readonly results: string
}

export const NO_EXTRA_SQL: ExtraSql = {
  typed: '',
  gate: '',
  passes: '',
  givesUp: 'i.open_key is not null',
  create: '',
  change: '',
  results: '',
}

// Optimistic lock on the customer: a verdict based on an old version writes nothing. An excluded version of 0
// matches any version. A batch holds each customer at most once (see `withFraudSql`).
const GATE = `
  judged as (
    insert into fraud_customers as f (app_id, customer_id, version)
    select i.app_id, i.judged_customer_id, coalesce(i.judged_seen + 1, 0)
    from input i where i.judged_customer_id is not null
    on conflict (app_id, customer_id) do update set version = f.version + 1
    where excluded.version = 0 or f.version = excluded.version - 1
    returning app_id, customer_id
  ), `

const SPOKEN = `, spoken as (
    insert into fraud_verdicts (app_id, payment_id, attempt, customer_id, verdict_time, policy_id,
      policy_version, currency, amount_minor, profile_id, card, decision, outcome, checks)
    select i.app_id, i.payment_id, v.attempt, i.judged_customer_id, v.verdict_time, v.policy_id,
      v.policy_version, v.currency, v.amount_minor, v.profile_id, v.card, v.decision, v.outcome, v.checks
    from input i join written w on w.n = i.n,
      json_to_record(i.verdict) as v (attempt integer, verdict_time timestamptz, policy_id bigint,
        policy_version integer, currency text, amount_minor bigint, profile_id bigint, card text,
        decision text, outcome text, checks json)
    where i.verdict is not null
  )`

// A failed payment also abandons its waiting operation. A cancellation acts on the attempt itself.
const CHANGED = `, fated as (
    update fraud_verdicts v set outcome = f.outcome, card = coalesce(f.card, v.card),
      decision = coalesce(f.decision, v.decision), checks = coalesce(f.checks, v.checks)
    from input i join written w on w.n = i.n,
      json_to_record(i.fate) as f (attempt integer, outcome text, card text, decision text, checks json)
    where i.fate is not null and v.app_id = i.app_id and v.payment_id = i.payment_id
      and v.attempt = f.attempt and v.outcome = 'open'
  ), undoing as (
    insert into undos (app_id, attempt_key, payment_id, attempt, profile_id, method, handles, status,
      created_time, due_time)
    select e.app_id, e.operation_key, e.payment_id, e.attempt, e.profile_id, e.method, e.handles, 'open',
      i.state_time, i.now
    from ended e join input i on i.app_id = e.app_id and i.payment_id = e.payment_id
    where e.status = 'abandoned' and (i.open_step in ('start', 'charge') or i.state = 'Failed')
    on conflict do nothing
  )`

export const FRAUD_SQL: ExtraSql = {
  typed: ', judged_customer_id text, judged_seen integer, verdict json, fate json',
  gate: GATE,
  passes: `and (i.judged_seen is null
        or (i.app_id, i.judged_customer_id) in (select app_id, customer_id from judged))`,
  givesUp: "(i.open_key is not null or i.state = 'Failed')",
  create: SPOKEN,
  change: `${SPOKEN}${CHANGED}`,
  results: '',
}

/** The variant of a statement with fraud rows. Inputs of one customer never share a batch. */
export const withFraudSql = <Input extends { readonly payment: Payment }, Row>(
  plain: BatchStatement<Input, Row>,
  text: string,
): BatchStatement<Input, Row> =>
  batchSql({
    ...plain,
    name: `${plain.name}Judged`,
    key: ({ payment }) => `${payment.appId}\n${payment.customerId}`,
    text,
  })

export function fraudJson({ judged, payment }: { judged?: FraudWrite | undefined; payment: Payment }) {
  if (!judged) return undefined
  const { verdict, attemptResult } = judged
  const seen = verdict?.judgement.seenVersion ?? attemptResult?.judgement?.seenVersion
  return {
    judged_customer_id: verdict || attemptResult ? payment.customerId : null,
    judged_seen: seen ?? null,
    verdict: verdict && verdictJson(payment, verdict),
    fate: attemptResult && {
      attempt: attemptResult.attempt,
      outcome: attemptResult.outcome,
      card: attemptResult.card,
      decision: attemptResult.judgement?.decision,
      checks: attemptResult.judgement?.checks,
    },
  }
}

function verdictJson(payment: Payment, { judgement, ...verdict }: NewVerdict) {
  return {
    attempt: verdict.attempt,
    verdict_time: verdict.time,
    policy_id: judgement.policy?.policyId,
    policy_version: judgement.policy?.version,
    currency: payment.currency,
    amount_minor: String(payment.amountMinor),
    profile_id: verdict.profileId,
    card: verdict.card,
    decision: judgement.decision,
    outcome: verdict.outcome,
    checks: judgement.checks,
  }
}
