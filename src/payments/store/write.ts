import { assert } from '../../base/assert.ts'
import { batchSql, type Database } from '../../db/database.ts'
import { inputRows } from '../../db/input.ts'
import { endpointOf } from '../../webhooks/endpoint.ts'
import type { OperationUpdate, RefundUpdate } from '../changes.ts'
import {
  ALL_FROM_INPUT,
  ALL_NAMES,
  ALL_TYPED,
  CHANGING_SET,
  CHANGING_TYPED,
  changingJson,
  frozenJson,
} from './columns.ts'
import { type ChangeResult, REFUSED } from './requests.ts'
import { type ActionAudit, auditJson, withAudit } from './write-audit.ts'
import { type ExtraSql, FRAUD_SQL, fraudJson, NO_EXTRA_SQL, withFraudSql } from './write-fraud.ts'
import { commonJson, joined, type PaymentWritten, type Write } from './write-json.ts'
import { REFUND_SQL, withRefundCount } from './write-refund.ts'

/**
 * The two statements that write payments: one creates, one changes. Each writes the payment, its events,
 * their deliveries, the provider operation and the timer together or not at all, for up to 64 payments.
 * Decision 0003.
 */

export interface Creation extends Write {
  readonly audit?: ActionAudit | undefined
  readonly customer: CustomerDetails
}

export interface CustomerDetails {
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly email?: string | undefined
  readonly mobileNumber?: string | undefined
  readonly extras?: object | undefined
}

export interface PaymentChange extends Write {
  readonly wasVersion: number
  readonly operation: (OperationUpdate & { readonly dueTime: Date | null }) | undefined
  readonly refunds: readonly RefundUpdate[]
  /** Who asked for the change, when a person did. */
  readonly audit?: ActionAudit | undefined
  /** The day, YYYY-MM-DD, in which this refund is counted; undefined: it is not. */
  readonly refundDay?: string | undefined
}

const COMMON_TYPED = `
  app_id text, payment_id bigint, now timestamptz, events json, timer timestamptz, timer_set boolean,
  open_key text, open_step text, open_profile_id bigint, open_method text, open_amount_minor bigint,
  open_attempt integer, open_description text, open_reason text, open_request_key text, open_lease_token text,
  open_created_time timestamptz, open_due_time timestamptz, lease_token text, lease_end timestamptz,
  lease_endpoint text`

/**
 * Written by both statements for each row of `written (n, webhook_url)`. The first endpoint, 0, is the
 * payment's address or the app's; further ones are rows of their own. At each of them a delivery behind one
 * that waits for a retry waits too. One of the first endpoint that this node can send at once is leased to it
 * (see webhooks/delivery/direct/).
 * `(select count(*) from ended) >= 0` is always true. It makes PostgreSQL, which orders CTEs only by their
 * references, close the old operation before `opened` inserts the next: `operations_one_open` allows one open
 * operation for each payment.
 */
const CONSEQUENCES = `
  opened as (
    insert into operations (app_id, operation_key, payment_id, step, attempt, profile_id, method,
      amount_minor, status, created_time, due_time, lease_token, description, reason,
      request_key)
    select i.app_id, i.open_key, i.payment_id, i.open_step, i.open_attempt, i.open_profile_id, i.open_method,
      i.open_amount_minor, 'open', i.open_created_time, i.open_due_time, i.open_lease_token,
      i.open_description, i.open_reason, i.open_request_key
    from input i join written w on w.n = i.n
    where i.open_key is not null and (select count(*) from ended) >= 0
  ), told as (
    insert into events (app_id, payment_id, sequence, type, state, created_time, body, last_error)
    select i.app_id, i.payment_id, e.sequence, 'payment.state_changed', e.state, e.created_time, e.body,
      e.last_error
    from input i join written w on w.n = i.n,
      json_to_recordset(i.events) as e (sequence integer, state text, created_time timestamptz, body text,
        last_error json)
  ), placed as materialized (
    select i.n, t.endpoint_id, t.url, t.endpoint, t.states, t.kinds, earlier.due_time,
      t.is_plain and earlier.due_time is null and earlier.others = 0 and i.lease_endpoint = t.endpoint
        and not exists (select from webhook_endpoints h
          where h.app_id = i.app_id and h.endpoint = t.endpoint) as leased
    from input i join written w on w.n = i.n join apps a on a.app_id = i.app_id
      cross join lateral (
        select 0 as endpoint_id, w.webhook_url as url, ${endpointOf('w.webhook_url')} as endpoint,
          case when w.webhook_url is null then a.webhook_states end as states,
          case when w.webhook_url is null then a.webhook_kinds end as kinds,
          w.webhook_url is not null or a.webhook_states is null and a.webhook_kinds is null
            and not a.is_webhook_paused as is_plain
        where coalesce(w.webhook_url, a.payment_webhook_url) is not null
        union all
        select x.endpoint_id, null, x.endpoint, x.states, x.kinds, false
        from app_endpoints x where x.app_id = i.app_id) t
      cross join lateral (
        select max(d.due_time) filter (where d.status = 'waiting') as due_time,
          count(*) filter (where d.status in ('ready', 'sending')
            and d.lease_token is distinct from i.lease_token) as others
        from deliveries d where d.app_id = i.app_id and d.payment_id = i.payment_id
          and d.endpoint_id = t.endpoint_id) earlier
  ), queued as (
    insert into deliveries (app_id, payment_id, sequence, endpoint_id, url, endpoint, status, queued_time,
      due_time, lease_token)
    select i.app_id, i.payment_id, e.sequence, p.endpoint_id, p.url, p.endpoint,
      case when p.leased then 'sending' when p.due_time is null then 'ready' else 'waiting' end,
      e.created_time, case when p.leased then i.lease_end else coalesce(p.due_time, i.now) end,
      case when p.leased then i.lease_token end
    from placed p join input i on i.n = p.n,
      json_to_recordset(i.events) as e (sequence integer, state text, kind text, created_time timestamptz)
    where (p.states is null or e.state = any (p.states)) and (p.kinds is null or e.kind = any (p.kinds))
  ), timers_set as (
    insert into timers (app_id, payment_id, due_time)
    select i.app_id, i.payment_id, i.timer
    from input i join written w on w.n = i.n
    where i.timer is not null
    on conflict (app_id, payment_id) do update set due_time = excluded.due_time, tries = 0
  ), timers_cleared as (
    delete from timers t using input i, written w
    where w.n = i.n and i.timer_set and i.timer is null
      and t.app_id = i.app_id and t.payment_id = i.payment_id
  )`

/** What a statement reports of the deliveries: some are leased to this node, others wait for a claim. */
const PLACED = `coalesce(bool_or(p.leased), false) as leased,
    coalesce(bool_or(p.n is not null and p.leased is not true), false) as queued`

/** Orders of one customer may share a batch: the latest of each detail that any of them has. */
const LATEST_DETAILS = ['first_name', 'last_name', 'email', 'mobile_number', 'extras']
  .map(
    (name) => `(array_agg(i.${name} order by i.n desc) filter (where i.${name} is not null))[1] as ${name}`,
  )
  .join(',\n        ')

/** Blocked customers and used references return no row. Unchanged customers are only read: a write locks. */
const createText = (extra: ExtraSql): string => `
  with input as materialized (
    select * from ${inputRows(`${COMMON_TYPED}, ${ALL_TYPED}, first_name text, last_name text,
      email text, mobile_number text, extras json${extra.typed}`)}
  ), ${extra.gate}made as (
    insert into payments (app_id, payment_id, version, ${ALL_NAMES})
    select i.app_id, i.payment_id, 1, ${ALL_FROM_INPUT}
    from input i
    where not exists (select from customers c
      where c.app_id = i.app_id and c.customer_id = i.customer_id and c.is_blocked)
      ${extra.passes}
    on conflict do nothing
    returning app_id, payment_id, webhook_url
  ), written as (
    select i.n, m.webhook_url from input i join made m on m.app_id = i.app_id and m.payment_id = i.payment_id
  ), known as (
    insert into customers as c (app_id, customer_id, first_name, last_name, email, mobile_number, extras,
      created_time)
    select l.* from (
      select i.app_id, i.customer_id, ${LATEST_DETAILS}, min(i.created_time)
      from input i join written w on w.n = i.n
      group by i.app_id, i.customer_id) l
    where not exists (select from customers k
      where k.app_id = l.app_id and k.customer_id = l.customer_id
        and (coalesce(l.first_name, k.first_name), coalesce(l.last_name, k.last_name),
          coalesce(l.email, k.email), coalesce(l.mobile_number, k.mobile_number),
          coalesce(k.extras::jsonb || l.extras::jsonb, k.extras::jsonb, l.extras::jsonb)) is not distinct from
          (k.first_name, k.last_name, k.email, k.mobile_number, k.extras::jsonb))
    order by l.app_id, l.customer_id
    on conflict (app_id, customer_id) do update set
      first_name = coalesce(excluded.first_name, c.first_name),
      last_name = coalesce(excluded.last_name, c.last_name),
      email = coalesce(excluded.email, c.email),
      mobile_number = coalesce(excluded.mobile_number, c.mobile_number),
      extras = coalesce((c.extras::jsonb || excluded.extras::jsonb)::json, excluded.extras, c.extras)
  ), ended as (
    select 1 where false
  ), ${CONSEQUENCES}${extra.create}
  select w.n, ${PLACED} from written w left join placed p on p.n = w.n group by w.n`

const CREATE = batchSql<Creation, PaymentWritten>({
  name: 'payments.create',
  key: ({ payment }) => `${payment.appId}\n${payment.referenceId}`,
  encode: (creation) => {
    const { payment, customer, events } = creation
    const person = {
      first_name: customer.firstName,
      last_name: customer.lastName,
      email: customer.email,
      mobile_number: customer.mobileNumber,
      extras: customer.extras,
    }
    const parts = [changingJson(payment), frozenJson(payment), commonJson(creation), person]
    return joined([...parts, fraudJson(creation), auditJson(creation)], events)
  },
  text: createText(NO_EXTRA_SQL),
})

const CREATE_JUDGED = withFraudSql(CREATE, createText(FRAUD_SQL))
const CREATE_AUDITED = auditedCreation(CREATE, NO_EXTRA_SQL)
const CREATE_JUDGED_AUDITED = auditedCreation(CREATE_JUDGED, FRAUD_SQL)

function auditedCreation(statement: typeof CREATE, extra: ExtraSql): typeof CREATE {
  return batchSql({ ...statement, name: `${statement.name}Audited`, text: createText(withAudit(extra)) })
}

function createStatement({ judged, audit }: Creation): typeof CREATE {
  if (audit) return judged ? CREATE_JUDGED_AUDITED : CREATE_AUDITED
  return judged ? CREATE_JUDGED : CREATE
}

/** A lost version or lease returns no row. Every statement locks the operation first, to avoid deadlocks. */
const changeText = (extra: ExtraSql): string => `
  with input as materialized (
    select * from ${inputRows(`${COMMON_TYPED}, ${CHANGING_TYPED}, was_version integer,
      op_key text, op_token text, op_status text, op_due_time timestamptz, op_outcome json, op_handles json,
      refunds json${extra.typed}`)}
  ), leased as (
    select i.n from input i join operations o on o.app_id = i.app_id and o.operation_key = i.op_key
      and (i.op_token is null or o.lease_token = i.op_token)
    where i.op_key is not null
    for update of o
  ), ${REFUSED}, ${extra.gate}written as (
    update payments p set version = p.version + 1, ${CHANGING_SET}
    from input i
    where p.app_id = i.app_id and p.payment_id = i.payment_id and p.version = i.was_version
      and (i.op_key is null or i.n in (select n from leased)) and i.n not in (select n from refused)
      ${extra.passes}
    returning i.n, p.webhook_url
  ), ended as (
    update operations o set
      status = case when o.operation_key = i.op_key then i.op_status else 'abandoned' end,
      due_time = case when o.operation_key = i.op_key then i.op_due_time end,
      closed_time = case when o.operation_key = i.op_key and i.op_status in ('open', 'waiting') then null
        else i.state_time end,
      outcome = case when o.operation_key = i.op_key then i.op_outcome else o.outcome end,
      handles = case when o.operation_key = i.op_key then coalesce(i.op_handles, o.handles)
        else o.handles end,
      tries = o.tries + 1,
      lease_token = null
    from input i join written w on w.n = i.n
    where o.app_id = i.app_id and o.payment_id = i.payment_id
      and ((o.operation_key = i.op_key and o.status <> 'done')
        or (o.operation_key is distinct from i.op_key and o.status = 'waiting' and ${extra.givesUp}))
    returning o.app_id, o.payment_id, o.operation_key, o.attempt, o.profile_id, o.method, o.handles, o.status
  ), ${CONSEQUENCES}, repaid as (
    insert into refunds as r (app_id, payment_id, refund_id, amount_minor, state, description, reason,
      created_time)
    select i.app_id, i.payment_id, f.refund_id, f.amount_minor, f.state, f.description, f.reason,
      i.state_time
    from input i join written w on w.n = i.n,
      json_to_recordset(i.refunds) as f (refund_id text, amount_minor bigint, state text, description text,
        reason text)
    on conflict (app_id, payment_id, refund_id) do update set state = excluded.state
  )${extra.change}
  select w.n, 'written' as result, ${PLACED}
  from written w left join placed p on p.n = w.n group by w.n
  union all select n, result, false, false from refused${extra.results}`

const CHANGE = batchSql<PaymentChange, PaymentWritten & { result: ChangeResult }>({
  name: 'payments.change',
  key: ({ payment }) => `${payment.appId}\n${payment.paymentId}`,
  encode: (change) => {
    const { payment, wasVersion, operation, refunds, refundDay } = change
    const update = operation && {
      op_key: operation.key,
      op_token: operation.leaseToken,
      op_status: operation.status,
      op_due_time: operation.dueTime,
      op_outcome: operation.outcome,
      op_handles: operation.handles,
    }
    const rows = refunds.map((refund) => ({
      refund_id: refund.refundId,
      amount_minor: String(refund.amountMinor),
      state: refund.state,
      description: refund.description,
      reason: refund.reason,
    }))
    const more = {
      was_version: wasVersion,
      refund_day: refundDay,
      refunds: rows.length > 0 ? rows : undefined,
    }
    const parts = [
      changingJson(payment),
      commonJson(change),
      more,
      update,
      fraudJson(change),
      auditJson(change),
    ]
    return joined(parts, change.events)
  },
  text: changeText(NO_EXTRA_SQL),
})

const CHANGE_JUDGED = withFraudSql(CHANGE, changeText(FRAUD_SQL))
const CHANGE_COUNTED = withRefundCount(CHANGE, changeText(REFUND_SQL))
const CHANGE_AUDITED = audited(CHANGE, NO_EXTRA_SQL)
const CHANGE_JUDGED_AUDITED = audited(CHANGE_JUDGED, FRAUD_SQL)
const CHANGE_COUNTED_AUDITED = audited(CHANGE_COUNTED, REFUND_SQL)

/** The variant that also writes an entry of the audit log. */
function audited(statement: typeof CHANGE, extra: ExtraSql): typeof CHANGE {
  return batchSql({ ...statement, name: `${statement.name}Audited`, text: changeText(withAudit(extra)) })
}

function changeStatement({ judged, audit, refundDay }: PaymentChange): typeof CHANGE {
  assert(!judged || !refundDay, 'a refund has no fraud verdict')
  if (refundDay) return audit ? CHANGE_COUNTED_AUDITED : CHANGE_COUNTED
  if (audit) return judged ? CHANGE_JUDGED_AUDITED : CHANGE_AUDITED
  return judged ? CHANGE_JUDGED : CHANGE
}

/** Undefined when the reference is used, the customer is blocked, or the fraud verdict is stale. */
export async function insertPayment(db: Database, creation: Creation): Promise<PaymentWritten | undefined> {
  return await db.batch(createStatement(creation), creation)
}

/** Undefined when the version or the lease is lost, or the fraud verdict is stale. */
export async function updatePayment(
  db: Database,
  change: PaymentChange,
): Promise<(PaymentWritten & { readonly result: ChangeResult }) | undefined> {
  return await db.batch(changeStatement(change), change)
}
