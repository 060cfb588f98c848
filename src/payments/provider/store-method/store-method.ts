import { createHash } from 'node:crypto'
import { after } from '../../../base/clock.ts'
import { LIMITS, NEEDS_ATTENTION_MS, recheckPause } from '../../../base/limits.ts'
import { errorData } from '../../../base/log.ts'
import type { Context } from '../../../context.ts'
import { type App, appNow, findProfile } from '../../../merchants/app.ts'
import { findAdapter } from '../../../merchants/profiles/adapter.ts'
import { callProvider } from '../../../merchants/profiles/call.ts'
import type { SetupOutcome } from '../../../providers/outcome.ts'
import { type Applied, apply } from '../../apply.ts'
import { newLease } from '../../lease.ts'
import type { State } from '../../machine.ts'
import type { Payment } from '../../payment.ts'
import { findPayment } from '../../store/payments.ts'
import { storeKept } from '../inputs.ts'
import { purchaseOf } from '../purchase.ts'
import {
  claimPaidMethod,
  closePaidMethod,
  insertPaidMethod,
  type PaidMethod,
  postponePaidMethod,
} from './store.ts'

/**
 * Stores the method of a paid attempt at a provider that does this by a request after the payment. The
 * request has a key of its own and is sent once the payment is written; reading a payment never causes it.
 */

/** The same for every worker. */
function storeKey(attemptKey: string): string {
  const bytes = createHash('sha256').update(`store ${attemptKey}`).digest()
  return [...bytes.subarray(0, 20)].map((byte) => ALPHABET[byte & 31]).join('')
}
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Before the approval is written. Does nothing if the method is not to be stored in this way. */
export async function planToStore(ctx: Context, app: App, payment: Payment): Promise<void> {
  const { appId, paymentId, attemptKey, profileId, tokenId } = payment
  const profile = profileId === null ? undefined : findProfile(app, profileId)
  if (!profile || attemptKey === null || tokenId !== null || payment.details.isErased) return
  if (!findAdapter(ctx, profile)?.storeAfterPayment || !purchaseOf(ctx, app, payment, {}).storeMethod) return
  const paid = {
    appId,
    attemptKey,
    paymentId,
    profileId: profile.profileId,
    createdTime: appNow(ctx, app),
  }
  await insertPaidMethod(ctx.db, paid, after(ctx.clock.now(), LIMITS.operationLeaseMs))
}

/** After the approval is written: stores the method now. What fails is repeated by the job. */
export async function withStored(ctx: Context, app: App, applied: Applied): Promise<Applied> {
  const { payment } = applied
  const { appId, attemptKey, profileId } = payment
  const profile = profileId === null ? undefined : findProfile(app, profileId)
  if (attemptKey === null || !profile || !findAdapter(ctx, profile)?.storeAfterPayment) return applied
  const paid = await claimPaidMethod(ctx.db, { appId, attemptKey }, newLease(ctx))
  return paid ? { ...applied, payment: await storePaidMethod(ctx, app, paid) } : applied
}

/** States in which the attempt is paid, and those in which that is still open. */
const PAID: ReadonlySet<State> = new Set<State>([
  'Authorized',
  'Capturing',
  'Captured',
  'Refunding',
  'Disputed',
])
const UNDECIDED: ReadonlySet<State> = new Set<State>([
  ...(['Created', 'Authorizing', 'SaleInProgress', 'Approved'] as const),
  ...(['ProviderAuthorizedHold', 'CapturedHold', 'Cancelling'] as const),
])

/** The caller holds the lease. Returns the payment, with the method if it was stored. */
export async function storePaidMethod(ctx: Context, app: App, paid: PaidMethod): Promise<Payment> {
  const payment = await findPayment(ctx.db, paid.appId, paid.paymentId)
  if (!payment) throw new Error(`payment ${paid.paymentId} does not exist`)
  const isCurrent = payment.attemptKey === paid.attemptKey && !payment.details.isErased
  if (isCurrent && UNDECIDED.has(payment.state)) return later(ctx, app, paid, payment)
  const isWanted = isCurrent && PAID.has(payment.state) && payment.fraudStatus !== 'Fraudulent'
  if (!isWanted || payment.tokenId !== null) {
    await closePaidMethod(ctx.db, paid, payment.tokenId === null ? 'refused' : 'done')
    return payment
  }
  const kept = await atProvider(ctx, app, paid, payment)
  if (kept.kind === 'stored') {
    const updates = await storeKept(ctx, app, payment, kept.stored)
    const written = await apply(ctx, app, payment, (current) =>
      current.attemptKey === paid.attemptKey ? { events: [], updates } : undefined,
    )
    await closePaidMethod(ctx.db, paid, 'done')
    return written.payment
  }
  if (isRepeated(kept)) return later(ctx, app, paid, payment)
  return refuse(ctx, paid, payment)
}

const isRepeated = (kept: SetupOutcome): boolean =>
  kept.kind === 'unknown' ||
  (kept.kind === 'not-done' && ['not-sent', 'rate-limited', 'bad-credentials'].includes(kept.why))

async function atProvider(ctx: Context, app: App, paid: PaidMethod, payment: Payment): Promise<SetupOutcome> {
  const { attemptKey, paymentId, profileId } = paid
  const profile = findProfile(app, profileId)
  if (!profile) return { kind: 'not-done', why: 'unsupported' }
  const { method, customer } = purchaseOf(ctx, app, payment, {})
  const wanted = { key: storeKey(attemptKey), reference: attemptKey, method, customer }
  const subject = { step: 'store', paymentId, attempt: payment.attempt }
  try {
    return await callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
      adapter.storeAfterPayment
        ? adapter.storeAfterPayment(provider, wanted, payment.handles ?? {})
        : ({ kind: 'not-done', why: 'unsupported' } as const),
    )
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return { kind: 'unknown', why: 'unreadable-reply' }
  }
}

async function later(ctx: Context, app: App, paid: PaidMethod, payment: Payment): Promise<Payment> {
  const ageMs = appNow(ctx, app).getTime() - paid.createdTime.getTime()
  if (ageMs > NEEDS_ATTENTION_MS) return refuse(ctx, paid, payment)
  await postponePaidMethod(ctx.db, paid, after(ctx.clock.now(), recheckPause(paid.tries)))
  return payment
}

async function refuse(ctx: Context, paid: PaidMethod, payment: Payment): Promise<Payment> {
  const { appId, paymentId } = paid
  ctx.log.warn('method.not_stored', { appId, paymentId })
  await closePaidMethod(ctx.db, paid, 'refused')
  return payment
}
