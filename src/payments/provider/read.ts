import type { Context } from '../../context.ts'
import { type App, findProfile } from '../../merchants/app.ts'
import type { Snapshot, Stage } from '../../providers/outcome.ts'
import { configOf } from '../../routing/config.ts'
import { type Applied, apply } from '../apply.ts'
import type { State } from '../machine.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import { findOpenOperation, lastOfAttempt } from '../store/operations.ts'
import { isLeftToSender } from './failover-rules.ts'
import { checkAndWrite } from './fraud-check.ts'
import { outcomeInputs } from './inputs.ts'
import { changeFromSnapshot } from './on-snapshot.ts'
import { countAllUnlisted, countIfUnlisted } from './outcome/unlisted.ts'
import { readProvider } from './provider-view.ts'
import { isBehind, wasNotReceived } from './snapshot/compare.ts'
import { planToStore, withStored } from './store-method/store-method.ts'
import { undoExtras } from './undo/extras.ts'
import { planUndo } from './undo/plan.ts'

/** The result of reading the provider. */
export type ReadResult =
  | { readonly kind: 'changed'; readonly applied: Applied; readonly isBehind: boolean }
  /** The payment already matches the provider's view; a parallel request may have just written it. */
  | {
      readonly kind: 'unchanged'
      readonly payment: Payment
      readonly isBehind: boolean
      /** The provider has not decided yet whether the attempt is paid. */
      readonly isUndecided: boolean
    }
  /** The provider knows the payment but not this operation: it may be sent again with the same key. */
  | { readonly kind: 'not-received'; readonly isBehind: boolean }
  /** The provider does not know the payment, and a request that was sent would be visible by now. */
  | { readonly kind: 'absent' }
  /** The provider cannot be read: the operation may be repeated with the same key. */
  | { readonly kind: 'unreadable'; readonly isUnpaid?: true }
  | { readonly kind: 'unknown' }

interface ReadRequest {
  readonly payment: Payment
  readonly operation: OperationRecord | undefined
  /**
   * `operation` is the payment's open operation, or none is open; it was read after the payment. If it has a
   * lease, that belongs to another.
   */
  readonly isOpenOne?: true
}

/** Reads the provider's view of a payment and writes the difference. */
export async function readAndApply(ctx: Context, app: App, request: ReadRequest): Promise<ReadResult> {
  const view = await readProvider(ctx, app, known(request))
  if (view.kind !== 'snapshot') return view
  countAllUnlisted(ctx, app, request.payment, view)
  const { payment, operation, isOpenOne } = request
  const { noFailoverAfter } = configOf(app)
  if (isOpenOne && operation && isLeftToSender(operation, view, noFailoverAfter))
    return { kind: 'unchanged', payment, isBehind: true, isUndecided: false }
  return applySnapshot(ctx, app, request, view)
}

/** The payment with the ids that its operation saved before it had a result. */
function known({ payment, operation }: ReadRequest): Payment {
  if (!operation?.handles || operation.attempt !== payment.attempt) return payment
  return { ...payment, handles: { ...payment.handles, ...operation.handles } }
}

async function applySnapshot(
  ctx: Context,
  app: App,
  request: ReadRequest,
  snapshot: Snapshot,
): Promise<ReadResult> {
  let { payment } = request
  let changed: Applied | undefined
  let changes = 0
  // Before the attempt is written as ended, so that a crash cannot lose it.
  if (ENDS_UNPAID.has(payment.state) && isOver(snapshot.stage)) await planUndo(ctx, app, payment, snapshot)
  if (isApproval(payment, snapshot)) await planToStore(ctx, app, payment)
  if (snapshot.extra) await undoExtras(ctx, app, payment, snapshot.extra)
  const read = await checkAndWrite<ReadResult>(ctx, app, payment, async () => {
    // Read after the payment: while the version of the payment is the same, it is still the open operation.
    const isCurrent = request.isOpenOne && payment === request.payment
    const open = isCurrent
      ? request.operation
      : await findOpenOperation(ctx.db, payment.appId, payment.paymentId)
    const ended = open ? undefined : await endedOperation(ctx, payment, snapshot)
    const operation = open?.attempt === payment.attempt ? open : ended
    const report = { facts: snapshot.facts, isApproval: isApproval(payment, snapshot) }
    const inputs = await outcomeInputs(ctx, app, payment, report)
    let hasChange = false
    let isOutdated = false
    const applied = await apply(ctx, app, payment, (current) => {
      hasChange = false
      // The snapshot belongs to one attempt and says nothing about a newer one.
      if (current.attemptKey !== request.payment.attemptKey) return undefined
      // A parallel change may have opened another operation, and this change would end that one.
      isOutdated = current.version !== payment.version
      if (isOutdated) return undefined
      const change = changeFromSnapshot({ payment: current, operation, snapshot, inputs })
      hasChange = change !== undefined
      return change
    })
    payment = applied.payment
    if (applied.isStale || isOutdated) return undefined
    const profile = payment.profileId === null ? undefined : findProfile(app, payment.profileId)
    if (hasChange && profile && snapshot.decline) countIfUnlisted(ctx, profile, snapshot.decline)
    if (hasChange) {
      changed = applied
      // The provider's view may go further, for example a dispute and a refund after a capture.
      const rest = { payment, operation: undefined, snapshot, inputs }
      const hasMore = IS_TAKEN.has(payment.state) && changeFromSnapshot(rest) !== undefined
      if (++changes < MAX_CHANGES && hasMore) return undefined
    }
    // A part that could not be read now is read again with what made this read necessary.
    const behind = { isBehind: isBehind(payment, snapshot, inputs) || snapshot.isIncomplete === true }
    if (changed) return { kind: 'changed', applied: changed, ...behind }
    const isMissing = wasNotReceived({ payment, operation, snapshot, inputs })
    // A missing notification never proves that nothing happened.
    if (isMissing && operation?.key === request.operation?.key)
      return snapshot.isPartial ? { kind: 'unreadable' } : { kind: 'not-received', ...behind }
    return { kind: 'unchanged', payment, ...behind, isUndecided: UNDECIDED.has(snapshot.stage) }
  })
  if (read.kind !== 'changed') return read
  return { ...read, applied: await withStored(ctx, app, read.applied) }
}

const UNDECIDED: ReadonlySet<Stage> = new Set<Stage>(['in-review', 'processing'])

/** A capture, disputes and a refund: one view of a provider says no more. */
const MAX_CHANGES = 4

/** The states in which more news of the provider can follow at once. */
const IS_TAKEN: ReadonlySet<State> = new Set<State>(['Captured', 'CapturedHold', 'Disputed', 'Refunded'])

/** The states in which the end of the attempt means that the payment counts no money. */
const ENDS_UNPAID: ReadonlySet<State> = new Set<State>([
  ...(['Created', 'Authorizing', 'SaleInProgress', 'Approved', 'Cancelling'] as const),
])

/** The snapshot shows for the first time that the attempt succeeded. */
const isApproval = ({ state }: Payment, { stage }: Snapshot): boolean =>
  (stage === 'authorised' || stage === 'captured') &&
  (state === 'Created' || state === 'Authorizing' || state === 'SaleInProgress' || state === 'Approved')

const isOver = (stage: Stage): boolean => stage === 'declined' || stage === 'cancelled' || stage === 'expired'

/**
 * The operation of an attempt that was recorded as ended although its request arrived late. The change
 * updates this operation, so that it is followed and shown with its real status. Decision 0071.
 */
async function endedOperation(
  ctx: Context,
  payment: Payment,
  { stage }: Snapshot,
): Promise<OperationRecord | undefined> {
  if (payment.state !== 'Created') return undefined
  const last = await lastOfAttempt(ctx.db, payment)
  if (last?.status === 'not-done') return last
  const wasEnded = last?.status === 'declined' || last?.status === 'abandoned'
  return wasEnded && !isOver(stage) ? last : undefined
}
