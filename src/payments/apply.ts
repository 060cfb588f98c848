import { assert } from '../base/assert.ts'
import { after } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { eventIdOf, newLeaseToken, newOperationKey } from '../base/ids.ts'
import { LIMITS } from '../base/limits.ts'
import { dayOf, secondsLeftOfDay } from '../base/time/instant.ts'
import { observeState } from '../base/tracing/observe.ts'
import type { Context } from '../context.ts'
import { blockCustomer } from '../fraud/verdicts/customers.ts'
import { isChecked } from '../fraud/verdicts/judge.ts'
import { type App, appNow } from '../merchants/app.ts'
import { needsOtp } from '../merchants/apps/rules.ts'
import { forgetApp } from '../merchants/directory.ts'
import { writeAndSend } from '../webhooks/delivery/direct/write.ts'
import {
  type AttemptResult,
  applyEvents,
  type Change,
  type Entered,
  type NewOperation,
  type PlannedChange,
  type RefundUpdate,
} from './changes.ts'
import { tellChange } from './live/watch.ts'
import { STATES } from './machine.ts'
import type { OperationRecord, Payment } from './payment.ts'
import { restrictedAs } from './requests/restrictions.ts'
import { pendingSearch } from './search/writing/pending.ts'
import { findOperation } from './store/operations.ts'
import { findPayment, markFirstCapture } from './store/payments.ts'
import { type CustomerDetails, insertPayment, updatePayment } from './store/write.ts'
import { type ActionAudit, creationAudit } from './store/write-audit.ts'
import type { FraudWrite } from './store/write-fraud.ts'
import type { OpenedOperation, WrittenEvent } from './store/write-json.ts'
import { timerOf } from './timers/due.ts'
import { abilitiesOf, paymentJson } from './view.ts'

export interface Applied {
  readonly payment: Payment
  /** The operation that the change opened. The caller holds its lease and must send it. */
  readonly operation?: OperationRecord
  /** Nothing was written: the data behind the fraud verdict has changed. */
  readonly isStale?: true
  /** Nothing was written: the operation of this client request exists already. */
  readonly isRepeated?: true
}

/**
 * The only place where a payment changes. `plan` returns the change for the current payment; after a lost
 * race it is called again with the reloaded payment. When `plan` returns undefined, or the state does not
 * accept an event, nothing is written and the payment is returned unchanged. Decision 0003.
 */
export async function apply(
  ctx: Context,
  app: App,
  payment: Payment,
  plan: (payment: Payment) => Change | undefined,
): Promise<Applied> {
  let current = payment
  for (let attempt = 0; attempt < LIMITS.applyAttempts; attempt++) {
    const change = plan(current)
    const outcome = change && applyEvents(current, change, changeInputs(ctx, app, current, change))
    if (!change || !outcome) return { payment: current }
    const written = await write(ctx, app, { before: current, change, outcome })
    if (written) return written
    if (await leaseLost(ctx, app, change)) return { payment: await reload(ctx, current) }
    current = await reload(ctx, current)
    if (isJudged(change)) return { payment: current, isStale: true }
  }
  throw new ApiError('payment_busy', `Payment ${payment.paymentId} is changed by too many requests at once.`)
}

/** Writes a new payment with its first change. Undefined: reference used or customer blocked. */
export async function applyCreation(
  ctx: Context,
  app: App,
  draft: Payment,
  { change, customer }: { change: Change; customer: CustomerDetails },
): Promise<Applied | undefined> {
  const created: Payment = { ...draft, ...change.updates, sequence: 1 }
  const outcome = applyEvents(created, change, changeInputs(ctx, app, created, change))
  assert(outcome, 'a new payment accepts its first events')
  const { payment } = outcome
  const first = { payment: outcome.entered.length === 0 ? payment : created, kind: 'payment' } as const
  const entered = [first, ...outcome.entered]
  const opens = openedOperation(ctx, app, { before: created, change, outcome })
  const events = entered.map((each) => eventOf(ctx, app, each))
  const made = await writeAndSend(ctx, { app, payment, events }, (direct) =>
    insertPayment(ctx.db, {
      timer: realTime(app, timerOf(payment)) ?? undefined,
      ...{ payment, customer, opens, events, direct },
      now: ctx.clock.now(),
      judged: change.verdict && { verdict: change.verdict, attemptResult: undefined },
      audit: creationAudit(ctx.actor, app.licenseId, payment),
    }),
  )
  if (!made) return undefined
  noteWritten(ctx, app, payment, entered)
  await blockIfDecided(ctx, payment, change)
  return { payment, ...(opens ? { operation: recordOf(app, payment, opens) } : {}) }
}

interface Writing {
  readonly before: Payment
  readonly change: Change
  readonly outcome: PlannedChange
}

async function write(ctx: Context, app: App, writing: Writing): Promise<Applied | undefined> {
  const { before, change, outcome } = writing
  const { payment, entered } = outcome
  const opens = openedOperation(ctx, app, writing)
  const { operation } = change
  const timerMoved = timerOf(before)?.getTime() !== timerOf(payment)?.getTime()
  const events = entered.map((each) => eventOf(ctx, app, each))
  const written = await writeAndSend(ctx, { app, payment, events }, (direct) =>
    updatePayment(ctx.db, {
      operation: operation && { ...operation, dueTime: dueTimeOf(ctx, operation.againInMs) },
      ...{ payment, events, opens, direct, wasVersion: before.version },
      refunds: [...(change.refunds ?? []), ...pendingRefund(opens)],
      timer: timerMoved ? realTime(app, timerOf(payment)) : undefined,
      now: ctx.clock.now(),
      judged: fraudWriteOf(app, writing),
      audit: auditOf(ctx, app, writing),
      refundDay: refundDayOf(ctx, app, change),
    }),
  )
  if (written === undefined) return undefined
  const { result } = written
  if (result === 'repeated') return { payment: await reload(ctx, before), isRepeated: true }
  if (result === 'busy')
    throw new ApiError('payment_busy', `Another operation of payment ${payment.paymentId} is running.`)
  if (result === 'limited') throw refundLimitReached(ctx, app)
  noteWritten(ctx, app, payment, entered)
  await blockIfDecided(ctx, payment, change)
  tellChange(ctx, payment)
  if (payment.capturedMinor > 0n && !app.hasFirstCapture) await noteFirstCapture(ctx, app)
  return { payment, ...(opens ? { operation: recordOf(app, payment, opens) } : {}) }
}

/** Actions with an API key are in the API log instead. */
function auditOf(ctx: Context, app: App, { before, change, outcome }: Writing): ActionAudit | undefined {
  if (ctx.actor?.kind !== 'person' || !change.action) return undefined
  const { events, request, refunds } = change
  const last = events.at(-1)
  const reason = last?.on === 'markDisputed' ? last.reason : undefined
  const note = request?.description ?? refunds?.[0]?.description ?? reason
  return {
    actor: ctx.actor,
    licenseId: app.licenseId,
    action: `payment.${change.action}`,
    before: { state: before.state },
    after: {
      state: outcome.payment.state,
      ...(last && 'amountMinor' in last ? { amountMinor: String(last.amountMinor) } : {}),
      currency: before.currency,
      ...(note ? { note } : {}),
      // Where it is needed, it was checked before the change.
      ...(needsOtp(app, ctx.actor, restrictedAs(change.action, before)) ? { secondFactor: true } : {}),
    },
  }
}

function noteWritten(ctx: Context, app: App, payment: Payment, entered: readonly Entered[]): void {
  pendingSearch(ctx).add(app.appId, payment.paymentId, STATES[payment.state].kind === 'moving')
  for (const each of entered) observeState(ctx, each.payment.state, app.isSandbox)
}

/** Recorded once for each app, and shown on the app's page. */
async function noteFirstCapture(ctx: Context, app: App): Promise<void> {
  await markFirstCapture(ctx.db, app.appId, appNow(ctx, app))
  forgetApp(ctx, app.appId)
}

const isJudged = ({ verdict, attemptResult }: Change): boolean => Boolean(verdict ?? attemptResult?.judgement)

/** The fraud rows of the change. Undefined for most payments, which use the plain statement. */
function fraudWriteOf(app: App, { before, change, outcome }: Writing): FraudWrite | undefined {
  const { verdict, attemptResult = abandonedAttempt(before, outcome.payment) } = change
  const beginsAgain = change.opens?.attempt === before.attempt + 1 && before.attempt > 0
  const counts = attemptResult !== undefined && isChecked(app, undefined)
  if (!verdict && !beginsAgain && !counts) return undefined
  return { verdict, attemptResult: counts || verdict ? attemptResult : undefined }
}

/** The attempt that this change abandons before its end, if any. */
function abandonedAttempt(before: Payment, after: Payment): AttemptResult | undefined {
  if (before.state !== 'Created' || before.attempt === 0) return undefined
  const isOver = after.attempt > before.attempt || after.state === 'Failed' || after.state === 'Cancelling'
  return isOver ? { attempt: before.attempt, outcome: 'ended', card: null } : undefined
}

/** Blocks the customer after the write. If a crash loses this, the next payment triggers the rule again. */
async function blockIfDecided(
  ctx: Context,
  payment: Payment,
  { verdict, attemptResult }: Change,
): Promise<void> {
  const judgement = verdict?.judgement ?? attemptResult?.judgement
  if (judgement?.decision === 'Block') await blockCustomer(ctx, payment)
}

function changeInputs(ctx: Context, app: App, payment: Payment, change: Change) {
  const abilities = abilitiesOf(ctx, app, { ...payment, ...change.updates })
  return { now: appNow(ctx, app), oneStep: abilities !== undefined && !abilities.authoriseOnly }
}

function eventOf(ctx: Context, app: App, { payment, kind }: Entered): WrittenEvent {
  const { paymentId, sequence, state, stateTime, lastError } = payment
  ctx.tracer?.causes(eventIdOf(paymentId, sequence))
  const head = JSON.stringify({
    type: 'payment.state_changed',
    eventId: eventIdOf(paymentId, sequence),
    createdTime: stateTime,
    sequence,
    kind,
  })
  const body = `${head.slice(0, -1)},"payment":${paymentJson(ctx, app, payment)}}`
  return { sequence, state, kind, createdTime: stateTime, lastError, body }
}

function openedOperation(ctx: Context, app: App, writing: Writing): OpenedOperation | undefined {
  const opens = writing.change.opens ?? operationForEffect(ctx, writing)
  if (!opens) return undefined
  return {
    ...opens,
    leaseToken: newLeaseToken(ctx.random),
    createdTime: appNow(ctx, app),
    dueTime: after(ctx.clock.now(), LIMITS.operationLeaseMs),
  }
}

const STEPS = {
  'provider.resume': 'resume',
  'provider.capture': 'capture',
  'provider.cancel': 'cancel',
  'provider.refund': 'refund',
} as const

/** The operation for the effect of the last event. Later events supersede earlier effects. */
function operationForEffect(ctx: Context, { change, outcome }: Writing): NewOperation | undefined {
  const { effect, payment } = outcome
  if (effect === undefined || effect === 'watch' || effect === 'finish') return undefined
  assert(effect !== 'provider.authorise', 'who starts an attempt names its operation')
  assert(payment.profileId !== null && payment.method !== null, 'an effect at a provider has a provider')
  const last = change.events.at(-1)
  const left = payment.capturedMinor - payment.refundedMinor
  const whole = effect === 'provider.refund' ? left : payment.amountMinor
  return {
    key: newOperationKey(ctx.random),
    step: STEPS[effect],
    profileId: payment.profileId,
    method: payment.method,
    attempt: payment.attempt,
    amountMinor: last && 'amountMinor' in last ? last.amountMinor : whole,
    ...change.request,
  }
}

/** A refund is recorded as pending when it is requested. */
function pendingRefund(opens: OpenedOperation | undefined): RefundUpdate[] {
  if (opens?.step !== 'refund') return []
  const { key, amountMinor, description, reason } = opens
  const told = { ...(description ? { description } : {}), ...(reason ? { reason } : {}) }
  return [{ refundId: key, amountMinor, state: 'pending', ...told }]
}

const recordOf = (app: App, payment: Payment, opened: OpenedOperation): OperationRecord => ({
  appId: app.appId,
  paymentId: payment.paymentId,
  key: opened.key,
  step: opened.step,
  attempt: opened.attempt,
  profileId: opened.profileId,
  method: opened.method,
  amountMinor: opened.amountMinor,
  status: 'open',
  tries: 0,
  createdTime: opened.createdTime,
  leaseToken: opened.leaseToken,
  handles: null,
  description: opened.description ?? null,
  reason: opened.reason ?? null,
})

const dueTimeOf = (ctx: Context, againInMs: number | undefined): Date | null =>
  againInMs === undefined ? null : after(ctx.clock.now(), againInMs)

/** Converts an instant of the app's clock to real time. */
const realTime = (app: App, instant: Date | null): Date | null =>
  instant && after(instant, -app.clockOffsetMs)

/** Another worker holds the lease now and will record the result. */
async function leaseLost(ctx: Context, app: App, { operation }: Change): Promise<boolean> {
  if (!operation?.leaseToken) return false
  const found = await findOperation(ctx.db, app.appId, operation.key)
  return found?.leaseToken !== operation.leaseToken
}

async function reload(ctx: Context, payment: Payment): Promise<Payment> {
  const found = await findPayment(ctx.db, payment.appId, payment.paymentId)
  assert(found, `payment ${payment.paymentId} has vanished`)
  return found
}

/** For the app's limit of refunds a day. A cancellation that is a refund at the provider is not counted. */
const refundDayOf = (ctx: Context, app: App, { events }: Change): string | undefined =>
  app.maxRefundsDaily !== null && events.at(-1)?.on === 'refund'
    ? dayOf(appNow(ctx, app), app.timeZone)
    : undefined

/** Passes by itself, so it is not kept under an Idempotency-Key. */
function refundLimitReached(ctx: Context, app: App): ApiError {
  const { maxRefundsDaily, timeZone } = app
  const seconds = secondsLeftOfDay(appNow(ctx, app), timeZone)
  return new ApiError(
    'refund_limit_reached',
    `The app allows ${maxRefundsDaily} refunds a day. The next day in ${timeZone} begins in ${seconds} s.`,
    { transient: true, headers: { 'retry-after': String(seconds) } },
  )
}
