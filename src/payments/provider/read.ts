import { after } from '../../base/clock.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { type App, appNow, findProfile, type Profile } from '../../merchants/app.ts'
import { adapterOf } from '../../merchants/profiles/adapter.ts'
import { callProvider } from '../../merchants/profiles/call.ts'
import type { Declined, Outcome, Snapshot, Stage } from '../../providers/outcome.ts'
import { type Applied, apply } from '../apply.ts'
import type { State } from '../machine.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import { movementsOf } from '../store/movements.ts'
import { findOpenOperation, lastOfAttempt } from '../store/operations.ts'
import { checkAndWrite } from './fraud-check.ts'
import { outcomeInputs } from './inputs.ts'
import { amountText } from './merge-facts.ts'
import { changeFromSnapshot } from './on-snapshot.ts'
import { countUnlisted } from './outcome/unlisted.ts'
import { isBehind, wasNotReceived } from './snapshot/compare.ts'
import { planStoring, withStored } from './storing/storing.ts'
import { undoExtras } from './undo/extras.ts'
import { isUnderpaid } from './undo/rules.ts'
import { openUndo } from './undo/store.ts'

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
  /** `operation` is the payment's open operation, or none is open; it was read after the payment. */
  readonly isOpenOne?: true
}

/** Reads the provider's view of a payment and writes the difference. */
export async function readAndApply(ctx: Context, app: App, request: ReadRequest): Promise<ReadResult> {
  const view = await readProvider(ctx, app, known(request))
  if (view.kind === 'snapshot') countAllUnlisted(ctx, app, request.payment, view)
  return view.kind === 'snapshot' ? applySnapshot(ctx, app, request, view) : view
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
  // Before the attempt is written as ended, so that a crash cannot lose it.
  if (ENDS_UNPAID.has(payment.state) && isOver(snapshot.stage)) await planUndo(ctx, app, payment, snapshot)
  if (isApproval(payment, snapshot)) await planStoring(ctx, app, payment)
  if (snapshot.extra) await undoExtras(ctx, app, payment, snapshot)
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
      const isFirst = changed === undefined
      changed = applied
      // The provider's view may go further, for example a refund on its dashboard after a capture.
      const rest = { payment, operation: undefined, snapshot, inputs }
      const isTaken = payment.state === 'Captured' || payment.state === 'CapturedHold'
      if (isFirst && isTaken && changeFromSnapshot(rest)) return undefined
    }
    // A part that could not be read now is read again with what made this read necessary.
    const behind = { isBehind: isBehind(payment, snapshot) || snapshot.isIncomplete === true }
    if (changed) return { kind: 'changed', applied: changed, ...behind }
    const isMissing = wasNotReceived({ payment, operation, snapshot, inputs })
    // What a notification has not told yet may have happened all the same.
    if (isMissing && operation?.key === request.operation?.key)
      return snapshot.isPartial ? { kind: 'unreadable' } : { kind: 'not-received', ...behind }
    return { kind: 'unchanged', payment, ...behind, isUndecided: UNDECIDED.has(snapshot.stage) }
  })
  if (read.kind !== 'changed') return read
  return { ...read, applied: await withStored(ctx, app, read.applied) }
}

/** Counts decline codes that an adapter does not know, so that its table can grow. */
export function countIfUnlisted(
  ctx: Context,
  profile: Profile,
  { isUnlisted, raw }: Pick<Declined, 'isUnlisted' | 'raw'>,
): void {
  if (!isUnlisted) return
  countUnlisted(ctx, profile, raw.code ?? '')
}

/** Values outside the adapter's enumerations that a read has shown. */
function countAllUnlisted(ctx: Context, app: App, { profileId }: Payment, { unlisted = [] }: Snapshot): void {
  const profile = profileId === null ? undefined : findProfile(app, profileId)
  if (profile) for (const value of unlisted) countUnlisted(ctx, profile, value)
}

const UNDECIDED: ReadonlySet<Stage> = new Set<Stage>(['in-review', 'processing'])

/** The states in which the end of the attempt means that the payment counts no money. */
const ENDS_UNPAID: ReadonlySet<State> = new Set<State>([
  ...(['Created', 'Authorizing', 'SaleInProgress', 'Approved', 'Cancelling'] as const),
])

/** The undos job gives back the part that was paid, or what may still come. */
async function planUndo(ctx: Context, app: App, payment: Payment, snapshot: Snapshot): Promise<void> {
  const { appId, paymentId, attempt, attemptKey, profileId, method } = payment
  const due = isUnderpaid(snapshot)
    ? ctx.clock.now()
    : snapshot.openUntil && dueAt(ctx, app, snapshot.openUntil)
  if (!due || attemptKey === null || profileId === null || method === null) return
  const about = { appId, paymentId, attemptKey, attempt, profileId, method }
  const handles = { ...payment.handles, ...snapshot.handles }
  const undo = { ...about, handles, createdTime: appNow(ctx, app) }
  const opened = await openUndo(ctx.db, undo, { until: due, token: null })
  if (opened && isUnderpaid(snapshot)) {
    const paid = amountText(payment, snapshot.captured.minor)
    ctx.log.warn('payment.underpaid', { appId, paymentId, paid })
  }
}

/** A time of the app by the clock of the service, as due times are. */
export const dueAt = (ctx: Context, app: App, time: Date): Date =>
  after(ctx.clock.now(), time.getTime() - appNow(ctx, app).getTime())

/** The snapshot shows for the first time that the attempt succeeded. */
const isApproval = ({ state }: Payment, { stage }: Snapshot): boolean =>
  (stage === 'authorised' || stage === 'captured') &&
  (state === 'Created' || state === 'Authorizing' || state === 'SaleInProgress' || state === 'Approved')

const isOver = (stage: Stage): boolean => stage === 'declined' || stage === 'cancelled' || stage === 'expired'

/**
 * The operation of an attempt that was recorded as ended although its request arrived late. The change
 * updates this operation, so that it is followed and shown with its real status.
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

/** A provider's view that can be trusted. Inconclusive absence and a view of something else are `unknown`. */
export type ProviderView =
  | Snapshot
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly isUnpaid?: true }
  | { readonly kind: 'unknown' }

type AttemptReference = Pick<
  Payment,
  'appId' | 'paymentId' | 'profileId' | 'attemptKey' | 'handles' | 'currency' | 'amountMinor'
> &
  Partial<Pick<Payment, 'attempt'>>

/** All reads of a provider's view of a payment go through here. */
export async function readProvider(
  ctx: Context,
  app: App,
  reference: AttemptReference,
): Promise<ProviderView> {
  const { profileId, paymentId, attempt, attemptKey, handles } = reference
  const profile = profileId === null ? undefined : findProfile(app, profileId)
  if (!profile) return { kind: 'unknown' }
  try {
    const subject = { step: 'read', paymentId, ...(attempt === undefined ? {} : { attempt }) }
    const told = await toldAbout(ctx, app, profile, attemptKey)
    const view = await callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
      adapter.retrieve(provider, attemptKey ?? '', handles ?? {}, { currency: reference.currency, told }),
    )
    if (view.kind === 'absent') return { kind: view.conclusive ? 'absent' : 'unknown' }
    if (view.kind === 'unreadable') return view
    return view.kind === 'snapshot' ? trustedSnapshot(ctx, app, reference, view) : { kind: 'unknown' }
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return { kind: 'unknown' }
  }
}

/** What the notifications of a provider that cannot be read have told about the attempt. */
const toldAbout = async (ctx: Context, { appId }: App, profile: Profile, attemptKey: string | null) =>
  attemptKey !== null && adapterOf(ctx, profile).manifest.retrieve === 'notification-only'
    ? movementsOf(ctx, { appId, attemptKey })
    : []

/** A snapshot that is about this payment; `unknown` when it is about something else. */
function trustedSnapshot(
  ctx: Pick<Context, 'log'>,
  app: App,
  reference: AttemptReference,
  snapshot: Snapshot,
): ProviderView {
  const profile = reference.profileId === null ? undefined : findProfile(app, reference.profileId)
  const about = { ...reference, provider: profile?.provider ?? '' }
  if (!isAbout(ctx, about, differences(about, snapshot))) return { kind: 'unknown' }
  // A refund of nothing is not recorded.
  return { ...snapshot, refunds: snapshot.refunds.filter(({ amount }) => amount.minor > 0n) }
}

/** The outcome of a call; `unknown` when the reply is about something else than the request. */
export function trustedOutcome(ctx: Pick<Context, 'log'>, about: About, outcome: Outcome): Outcome {
  const told = 'told' in outcome ? outcome.told : undefined
  const found = [
    ...differs('reference', told?.reference, about.attemptKey),
    ...differs('currency', told?.amount?.currency, about.currency),
    ...differs('amount', told?.amount?.minor, about.amountMinor),
  ]
  if (isAbout(ctx, about, found)) return outcome
  return { kind: 'unknown', why: 'unreadable-reply' }
}

export interface About
  extends Pick<Payment, 'appId' | 'paymentId' | 'currency' | 'amountMinor' | 'attemptKey'> {
  readonly provider: string
}

/** How a snapshot differs from the payment. Without an authorisation all is captured at once. */
function differences(about: About, snapshot: Snapshot): string[] {
  const { authorised, captured, refunded, refunds, reference, stage } = snapshot
  const sums = [
    ...(authorised ? [authorised] : []),
    captured,
    refunded,
    ...refunds.map(({ amount }) => amount),
  ]
  const isWhole = !authorised && stage === 'captured' && !snapshot.isPartial
  const whole = isWhole ? captured.minor : undefined
  const tooMuch = captured.minor > about.amountMinor ? captured.minor : undefined
  return [
    ...differs('reference', reference, about.attemptKey),
    ...sums.flatMap(({ currency }) => differs('currency', currency, about.currency)).slice(0, 1),
    ...differs('authorised', authorised?.minor, about.amountMinor),
    ...differs('captured', whole ?? tooMuch, about.amountMinor),
  ]
}

/** Empty when the provider does not say, or says what we know. */
export function differs<T>(what: string, found: T | undefined, expected: T): string[] {
  return found === undefined || found === expected ? [] : [`${what} ${found} instead of ${expected}`]
}

/** A report about something else is never applied; the log entry asks an operator to check it. */
export function isAbout(ctx: Pick<Context, 'log'>, about: About, found: readonly string[]): boolean {
  const { appId, paymentId, provider } = about
  if (found.length > 0)
    ctx.log.error('provider.other_payment', { appId, paymentId, provider, differs: found.join(', ') })
  return found.length === 0
}
