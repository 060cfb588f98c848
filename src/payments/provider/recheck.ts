import { after, DAY } from '../../base/clock.ts'
import { LIMITS, NEEDS_ATTENTION_MS, recheckPause } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { adapterOf } from '../../merchants/profiles/adapter.ts'
import type { Handles } from '../../providers/outcome.ts'
import { apply } from '../apply.ts'
import { newLease } from '../lease.ts'
import type { Failure, OperationRecord, Payment } from '../payment.ts'
import {
  asAttempt,
  claimOperation,
  findOpenOperation,
  findOperation,
  postponeOperation,
} from '../store/operations.ts'
import { findPayment } from '../store/payments.ts'
import { profileOf } from './inputs.ts'
import { summary } from './merge-facts.ts'
import { cancelUnknown, noteWaiting } from './movements/movements.ts'
import { NOT_CHARGED } from './on-snapshot.ts'
import { attemptEnded, isAttempt, operationUpdate, stepRefused } from './outcome/endings.ts'
import { type ReadResult, readAndApply } from './read.ts'
import { sendOperations } from './send.ts'
import { undoIfPaid } from './undo/undo.ts'

/**
 * The flow between a payment and its provider:
 *
 *   recheck action, browser return, timers job --> recheck ---.
 *   notifications, late rechecks job ----------> followHint --+--> readAndApply (read.ts)
 *   operations job ----------------------------> recover -----'      | provider: retrieve
 *                                                                    | on-snapshot.ts: snapshot -> change
 *                                                                    | apply.ts: write the change
 *                                                                    v
 *   actions.ts, pay.ts, create.ts --> apply.ts ----------------> sendOperations (send.ts)
 *                                                              .---> | provider: start, capture, refund, ...
 *                                                              |     | on-outcome.ts: outcome -> change
 *                                                              |     | apply.ts: write the change
 *                                                              '-----' while a next operation is opened
 *
 * The provider's view decides. Only the holder of an operation's lease may send the operation again or
 * conclude that it never arrived.
 */
export async function recheck(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  return (await recheckAttempt(ctx, app, payment)).payment
}

interface Rechecked {
  readonly payment: Payment
  /** All that the provider reports is applied, or an open operation makes sure that it is read again. */
  readonly isTracked: boolean
  /** The provider has answered, or there was nothing to ask. */
  readonly isRead: boolean
}

/** The recheck behind `recheck` and `followHint`. */
export async function recheckAttempt(ctx: Context, app: App, payment: Payment): Promise<Rechecked> {
  const { profileId, attemptKey } = payment
  if (profileId === null || attemptKey === null) return { payment, isTracked: true, isRead: true }
  if (payment.state === 'Failed') {
    const isTracked = await undoFailed(ctx, app, payment)
    // Money that came late may have been accepted.
    const current = app.acceptLatePayments && (await findPayment(ctx.db, app.appId, payment.paymentId))
    // What else the provider reports is about the captured payment then.
    if (current && current.state !== 'Failed') return recheckAttempt(ctx, app, current)
    return { payment, isTracked, isRead: true }
  }
  const open = await findOpenOperation(ctx.db, app.appId, payment.paymentId)
  const leased = open && (await claimOperation(ctx.db, open, newLease(ctx)))
  if (leased) return recoverLeased(ctx, app, payment, leased)
  const read = await readAndApply(ctx, app, { payment, operation: open, isOpenOne: true })
  const followed = followedBy(read, open)
  if (read.kind === 'changed') return { payment: await sendOperations(ctx, app, read.applied), ...followed }
  // A parallel change may be what makes the provider's view news.
  const current =
    read.kind === 'unchanged' ? await findPayment(ctx.db, app.appId, payment.paymentId) : undefined
  if (current && current.version > payment.version)
    return recheckAttempt(ctx, app, { ...current, handles: { ...payment.handles, ...current.handles } })
  return { payment: read.kind === 'unchanged' ? read.payment : payment, ...followed }
}

/** A failed payment keeps its state: money that its provider holds is given back. */
async function undoFailed(ctx: Context, app: App, { attemptKey, handles }: Payment): Promise<boolean> {
  const attempt = asAttempt(await findOperation(ctx.db, app.appId, attemptKey ?? ''))
  if (!attempt) return true
  const named = withLookup(attempt, handles?.lookup)
  const { extra } = handles ?? {}
  // The notification may be about another payment on the same page.
  return undoIfPaid(ctx, app, extra ? { ...named, handles: { ...named.handles, extra } } : named)
}

/** With the id that a notification reported, if our own is lost with the reply of the request. */
export function withLookup<T extends { readonly handles: Handles | null }>(
  about: T,
  lookup: string | undefined,
): T {
  const isNamed = Object.keys(about.handles ?? {}).length > 0
  return isNamed || lookup === undefined ? about : { ...about, handles: { lookup } }
}

/**
 * Finishes an operation whose lease the caller holds. Reads the provider first, and sends again only an
 * operation that certainly did not arrive.
 */
export async function recover(
  ctx: Context,
  app: App,
  payment: Payment,
  operation: OperationRecord,
): Promise<Payment> {
  return (await recoverLeased(ctx, app, payment, operation)).payment
}

async function recoverLeased(
  ctx: Context,
  app: App,
  payment: Payment,
  operation: OperationRecord,
): Promise<Rechecked> {
  // A newer attempt began after the payment was read: the provider's view is not about this operation.
  if (operation.attempt !== payment.attempt)
    return { payment: await postpone(ctx, app, payment, operation), isTracked: true, isRead: false }
  const read = await readAndApply(ctx, app, { payment, operation })
  const followed = followedBy(read, operation)
  if (read.kind === 'changed') return { payment: await sendOperations(ctx, app, read.applied), ...followed }
  return { payment: await afterRead(ctx, app, { payment, operation }, read), ...followed }
}

/**
 * After a failed read, the open operation causes another one. While a refund is open, that is not enough: the
 * read of it cannot apply what else the provider reports, and the refund may end without a further read.
 */
function followedBy(read: ReadResult, open: OperationRecord | undefined): Omit<Rechecked, 'payment'> {
  if (read.kind !== 'unknown') return { isTracked: !isBehind(read), isRead: true }
  return { isTracked: open !== undefined && open.step !== 'refund', isRead: false }
}

/** Reported by the provider, and not applicable yet. */
const isBehind = (read: ReadResult): boolean => 'isBehind' in read && read.isBehind

/** What the read says about the operation decides whether it is sent again, ended or read again later. */
async function afterRead(
  ctx: Context,
  app: App,
  { payment, operation }: { readonly payment: Payment; readonly operation: OperationRecord },
  read: Exclude<ReadResult, { kind: 'changed' }>,
): Promise<Payment> {
  if (read.kind === 'absent' && operation.step === 'start') return endAttempt(ctx, app, payment, operation)
  // The provider has answered the operation, and a notification reports the rest.
  if (read.kind === 'unreadable' && operation.status === 'waiting')
    return postpone(ctx, app, payment, operation)
  const isMissing = read.kind === 'absent' || read.kind === 'not-received' || read.kind === 'unreadable'
  // A start with a one-time token cannot be repeated: the token is not stored.
  const opensPage = operation.step === 'start' && payment.state === 'Created'
  const mayRepeat = (operation.step !== 'start' || opensPage) && maySendAgain(ctx, app, payment, operation)
  if (isMissing && mayRepeat) return sendOperations(ctx, app, { payment, operation })
  // The page was never opened, or the stored method was not charged, and the key is forgotten.
  const isUnpaid = read.kind === 'unreadable' && (opensPage || read.isUnpaid === true)
  if (isUnpaid && !mayRepeat) return endAttempt(ctx, app, payment, operation)
  // The key is forgotten, so the charge cannot be repeated: what it may have started is cancelled.
  const isLost = read.kind === 'unreadable' && operation.step === 'charge' && !mayRepeat
  if (isLost && (await cancelUnknown(ctx, app, payment, operation)))
    return endAs(ctx, app, { payment, operation }, NOT_CHARGED)
  // The provider's list is complete, and no request can arrive any more.
  const isNeverCharged = read.kind === 'absent' && operation.step === 'charge'
  if (isNeverCharged && isForgotten(ctx, app, payment, operation))
    return endAttempt(ctx, app, payment, operation)
  if (read.kind === 'not-received' && isForgotten(ctx, app, payment, operation))
    return (isAttempt(operation) ? endAttempt : endStep)(ctx, app, payment, operation)
  return postpone(ctx, app, read.kind === 'unchanged' ? read.payment : payment, operation)
}

/** Sending again is safe only while the provider still remembers the operation's idempotency key. */
function maySendAgain(ctx: Context, app: App, payment: Payment, operation: OperationRecord): boolean {
  const { manifest } = adapterOf(ctx, profileOf(app, payment))
  return ageOf(ctx, app, operation) < manifest.keyRetentionMs(operation.step)
}

/** A day after the provider has forgotten the key, no request of the operation can arrive any more. */
function isForgotten(ctx: Context, app: App, payment: Payment, operation: OperationRecord): boolean {
  const { manifest } = adapterOf(ctx, profileOf(app, payment))
  return ageOf(ctx, app, operation) > manifest.keyRetentionMs(operation.step) + DAY
}

/** Ends a capture, cancellation or refund that never reached the provider. The merchant can ask again. */
async function endStep(
  ctx: Context,
  app: App,
  payment: Payment,
  operation: OperationRecord,
): Promise<Payment> {
  const applied = await apply(ctx, app, payment, (current) => ({
    ...stepRefused({ payment: current, operation }, (step) => ({ code: 'step-unreached', step })),
    operation: operationUpdate(operation, 'not-done', summary('absent')),
  }))
  return applied.payment
}

/**
 * Ends an attempt that the provider does not know. It is not started again: the customer has left. If the
 * request arrives late, the late recheck finds it.
 */
const endAttempt = (ctx: Context, app: App, payment: Payment, operation: OperationRecord) =>
  endAs(ctx, app, { payment, operation }, NOT_REACHED)

/** Opening the page had no clear result. Without its address it cannot be paid. */
export const isUnopenedPage = (payment: Payment, { step, status, tries }: OperationRecord): boolean =>
  payment.state === 'Created' && step === 'start' && status === 'open' && tries > 0

/** The customer chooses again after a page could not be opened. One that was opened is closed later. */
export async function giveUpUnopened(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  if (payment.state !== 'Created' || payment.attempt === 0 || payment.redirectUrl !== null) return payment
  const open = await findOpenOperation(ctx.db, app.appId, payment.paymentId)
  if (!open || !isUnopenedPage(payment, open)) return payment
  return endAttempt(ctx, app, payment, { ...open, leaseToken: null })
}

const NOT_REACHED: Failure = { code: 'provider_rejected', problem: { code: 'unreached' } }

async function endAs(
  ctx: Context,
  app: App,
  { payment, operation }: { readonly payment: Payment; readonly operation: OperationRecord },
  failure: Failure,
): Promise<Payment> {
  const applied = await apply(ctx, app, payment, (current) =>
    attemptEnded(current, {
      failure,
      update: {
        ...operationUpdate(operation, 'not-done', summary('absent')),
        againInMs: LIMITS.lateRecheckMs,
      },
    }),
  )
  return applied.payment
}

/** Releases the lease and schedules the next recheck. */
async function postpone(ctx: Context, app: App, payment: Payment, operation: OperationRecord) {
  if (ageOf(ctx, app, operation) > NEEDS_ATTENTION_MS)
    ctx.log.warn('operation.needs_attention', {
      appId: app.appId,
      paymentId: payment.paymentId,
      operation: operation.key,
      step: operation.step,
    })
  const due = after(ctx.clock.now(), recheckPause(operation.tries))
  await postponeOperation(ctx.db, operation, { due, outcome: summary('asked') })
  return noteWaiting(ctx, app, payment, operation)
}

const ageOf = (ctx: Context, app: App, operation: OperationRecord): number =>
  appNow(ctx, app).getTime() - operation.createdTime.getTime()
