import { ApiError } from '../../base/errors.ts'
import { newOperationKey } from '../../base/ids.ts'
import { LIMITS } from '../../base/limits.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { callProvider } from '../../merchants/profiles/call.ts'
import type { Operation } from '../../providers/port.ts'
import { apply } from '../apply.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import { profileOf } from '../provider/inputs.ts'
import { declineFailure, summary } from '../provider/merge-facts.ts'
import { attemptEnded, operationUpdate } from '../provider/outcome/endings.ts'
import { recheck } from '../provider/recheck.ts'
import { sendOperations } from '../provider/send.ts'
import { undoKey, watchPage } from '../provider/undo/undo.ts'
import { findOpenOperation } from '../store/operations.ts'
import { abilitiesOf } from '../view.ts'
import { isAskedAgain, isChallenged, payableUntil, watchedMs, withWatch } from './due.ts'

/** What time ends: links with their pages at providers, bank challenges, waits for another capture. */

/** The timer of a payment is due. The provider is read first: its view may have ended the wait already. */
export async function onTimer(ctx: Context, app: App, payment: Payment): Promise<void> {
  const isDue = (time: string | undefined) => time !== undefined && new Date(time) <= appNow(ctx, app)
  const isReadFirst =
    payment.state !== 'Created' ||
    isDue(payment.payInfo?.watch?.next) ||
    (await findOpenOperation(ctx.db, app.appId, payment.paymentId))
  const current = isReadFirst ? await recheck(ctx, app, payment) : payment
  if (current.state === 'Created') await onOpenLink(ctx, app, current, isDue(current.payInfo?.watch?.next))
  else if ((isChallenged(current) || isAskedAgain(current)) && isDue(current.payInfo?.challengeUntil))
    await endChallenge(ctx, app, current)
  else if (current.state === 'Capturing' && isDue(current.payInfo?.recapture?.until))
    await giveUpCapture(ctx, app, current)
  else if (isDue(current.payInfo?.watch?.next)) await planWatch(ctx, app, current)
}

/**
 * Cancels a charge whose challenge the customer has left, so that another attempt can begin. What the
 * provider shows afterwards decides: the customer may have answered the bank in the same moment.
 */
export async function endChallenge(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  const { attemptKey, paymentId, attempt, handles } = payment
  if (isAskedAgain(payment)) return endApproval(ctx, app, payment)
  if (!isChallenged(payment) || attemptKey === null) return payment
  const profile = profileOf(app, payment)
  const op: Operation = {
    ...({ key: undoKey(attemptKey, 'cancel'), step: 'cancel', reference: attemptKey } as const),
    ...{ sending: 1, createdAt: appNow(ctx, app) },
  }
  try {
    await callProvider(
      { ...ctx, subject: { step: 'cancel', paymentId, attempt } },
      app,
      profile,
      (adapter, provider) => adapter.cancel(provider, op, handles ?? {}),
    )
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
  }
  return recheck(ctx, app, payment)
}

/** The customer did not agree a second time. The provider takes nothing without our next request. */
async function endApproval(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  const open = await findOpenOperation(ctx.db, app.appId, payment.paymentId)
  const isOver = new Date(payment.payInfo?.challengeUntil ?? 0) <= appNow(ctx, app)
  const applied = await apply(ctx, app, payment, (current) => {
    if (!isAskedAgain(current) || open?.status !== 'waiting') return undefined
    const update = { ...operationUpdate(open, 'declined', summary('expired')), leaseToken: null }
    return attemptEnded(current, {
      failure: declineFailure(isOver ? 'expired' : 'customer-cancelled'),
      update,
    })
  })
  return applied.payment
}

/** The provider did not capture again in time. If it does later, the money is given back. */
async function giveUpCapture(ctx: Context, app: App, payment: Payment): Promise<void> {
  const problem = { code: 'capture-given-up' } as const
  await apply(ctx, app, payment, (current) =>
    current.state === 'Capturing' && current.payInfo?.recapture
      ? { events: [{ on: 'captureRefused', problem, authorisationGone: true, isGivenUp: true }] }
      : undefined,
  )
}

async function onOpenLink(ctx: Context, app: App, payment: Payment, isWatched: boolean): Promise<void> {
  const left = await expireLink(ctx, app, payment)
  if (isWatched && left.state === 'Created') await planWatch(ctx, app, left)
}

/** A debit that was not returned yet, or a page that is still open, is read again later. */
async function planWatch(ctx: Context, app: App, payment: Payment): Promise<void> {
  await apply(ctx, app, payment, ({ payInfo, state, method }) => {
    if (!payInfo?.watch) return undefined
    const watched = { since: new Date(payInfo.watch.since), now: appNow(ctx, app) }
    const forMs = state === 'Created' ? undefined : watchedMs(method)
    return { events: [], updates: { payInfo: withWatch(payInfo, { ...watched, forMs }) } }
  })
}

/**
 * Closes an open page that captures by itself before another attempt starts, so that an old tab cannot cause
 * a second payment. A page on which the customer only approves takes no money and stays open. A page that the
 * provider refuses to close stays open too, and is read daily: the operation that read it has ended.
 */
export async function closeOpenPage(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  const { profileId, method, attempt, amountMinor } = payment
  if (!hasTakingPage(ctx, app, payment) || profileId === null || method === null) return payment
  const key = newOperationKey(ctx.random)
  const now = appNow(ctx, app)
  const applied = await apply(ctx, app, payment, (current) =>
    current.version === payment.version
      ? {
          events: [],
          updates: { payInfo: withWatch(current.payInfo, { since: now, now }) },
          opens: { key, step: 'cancel', profileId, method, amountMinor, attempt },
        }
      : undefined,
  )
  const closed = await sendOperations(ctx, app, applied)
  if (closed.state === 'Created' && closed.redirectUrl !== null)
    throw new ApiError('payment_busy', 'The page that is open at the provider could not be closed.')
  return closed
}

export const hasTakingPage = (ctx: Context, app: App, payment: Payment): boolean =>
  payment.state === 'Created' &&
  payment.redirectUrl !== null &&
  !abilitiesOf(ctx, app, payment)?.approvesFirst

/**
 * Expires the link, after its open page at the provider is closed. If the provider does not answer, or a
 * request is running, the payment is left unchanged and the timer is due again later. If the provider refuses
 * to close the page, the payment ends too, and what comes until the page ends is given back.
 */
export async function expireLink(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  const isDue = (current: Payment): boolean => {
    const until = payableUntil(current)
    return current.state === 'Created' && until !== null && until <= appNow(ctx, app)
  }
  let latest = isDue(payment) ? await closeIfOpen(ctx, app, payment) : payment
  // A notification may change the payment at the same time: then the link is checked again.
  for (let round = 0; round < LIMITS.applyAttempts; round++) {
    const open = await findOpenOperation(ctx.db, latest.appId, latest.paymentId)
    if (open && !isApprovalPage(ctx, app, latest, open)) return latest
    const { version } = latest
    let isOutdated = false
    let isLeftOpen = false
    const applied = await apply(ctx, app, latest, (current) => {
      isOutdated = current.version !== version
      isLeftOpen = !isOutdated && isDue(current) && hasTakingPage(ctx, app, current)
      if (isOutdated || !isDue(current)) return undefined
      return { events: [{ on: 'expired' }], ...(open ? { operation: givenUp(open) } : {}) }
    })
    latest = applied.payment
    if (isLeftOpen) await watchPage(ctx, app, latest, appNow(ctx, app))
    if (!isOutdated) break
  }
  return latest
}

/** A provider that does not answer leaves its page open. */
async function closeIfOpen(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  try {
    return await closeOpenPage(ctx, app, payment)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'payment_busy') return payment
    throw error
  }
}

/** A page on which the customer only approves: no money moves there. */
const isApprovalPage = (ctx: Context, app: App, payment: Payment, open: OperationRecord): boolean =>
  open.step === 'start' && open.status === 'waiting' && abilitiesOf(ctx, app, payment)?.approvesFirst === true

const givenUp = (open: OperationRecord) => ({
  ...operationUpdate(open, 'abandoned', summary('expired')),
  leaseToken: null,
})
