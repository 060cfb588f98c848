import { createHash } from 'node:crypto'
import { after, DAY } from '../../../base/clock.ts'
import { NEEDS_ATTENTION_MS, recheckPause } from '../../../base/limits.ts'
import { errorData } from '../../../base/log.ts'
import { money } from '../../../base/money.ts'
import type { Context } from '../../../context.ts'
import { type App, appNow, findProfile } from '../../../merchants/app.ts'
import { adapterOf } from '../../../merchants/profiles/adapter.ts'
import { callProvider } from '../../../merchants/profiles/call.ts'
import type { Outcome, Snapshot } from '../../../providers/outcome.ts'
import type { Operation, ProviderAdapter, ProviderContext } from '../../../providers/port.ts'
import { apply } from '../../apply.ts'
import { newLease } from '../../lease.ts'
import type { Attempt, Payment } from '../../payment.ts'
import { findOperation } from '../../store/operations.ts'
import { findPayment } from '../../store/payments.ts'
import { summary, withClaim } from '../merge-facts.ts'
import { readProvider, type TrustedRead } from '../provider-view.ts'
import { trustedOutcome } from '../trust.ts'
import { acceptLate } from './accept.ts'
import { isOtherPayment, referenceOf, undoExtras } from './extras.ts'
import { dueAt } from './plan.ts'
import { holdsMoney, type UndoStep, undoStep } from './rules.ts'
import {
  claimUndosOf,
  closeUndo,
  nameUndo,
  noteStep,
  openUndo,
  postponeUndo,
  type Undo,
  type UndoResult,
} from './store.ts'

/**
 * Undoes abandoned attempts: the customer chose another method, or the payment failed in the meantime. The
 * provider is read first, every operation has one fixed key, and a missing reply proves nothing.
 * Decision 0053.
 */

/** Keys are derived from the attempt, so that every worker uses the same key. */
export function undoKey(attemptKey: string, step: 'cancel' | 'refund'): string {
  const bytes = createHash('sha256').update(`${step} ${attemptKey}`).digest()
  return [...bytes.subarray(0, 20)].map((byte) => ALPHABET[byte & 31]).join('')
}
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Undoes the abandoned attempts of a payment in the background. */
export function undoGivenUp(ctx: Context, app: App, payment: Payment): void {
  const work = async () => {
    for (const undo of await claimUndosOf(ctx.db, payment, newLease(ctx))) await runUndo(ctx, app, undo)
  }
  ctx.background.keep('undo', work(), app.appId)
}

/** Gives back money that an abandoned attempt reserved or took. False when not all could be read. */
export async function undoIfPaid(ctx: Context, app: App, attempt: Attempt): Promise<boolean> {
  const given = { ...attempt, attemptKey: attempt.key }
  if (attempt.handles?.lookup) await nameUndo(ctx.db, given)
  for (const undo of await claimUndosOf(ctx.db, attempt, newLease(ctx))) await runUndo(ctx, app, undo)
  const sight = await read(ctx, app, given)
  if (sight.kind !== 'snapshot') return sight.kind === 'absent'
  if (sight.extra) await undoExtras(ctx, app, given, sight.extra)
  // What could not be read may be another payment on the same page.
  const isRead = sight.isIncomplete !== true
  if (!holdsMoney(sight)) return isRead
  const { handles } = sight
  if (handles.payment !== undefined && (await isOtherPayment(ctx, given, handles))) {
    await undoExtras(ctx, app, given, [{ id: handles.payment, handles }])
    return isRead
  }
  const opened = await openUndo(ctx.db, { ...given, createdTime: appNow(ctx, app) }, newLease(ctx))
  if (opened) await runUndo(ctx, app, opened)
  return isRead
}

/** Runs the next step of an undo. The caller holds its lease. */
export async function runUndo(ctx: Context, app: App, undo: Undo): Promise<void> {
  const sight = await read(ctx, app, undo)
  if (sight.kind === 'absent') return close(ctx, app, undo, { result: 'nothing' })
  if (sight.kind !== 'snapshot') return later(ctx, app, undo, undo.outcome ?? summary('asked'))
  if (sight.extra) await undoExtras(ctx, app, { ...undo, attemptKey: referenceOf(undo) }, sight.extra)
  if (await acceptLate(ctx, app, undo, sight)) return close(ctx, app, undo, { result: 'nothing' })
  const refundKey = undoKey(undo.attemptKey, 'refund')
  const claim = sight.refunds.find(({ operationKey }) => operationKey === refundKey)?.customerUrl
  if (claim) await noteClaim(ctx, app, undo, claim)
  const profile = findProfile(app, undo.profileId)
  const abilities = profile && adapterOf(ctx, profile).manifest.methods[undo.method]
  const step = undoStep(sight, {
    refundKey,
    canRefund: abilities?.refund ?? false,
    cancelKey: undoKey(undo.attemptKey, 'cancel'),
    last: undo.outcome,
  })
  const isOpen = sight.openUntil !== undefined && sight.openUntil > appNow(ctx, app)
  if (step.kind === 'done' && step.result !== 'refunded' && isOpen)
    return readAt(ctx, app, undo, sight.openUntil)
  if (step.kind === 'done') return close(ctx, app, undo, { result: step.result })
  if (step.kind === 'refused') return close(ctx, app, undo, { result: null })
  if (step.kind === 'wait') return later(ctx, app, undo, undo.outcome ?? summary('asked'))
  if (step.kind === 'disputed') return whileDisputed(ctx, app, undo)
  // From here on it is about this payment, also if the page is paid again.
  const named = { ...undo, handles: { ...undo.handles, ...sight.handles } }
  const begun = await begin(ctx, app, named, step)
  if (!begun) return
  const outcome = await perform(ctx, app, begun, { step, snapshot: sight })
  const learned = ('handles' in outcome && outcome.handles) || {}
  const ended = { ...begun, handles: { ...begun.handles, ...learned } }
  return conclude(ctx, app, ended, { step, outcome, openUntil: isOpen ? sight.openUntil : undefined })
}

/** No bank decides later than this. If it has not said so, the payer has the money. */
const DECIDED_WITHIN_MS = 180 * DAY
const DISPUTE_LOOK_MS = 7 * DAY

/** Money under dispute cannot be given back. If the merchant wins it, it is then. */
async function whileDisputed(ctx: Context, app: App, undo: Undo): Promise<void> {
  const now = appNow(ctx, app)
  if (now > after(undo.createdTime, DECIDED_WITHIN_MS)) return close(ctx, app, undo, { result: 'refunded' })
  return readAt(ctx, app, undo, after(now, DISPUTE_LOOK_MS))
}

/**
 * Notes the first request of a step before it is sent, so that a later one knows that it is not the first,
 * also after a crash. Undefined when the lease is lost.
 */
async function begin(ctx: Context, app: App, undo: Undo, step: Performed): Promise<Begun | undefined> {
  const { outcome } = undo
  if (outcome?.step === step.kind)
    return { ...undo, sending: undo.tries + 2, since: new Date(outcome.since ?? undo.createdTime) }
  const since = appNow(ctx, app)
  const isNoted = await noteStep(ctx.db, undo, { kind: 'sent', step: step.kind, since: since.toISOString() })
  return isNoted ? { ...undo, sending: 1, since } : undefined
}

interface Begun extends Undo {
  readonly sending: number
  readonly since: Date
}

/** A page that the provider cannot close: the attempt is read again when no one can pay there any more. */
export async function watchPage(ctx: Context, app: App, payment: Payment, openUntil: Date): Promise<void> {
  const { appId, paymentId, attempt, attemptKey, profileId, method, handles } = payment
  if (attemptKey === null || profileId === null || method === null) return
  const about = { appId, paymentId, attempt, attemptKey, profileId, method, handles }
  const undo = { ...about, createdTime: appNow(ctx, app) }
  await openUndo(ctx.db, undo, { until: dueAt(ctx, app, openUntil), token: null })
}

type Performed = Extract<UndoStep, { kind: 'cancel' | 'refund' }>

async function conclude(
  ctx: Context,
  app: App,
  undo: Begun,
  { step, outcome, openUntil: seen }: { step: Performed; outcome: Outcome; openUntil: Date | undefined },
): Promise<void> {
  const openUntil = (outcome.kind === 'approved' && outcome.openUntil) || seen
  // The customer could still pay there.
  if (outcome.kind === 'approved' && openUntil) return readAt(ctx, app, undo, openUntil)
  if (outcome.kind === 'approved')
    return close(ctx, app, undo, { result: step.kind === 'refund' ? 'refunded' : step.result })
  if (outcome.kind === 'pending' && outcome.customerUrl) await noteClaim(ctx, app, undo, outcome.customerUrl)
  if (outcome.kind === 'declined' && step.kind === 'refund') return close(ctx, app, undo, { result: null })
  // Any other outcome: the next read of the provider decides.
  return later(ctx, app, undo, { kind: outcome.kind, step: step.kind, since: undo.since.toISOString() })
}

async function perform(
  ctx: Context,
  app: App,
  undo: Begun,
  { step, snapshot }: { step: Performed; snapshot: Snapshot },
): Promise<Outcome> {
  const { appId, paymentId, profileId } = undo
  const attemptKey = referenceOf(undo)
  const amountMinor = step.kind === 'refund' ? step.amountMinor : snapshot.captured.minor
  const { currency } = snapshot.captured
  const op: Operation = {
    key: undoKey(undo.attemptKey, step.kind),
    step: step.kind,
    reference: referenceOf(undo),
    sending: undo.sending,
    createdAt: undo.since,
  }
  const call = (adapter: ProviderAdapter, provider: ProviderContext<unknown>): Promise<Outcome> => {
    if (step.kind === 'cancel') return adapter.cancel(provider, op, snapshot.handles)
    return adapter.refund(provider, op, snapshot.handles, money(step.amountMinor, currency))
  }
  const outcome = await atProvider(ctx, app, undo, call)
  const provider = findProfile(app, profileId)?.provider ?? ''
  return outcome
    ? trustedOutcome(ctx, { appId, paymentId, currency, amountMinor, attemptKey, provider }, outcome)
    : { kind: 'unknown', why: 'unreadable-reply' }
}

type Known = Pick<Undo, 'appId' | 'paymentId' | 'attempt' | 'attemptKey' | 'profileId' | 'handles'>

async function read(ctx: Context, app: App, known: Known): Promise<TrustedRead> {
  const { appId, paymentId, attempt: number, profileId, handles } = known
  const attemptKey = referenceOf(known)
  const payment = await findPayment(ctx.db, appId, paymentId)
  if (!payment) return { kind: 'unknown' }
  const { currency, amountMinor } = payment
  const ids = { appId, paymentId, attempt: number, attemptKey, profileId }
  const view = await readProvider(ctx, app, { ...ids, handles, currency, amountMinor })
  if (view.kind !== 'unreadable') return view
  if (view.isUnpaid) return { kind: 'absent' }
  // The id is unknown: a page was never opened and could not be paid, but a stored method may be charged.
  const attempt = await findOperation(ctx.db, appId, attemptKey)
  return { kind: attempt?.step === 'start' ? 'absent' : 'unknown' }
}

/** Undefined when the adapter failed and the result is unknown. */
async function atProvider<T>(
  ctx: Context,
  app: App,
  { profileId, paymentId, attempt }: Pick<Undo, 'profileId' | 'paymentId' | 'attempt'>,
  call: (adapter: ProviderAdapter, provider: ProviderContext<unknown>) => Promise<T>,
): Promise<T | undefined> {
  const profile = findProfile(app, profileId)
  if (!profile) return undefined
  try {
    return await callProvider({ ...ctx, subject: { step: 'undo', paymentId, attempt } }, app, profile, call)
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return undefined
  }
}

/** Without a result the undo was refused: the provider keeps the money, and an operator must act. */
async function close(ctx: Context, app: App, undo: Undo, { result }: { result: UndoResult | null }) {
  const status = result === null ? 'refused' : 'done'
  if (result === null) warn(ctx, undo)
  await noteClaim(ctx, app, undo, undefined)
  await closeUndo(ctx.db, undo, { status, result, now: appNow(ctx, app), outcome: summary(status) })
}

/** Sets the page where the customer claims the money; undefined when there is nothing left to claim. */
async function noteClaim(ctx: Context, app: App, undo: Undo, claimUrl: string | undefined): Promise<void> {
  const payment = await findPayment(ctx.db, undo.appId, undo.paymentId)
  if (!payment || payment.payInfo?.claimUrl === claimUrl) return
  await apply(ctx, app, payment, ({ payInfo }) => {
    if (payInfo?.claimUrl === claimUrl) return undefined
    return { events: [], updates: { payInfo: withClaim(payInfo, claimUrl) } }
  })
}

/** The customer could still pay until then. */
const readAt = (ctx: Context, app: App, undo: Undo, time: Date): Promise<void> =>
  postponeUndo(ctx.db, undo, { due: dueAt(ctx, app, time), outcome: summary('asked') })

async function later(ctx: Context, app: App, undo: Undo, outcome: object): Promise<void> {
  if (appNow(ctx, app).getTime() - undo.createdTime.getTime() > NEEDS_ATTENTION_MS) warn(ctx, undo)
  await postponeUndo(ctx.db, undo, { due: after(ctx.clock.now(), recheckPause(undo.tries)), outcome })
}

const warn = (ctx: Context, { appId, paymentId, attemptKey }: Undo): void =>
  ctx.log.warn('undo.needs_attention', { appId, paymentId, operation: attemptKey })
