import { after } from '../../base/clock.ts'
import { LIMITS, NEEDS_ATTENTION_MS, recheckPause } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { type App, adapterOf, appNow, type Profile } from '../../merchants/app.ts'
import type { Hint } from '../../providers/port.ts'
import { apply } from '../apply.ts'
import { newLease } from '../lease.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import {
  asAttempt,
  claimOperation,
  findOpenOperation,
  findOperation,
  postponeOperation,
} from '../store/operations.ts'
import { findByAttempt } from '../store/payments.ts'
import { undoIfPaid } from '../undo/undo.ts'
import { profileOf } from './inputs.ts'
import { summary } from './merge-facts.ts'
import { attemptEnded, operationUpdate } from './on-outcome.ts'
import { isAlreadyKnown } from './on-snapshot.ts'
import { readAndApply } from './read.ts'
import { sendOperations } from './send.ts'

/**
 * Reads the provider and believes it: what recheck, notifications, the browser's return and alarms come down
 * to. Only who holds an operation's lease may send it again or conclude that it never arrived.
 */
export async function recheck(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  return (await look(ctx, app, payment)).payment
}

interface Looked {
  readonly payment: Payment
  /** Whether the provider could be read, or somebody will read it again without being told. */
  readonly isFollowed: boolean
}

async function look(ctx: Context, app: App, payment: Payment): Promise<Looked> {
  if (payment.profileId === null || payment.attemptKey === null) return { payment, isFollowed: true }
  if (payment.state === 'Failed') return lookAtFailed(ctx, app, payment, payment.attemptKey)
  const open = await findOpenOperation(ctx.db, app.appId, payment.paymentId)
  const leased = open && (await claimOperation(ctx.db, open, newLease(ctx)))
  if (leased) return { payment: await recover(ctx, app, payment, leased), isFollowed: true }
  const asked = await readAndApply(ctx, app, { payment, operation: open, isOpenOne: true })
  if (asked.kind === 'changed')
    return { payment: await sendOperations(ctx, app, asked.applied), isFollowed: true }
  if (asked.kind === 'unchanged') return { payment: asked.payment, isFollowed: true }
  return { payment, isFollowed: asked.kind !== 'unknown' || open !== undefined }
}

/** It ended without money. Should its provider have some all the same, that is given back. */
async function lookAtFailed(ctx: Context, app: App, payment: Payment, attemptKey: string): Promise<Looked> {
  const attempt = asAttempt(await findOperation(ctx.db, app.appId, attemptKey))
  return { payment, isFollowed: !attempt || (await undoIfPaid(ctx, app, attempt)) }
}

/**
 * The same for what a notification to a profile is about. A hint can only select an attempt of that very
 * profile: any other reference is ignored and logged. False: the provider could not be read, and nothing else
 * will read it.
 */
export async function followHint(
  ctx: Context,
  app: App,
  { profileId }: Pick<Profile, 'profileId'>,
  { reference, says }: Hint,
): Promise<boolean> {
  const payment = await findByAttempt(ctx.db, { appId: app.appId, profileId, key: reference })
  if (payment?.attemptKey === reference)
    return (says !== undefined && isAlreadyKnown(payment, says)) || (await look(ctx, app, payment)).isFollowed
  const operation = await findOperation(ctx.db, app.appId, reference)
  const attempt = payment && asAttempt(operation)
  // The payment has gone on without this attempt: it must not cost the customer anything.
  if (attempt) return undoIfPaid(ctx, app, attempt)
  noteIgnored(ctx, app, profileId, operation)
  return true
}

/**
 * An unknown reference is normal where the provider's account is used for other payments too. It may hold any
 * text, so only keys of ours are logged.
 */
function noteIgnored(ctx: Context, app: App, profileId: number, named: OperationRecord | undefined): void {
  const about = { appId: app.appId, profileId }
  if (!named) ctx.log.info('notification.reference_ignored', about)
  else {
    const { key: reference, step, profileId: ofProfileId } = named
    ctx.log.warn('notification.reference_ignored', { ...about, reference, step, ofProfileId })
  }
}

/**
 * Finishes an operation whose lease we hold: asks first, and sends again only what certainly did not arrive.
 */
export async function recover(
  ctx: Context,
  app: App,
  payment: Payment,
  operation: OperationRecord,
): Promise<Payment> {
  // Another attempt began since the payment was read: what its provider says is not about this operation.
  if (operation.attempt !== payment.attempt) return lookAgainLater(ctx, app, payment, operation)
  const asked = await readAndApply(ctx, app, { payment, operation })
  switch (asked.kind) {
    case 'changed':
      return sendOperations(ctx, app, asked.applied)
    case 'not-received':
      return sendAgain(ctx, app, payment, operation)
    case 'absent':
      return neverArrived(ctx, app, payment, operation)
    case 'unchanged':
      return lookAgainLater(ctx, app, asked.payment, operation)
    case 'unknown':
      return lookAgainLater(ctx, app, payment, operation)
  }
}

/** The very same operation with the same key, while the provider still remembers keys of that age. */
async function sendAgain(
  ctx: Context,
  app: App,
  payment: Payment,
  operation: OperationRecord,
): Promise<Payment> {
  const { idempotencyMs } = adapterOf(ctx, profileOf(app, payment)).manifest
  if (ageOf(ctx, app, operation) >= idempotencyMs) return lookAgainLater(ctx, app, payment, operation)
  return sendOperations(ctx, app, { payment, operation })
}

/**
 * Nothing happened. A stored method is charged now; an attempt of a customer who has gone is over. Should its
 * request arrive all the same, a second look finds it.
 */
async function neverArrived(
  ctx: Context,
  app: App,
  payment: Payment,
  operation: OperationRecord,
): Promise<Payment> {
  if (operation.step !== 'start') return sendAgain(ctx, app, payment, operation)
  const applied = await apply(ctx, app, payment, (current) =>
    attemptEnded(current, {
      failure: {
        code: 'provider_rejected',
        message: 'The payment did not reach the provider. Nothing was charged.',
      },
      news: { ...operationUpdate(operation, 'not-done', summary('absent')), againInMs: LIMITS.secondLookMs },
    }),
  )
  return applied.payment
}

async function lookAgainLater(ctx: Context, app: App, payment: Payment, operation: OperationRecord) {
  if (ageOf(ctx, app, operation) > NEEDS_ATTENTION_MS)
    ctx.log.warn('operation.needs_attention', {
      appId: app.appId,
      paymentId: payment.paymentId,
      operation: operation.key,
      step: operation.step,
    })
  const due = after(ctx.clock.now(), recheckPause(operation.tries))
  await postponeOperation(ctx.db, operation, { due, outcome: summary('asked') })
  return payment
}

const ageOf = (ctx: Context, app: App, operation: OperationRecord): number =>
  appNow(ctx, app).getTime() - operation.createdTime.getTime()
