import { assert } from '../../base/assert.ts'
import { type Queryable, sql, violatedConstraint } from '../../db/database.ts'
import type { App } from '../app.ts'
import { unknownFraudPolicy } from './rules.ts'

type AppSettings = Pick<
  App,
  | 'friendlyName'
  | 'paymentWebhookUrl'
  | 'webhookAuthScheme'
  | 'webhookAuthParameter'
  | 'defaultFraudPolicyId'
  | 'maxRefundsDaily'
  | 'refundApprovalAbove'
  | 'refundEmails'
  | 'timeZone'
  | 'monthStartsOn'
  | 'twoFactorRequired'
  | 'requireOtpForApiKeys'
  | 'personalDataDays'
  | 'retryGuard'
  | 'acceptLatePayments'
  | 'statementDescriptor'
>

/** Absent fields stay unchanged; null clears. */
export type AppChanges = { readonly [Field in keyof AppSettings]?: AppSettings[Field] | undefined } & {
  /** Only removed here: a name is set by its proof. */
  readonly checkoutHost?: null | undefined
}

const UPDATE = sql<never>(
  'apps.update',
  `update apps set
     friendly_name = case when $2 then $3 else friendly_name end,
     payment_webhook_url = case when $4 then $5 else payment_webhook_url end,
     webhook_auth_scheme = case when $6 then $7 else webhook_auth_scheme end,
     webhook_auth_parameter = case when $8 then $9 else webhook_auth_parameter end,
     default_fraud_policy_id = case when $10 then $11::bigint else default_fraud_policy_id end,
     max_refunds_daily = case when $12 then $13::integer else max_refunds_daily end,
     refund_emails = case when $14 then $15::text[] else refund_emails end,
     time_zone = case when $16 then $17 else time_zone end,
     checkout_host = case when $18 then $19 else checkout_host end,
     checkout_host_proven_time = case when $18 then null else checkout_host_proven_time end,
     two_factor_required = case when $20 then $21::boolean else two_factor_required end,
     require_otp_for_api_keys = case when $22 then $23::boolean else require_otp_for_api_keys end,
     personal_data_days = case when $24 then $25::integer else personal_data_days end,
     refund_approval_above = case when $26 then $27::jsonb else refund_approval_above end,
     retry_guard = case when $28 then $29::boolean else retry_guard end,
     accept_late_payments = case when $30 then $31::boolean else accept_late_payments end,
     statement_descriptor = case when $32 then $33 else statement_descriptor end,
     month_starts_on = case when $34 then $35::smallint else month_starts_on end
   where app_id = $1`,
)

type Protection = Pick<
  App,
  'twoFactorRequired' | 'requireOtpForApiKeys' | 'maxRefundsDaily' | 'refundApprovalAbove' | 'refundEmails'
>

const LOCK_PROTECTION = sql<Protection>(
  'apps.lock_protection',
  `select two_factor_required, require_otp_for_api_keys, max_refunds_daily, refund_approval_above,
     refund_emails
   from apps where app_id = $1 for update`,
)

/** What protects refunds, as it is now: the cached app may be older. */
export async function lockProtection(tx: Queryable, appId: string): Promise<Protection> {
  const [protection] = await tx.query(LOCK_PROTECTION, [appId])
  assert(protection, 'an app is never deleted')
  return protection
}

/** One statement, so that concurrent changes do not overwrite each other. */
export async function updateApp(db: Queryable, appId: string, changes: AppChanges): Promise<void> {
  const fields = [
    changes.friendlyName,
    changes.paymentWebhookUrl,
    changes.webhookAuthScheme,
    changes.webhookAuthParameter,
    changes.defaultFraudPolicyId,
    changes.maxRefundsDaily,
    changes.refundEmails,
    changes.timeZone,
    changes.checkoutHost,
    changes.twoFactorRequired,
    changes.requireOtpForApiKeys,
    changes.personalDataDays,
    changes.refundApprovalAbove && JSON.stringify(changes.refundApprovalAbove),
    changes.retryGuard,
    changes.acceptLatePayments,
    changes.statementDescriptor,
    changes.monthStartsOn,
  ]
  const values = [appId, ...fields.flatMap((value) => [value !== undefined, value ?? null])]
  await db.query(UPDATE, values).catch((error) => {
    const constraint = violatedConstraint(error)
    if (constraint === 'apps_default_fraud_policy') throw unknownFraudPolicy('defaultFraudPolicyId')
    throw error
  })
}

const CLEAR_FIRSTS = sql<never>(
  'apps.clear_firsts',
  'update apps set first_capture_time = null, first_webhook_time = null where app_id = $1',
)

/** The app was not used yet. */
export async function clearFirsts(db: Queryable, appId: string): Promise<void> {
  await db.query(CLEAR_FIRSTS, [appId])
}

const UPDATE_ACTIVE = sql<{ appId: string }>(
  'apps.update_active',
  'update apps set is_active = $2 where app_id = $1 and is_active <> $2 returning app_id',
)

/** False if the app was in this state before. */
export async function updateActive(db: Queryable, appId: string, isActive: boolean): Promise<boolean> {
  return (await db.query(UPDATE_ACTIVE, [appId, isActive])).length > 0
}
