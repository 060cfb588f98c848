import { type Queryable, sql } from '../db/database.ts'
import type { Claimed } from './delivery/claim-store.ts'
import { isLater } from './endpoint.ts'

const SET_HOLD = sql<never>(
  'webhooks.setHold',
  'update apps set webhooks_held_until = $2 where app_id = $1 and is_sandbox',
)

/** Null ends it. In the app's time. */
export async function setHold(db: Queryable, appId: string, until: Date | null): Promise<void> {
  await db.query(SET_HOLD, [appId, until])
}

const HOLD_BACK = sql<never>(
  'webhooks.holdBack',
  `with held as (
     update deliveries set status = 'waiting', due_time = $5, lease_token = null
     where app_id = $1 and payment_id = $2 and sequence = $3 and endpoint_id = $6 and lease_token = $4
     returning app_id, payment_id, sequence, endpoint_id
   )
   update deliveries d set status = 'waiting', due_time = $5, lease_token = null
   from held h
   where ${isLater('d', 'h')} and (d.status = 'ready' or d.lease_token = $4)`,
)

/** Delays a leased delivery and the later ones of its payment. It does not count as a try. */
export async function delayWebhooks(db: Queryable, delivery: Claimed, dueTime: Date): Promise<void> {
  const { appId, paymentId, sequence, leaseToken, endpointId } = delivery
  await db.query(HOLD_BACK, [appId, paymentId, sequence, leaseToken, dueTime, endpointId])
}

const RELEASE_HELD = sql<never>(
  'webhooks.releaseHeld',
  `update deliveries set due_time = $3 where app_id = $1 and status = 'waiting' and due_time = $2`,
)

/** Makes the deliveries due that were held back until `heldUntil`. Both in real time. */
export async function releaseHeld(
  db: Queryable,
  appId: string,
  { heldUntil, now }: { heldUntil: Date; now: Date },
): Promise<void> {
  await db.query(RELEASE_HELD, [appId, heldUntil, now])
}
