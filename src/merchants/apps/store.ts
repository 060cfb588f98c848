import { unknownFraudPolicy } from '../../base/errors.ts'
import { type Queryable, sql, violatedConstraint } from '../../db/database.ts'

interface AppSettings {
  readonly friendlyName: string
  readonly paymentWebhookUrl: string | null
  readonly webhookAuthScheme: string | null
  readonly webhookAuthParameter: Uint8Array | null
  readonly defaultFraudPolicyId: number | null
}

/** Absent fields stay unchanged; null clears. */
export type AppChanges = { readonly [Field in keyof AppSettings]?: AppSettings[Field] | undefined }

const UPDATE = sql<never>(
  'apps.update',
  `update apps set
     friendly_name = case when $2 then $3 else friendly_name end,
     payment_webhook_url = case when $4 then $5 else payment_webhook_url end,
     webhook_auth_scheme = case when $6 then $7 else webhook_auth_scheme end,
     webhook_auth_parameter = case when $8 then $9 else webhook_auth_parameter end,
     default_fraud_policy_id = case when $10 then $11::bigint else default_fraud_policy_id end
   where app_id = $1`,
)

/** One statement, so that concurrent changes do not overwrite each other. */
export async function updateApp(db: Queryable, appId: string, changes: AppChanges): Promise<void> {
  const fields = [
    changes.friendlyName,
    changes.paymentWebhookUrl,
    changes.webhookAuthScheme,
    changes.webhookAuthParameter,
    changes.defaultFraudPolicyId,
  ]
  const values = [appId, ...fields.flatMap((value) => [value !== undefined, value ?? null])]
  await db.query(UPDATE, values).catch((error) => {
    if (violatedConstraint(error) === 'apps_default_fraud_policy')
      throw unknownFraudPolicy('defaultFraudPolicyId')
    throw error
  })
}
