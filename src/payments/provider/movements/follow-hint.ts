import { after, DAY } from '../../../base/clock.ts'
import type { Context } from '../../../context.ts'
import { removedAtProvider } from '../../../customers/erasure/tokens.ts'
import { followSetup } from '../../../customers/method-setup.ts'
import { renewedAtProvider } from '../../../customers/refresh-method.ts'
import type { App, Profile } from '../../../merchants/app.ts'
import type { Hint } from '../../../providers/hint.ts'
import type { OperationRecord } from '../../payment.ts'
import { asAttempt, findByLookup, findOperation } from '../../store/operations.ts'
import { findByAttempt } from '../../store/payments.ts'
import { recheckAttempt, withLookup } from '../recheck.ts'
import { isAlreadyKnown } from '../snapshot/compare.ts'
import { undoIfPaid } from '../undo/undo.ts'
import { movementIn, storeMovement } from './movements.ts'

/**
 * Rechecks the attempt that a notification refers to. A hint can only select an attempt of the profile that
 * received it: any other reference is ignored and logged. Returns false when the notification must be
 * processed again because the provider could not be read, or because a movement is of a payment that is not
 * known yet; and `unmatched` when it may become known, so that the notification is worth keeping.
 */
export async function followHint(
  ctx: Context,
  app: App,
  { profileId, receivedTime }: HintSource,
  hint: Hint,
): Promise<boolean | 'unmatched'> {
  const { reportedStage, removedToken, renewedToken } = hint
  if (renewedToken !== undefined) return renewedAtProvider(ctx, app, profileId, renewedToken)
  if (removedToken !== undefined) await removedAtProvider(ctx, app, profileId, removedToken)
  if (hint.reference === undefined && hint.lookup === undefined && removedToken !== undefined) return true
  const movement = movementIn(ctx, app, profileId, hint)
  const reference = hint.reference ?? (await referenceOf(ctx, app, profileId, hint.lookup))
  if (reference === undefined) {
    const isFresh = receivedTime === undefined || ctx.clock.now() < after(receivedTime, DAY)
    // The provider's id is stored with our own call's reply, which may still be on its way.
    if (movement && isFresh) return false
    // So may be the first read that has it: the payment was refunded or disputed before that.
    if (hint.isKept && isFresh) return 'unmatched'
    logIgnored(ctx, app, profileId, undefined)
    return true
  }
  const payment = await findByAttempt(ctx.db, { appId: app.appId, profileId, key: reference })
  if (payment && movement && !(await storeMovement(ctx, app, { payment, reference, profileId }, movement)))
    return true
  if (payment?.attemptKey === reference) {
    if (reportedStage !== undefined && isAlreadyKnown(payment, reportedStage)) return true
    const named = withLookup(payment, hint.lookup)
    const rechecked = await recheckAttempt(ctx, app, {
      ...named,
      handles: hint.handles ? { ...named.handles, ...hint.handles } : named.handles,
    })
    // No other read has these ids.
    if (hint.handles && !rechecked.isRead) return false
    // The state may have taken only a part of what was reported: the next part needs no request.
    if (!movement || rechecked.isTracked || rechecked.payment.version === payment.version)
      return rechecked.isTracked
    return (await recheckAttempt(ctx, app, rechecked.payment)).isTracked
  }
  const operation = await findOperation(ctx.db, app.appId, reference)
  const attempt = payment && asAttempt(operation)
  // A later attempt replaced this one: money that it reserved or took is given back.
  if (attempt) return undoIfPaid(ctx, app, withLookup(attempt, hint.lookup))
  const isKept = operation ? undefined : await followSetup(ctx, app, profileId, reference)
  if (isKept !== undefined) return isKept
  logIgnored(ctx, app, profileId, operation)
  return true
}

/** Whether a hint selects an attempt of the profile: one look-up, no request to the provider. */
export async function selectsAttempt(
  ctx: Context,
  app: App,
  profileId: number,
  hint: Hint,
): Promise<boolean> {
  return (await referenceOf(ctx, app, profileId, hint.lookup)) !== undefined
}

/** Whether the payment already shows what a notification reports: one look-up, no request to the provider. */
export async function reportsNothingNew(
  ctx: Context,
  app: App,
  profileId: number,
  { reference, movement, reportedStage }: Hint,
): Promise<boolean> {
  if (reference === undefined || movement !== undefined || reportedStage === undefined) return false
  const payment = await findByAttempt(ctx.db, { appId: app.appId, profileId, key: reference })
  return payment?.attemptKey === reference && isAlreadyKnown(payment, reportedStage)
}

interface HintSource extends Pick<Profile, 'profileId'> {
  /** Absent: now. */
  readonly receivedTime?: Date
}

/** The attempt that the provider knows by its own id. */
async function referenceOf(ctx: Context, app: App, profileId: number, lookup: string | undefined) {
  if (lookup === undefined) return undefined
  return findByLookup(ctx.db, { appId: app.appId, profileId, lookup })
}

/**
 * An unknown reference is normal when the provider account also serves other payments. The reference can be
 * any text, so it is logged only when it is one of our operation keys.
 */
function logIgnored(ctx: Context, app: App, profileId: number, named: OperationRecord | undefined): void {
  const about = { appId: app.appId, profileId }
  if (!named) ctx.log.info('notification.reference_ignored', about)
  else {
    const { key: reference, step, profileId: ofProfileId } = named
    ctx.log.warn('notification.reference_ignored', { ...about, reference, step, ofProfileId })
  }
}
