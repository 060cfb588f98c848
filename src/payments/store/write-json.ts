import type { DirectLease } from '../../webhooks/delivery/direct/chains.ts'
import type { NewOperation } from '../changes.ts'
import type { Kind } from '../kinds.ts'
import type { Payment } from '../payment.ts'
import type { PaymentProblem } from '../problems.ts'
import { jsonMembers } from './columns.ts'
import type { FraudWrite } from './write-fraud.ts'

/** The part of an input that both statements of write.ts share, as JSON. */

export interface WrittenEvent {
  readonly sequence: number
  readonly state: string
  readonly kind: Kind
  readonly createdTime: Date
  readonly lastError: PaymentProblem | null
  /** The webhook as JSON text; stored and later sent byte for byte. */
  readonly body: string
}

export interface OpenedOperation extends NewOperation {
  readonly leaseToken: string
  readonly createdTime: Date
  /** Real time: the end of the lease. */
  readonly dueTime: Date
}

export interface Write {
  readonly payment: Payment
  readonly events: readonly WrittenEvent[]
  readonly opens: OpenedOperation | undefined
  /** Real time; null clears the timer, undefined leaves it as it is. */
  readonly timer: Date | null | undefined
  readonly now: Date
  /** Leases the deliveries of the events to this node. */
  readonly direct?: DirectLease | undefined
  readonly judged?: FraudWrite | undefined
}

/** What a statement has written. */
export interface PaymentWritten {
  /** The deliveries to the first endpoint are leased to this node. */
  readonly leased: boolean
  /** Others wait for a claim. */
  readonly queued: boolean
}

export function commonJson({ payment, now, timer, opens, direct }: Write) {
  const common = {
    app_id: payment.appId,
    payment_id: payment.paymentId,
    now,
    timer: timer ?? undefined,
    timer_set: timer !== undefined,
    lease_token: direct?.leaseToken,
    lease_end: direct?.leaseEnd,
    lease_endpoint: direct?.endpoint,
  }
  if (!opens) return common
  // A spread in front of new names costs microseconds for each of them on Node 20.
  return {
    open_key: opens.key,
    open_step: opens.step,
    open_profile_id: opens.profileId,
    open_method: opens.method,
    open_amount_minor: String(opens.amountMinor),
    open_attempt: opens.attempt,
    open_description: opens.description,
    open_reason: opens.reason,
    open_request_key: opens.requestKey,
    open_lease_token: opens.leaseToken,
    open_created_time: opens.createdTime,
    open_due_time: opens.dueTime,
    ...common,
  }
}

/** Bodies are passed as strings: PostgreSQL parses nested JSON once for each level. */
export function joined(parts: readonly (object | undefined)[], events: readonly WrittenEvent[]): string {
  const rows = events.map(
    (event) =>
      `{"sequence":${event.sequence},"state":"${event.state}","kind":"${event.kind}",` +
      `"created_time":"${event.createdTime.toISOString()}",` +
      (event.lastError === null ? '' : `"last_error":${JSON.stringify(event.lastError)},`) +
      `"body":${JSON.stringify(event.body)}}`,
  )
  return `{${jsonMembers(parts)}"events":[${rows.join(',')}]}`
}
