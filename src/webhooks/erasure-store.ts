import { type Queryable, sql } from '../db/database.ts'

// The body is stored as text. The members are those of the payment in payments/view.ts.
const ERASE_EVENTS = sql<never>(
  'webhooks.erase_events',
  `update events e set body = (
     jsonb_set(jsonb_set(e.body::jsonb, '{payment,customerOrder,customer}',
       jsonb_build_object('customerId', e.body::jsonb #> '{payment,customerId}'), false),
       '{payment,payerIp}', 'null')
     #- '{payment,payInfo,payer,fullName}' #- '{payment,payInfo,payer,email}'
     #- '{payment,payInfo,refundClaimUrl}')::text
   where e.app_id = $1 and e.payment_id = any ($2::bigint[]) and e.type = 'payment.state_changed'`,
)

const ERASE_ATTEMPTS = sql<never>(
  'webhooks.erase_attempts',
  `update delivery_attempts set response = null
   where app_id = $1 and payment_id = any ($2::bigint[]) and response is not null`,
)

export async function eraseOfPayments(db: Queryable, appId: string, paymentIds: readonly number[]) {
  await db.query(ERASE_EVENTS, [appId, paymentIds])
  await db.query(ERASE_ATTEMPTS, [appId, paymentIds])
}
