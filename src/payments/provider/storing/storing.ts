import { createHash } from 'node:crypto'
import { after } from '../../../base/clock.ts'
import { LIMITS, NEEDS_ATTENTION_MS, recheckPause } from '../../../base/limits.ts'
import { errorData } from '../../../base/log.ts'
import type { Context } from '../../../context.ts'
import { type App, appNow, findProfile } from '../../../merchants/app.ts'
import { findAdapter } from '../../../merchants/profiles/adapter.ts'
import { callProvider } from '../../../merchants/profiles/call.ts'
import type { Keep } from '../../../providers/outcome.ts'
import { type Applied, apply } from '../../apply.ts'
import { newLease } from '../../lease.ts'
import type { State } from '../../machine.ts'
import type { Payment } from '../../payment.ts'
import { findPayment } from '../../store/payments.ts'
import { storeKept } from '../inputs.ts'
import { purchaseOf } from '../purchase.ts'
import { claimStoring, closeStoring, type MethodStoring, openStoring, postponeStoring } from './store.ts'

/**
 * Stores the method of a paid attempt at a provider that does this by a request after the payment. The
 * request has a key of its own and is sent once the payment is written; reading a payment never causes it.
 */

/** The same for every worker. */
function storingKey(attemptKey: string): string {
  const bytes = createHash('sha256').update(`store ${attemptKey}`).digest()
  return [...bytes.subarray(0, 20)].map((byte) => ALPHABET[byte & 31]).join('')
}
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Before the approval is written. Does nothing if the method is not to be stored in this way. */
export async function planStoring(ctx: Context, app: App, payment: Payment): Promise<void> {
  const { appId, paymentId, attemptKey, profileId, tokenId } = payment
  const profile = profileId === null ? undefined : findProfile(app, profileId)
  if (!profile || attemptKey === null || tokenId !== null || payment.details.isErased) return
  if (!findAdapter(ctx, profile)?.storePaid || !purchaseOf(ctx, app, payment, {}).storeMethod) return
  const storing = {
    appId,
    attemptKey,
    paymentId,
    profileId: profile.profileId,
    createdTime: appNow(ctx, app),
  }
  await openStoring(ctx.db, storing, after(ctx.clock.now(), LIMITS.operationLeaseMs))
}

/** After the approval is written: stores the method now. What fails is repeated by the job. */
export async function withStored(ctx: Context, app: App, applied: Applied): Promise<Applied> {
  const { payment } = applied
  const { appId, attemptKey, profileId } = payment
  const profile = profileId === null ? undefined : findProfile(app, profileId)
  if (attemptKey === null || !profile || !findAdapter(ctx, profile)?.storePaid) return applied
  const storing = await claimStoring(ctx.db, { appId, attemptKey }, newLease(ctx))
  return storing ? { ...applied, payment: await runStoring(ctx, app, storing) } : applied
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
export async function runStoring(ctx: Context, app: App, storing: MethodStoring): Promise<Payment> {
  const payment = await findPayment(ctx.db, storing.appId, storing.paymentId)
  if (!payment) throw new Error(`payment ${storing.paymentId} does not exist`)
  const isCurrent = payment.attemptKey === storing.attemptKey && !payment.details.isErased
  if (isCurrent && UNDECIDED.has(payment.state)) return later(ctx, app, storing, payment)
  const isWanted = isCurrent && PAID.has(payment.state) && payment.fraudStatus !== 'Fraudulent'
  if (!isWanted || payment.tokenId !== null) {
    await closeStoring(ctx.db, storing, payment.tokenId === null ? 'refused' : 'done')
    return payment
  }
  const kept = await atProvider(ctx, app, storing, payment)
  if (kept.kind === 'kept') {
    const updates = await storeKept(ctx, app, payment, kept.stored)
    const written = await apply(ctx, app, payment, (current) =>
      current.attemptKey === storing.attemptKey ? { events: [], updates } : undefined,
    )
    await closeStoring(ctx.db, storing, 'done')
    return written.payment
  }
  if (isRepeated(kept)) return later(ctx, app, storing, payment)
  return refuse(ctx, storing, payment)
}

const isRepeated = (kept: Keep): boolean =>
  kept.kind === 'unknown' ||
  (kept.kind === 'not-done' && ['not-sent', 'rate-limited', 'bad-credentials'].includes(kept.why))

async function atProvider(ctx: Context, app: App, storing: MethodStoring, payment: Payment): Promise<Keep> {
  const { attemptKey, paymentId, profileId } = storing
  const profile = findProfile(app, profileId)
  if (!profile) return { kind: 'not-done', why: 'unsupported' }
  const { method, customer } = purchaseOf(ctx, app, payment, {})
  const wanted = { key: storingKey(attemptKey), reference: attemptKey, method, customer }
  const subject = { step: 'store', paymentId, attempt: payment.attempt }
  try {
    return await callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
      adapter.storePaid
        ? adapter.storePaid(provider, wanted, payment.handles ?? {})
        : ({ kind: 'not-done', why: 'unsupported' } as const),
    )
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return { kind: 'unknown', why: 'unreadable-reply' }
  }
}

async function later(ctx: Context, app: App, storing: MethodStoring, payment: Payment): Promise<Payment> {
  const ageMs = appNow(ctx, app).getTime() - storing.createdTime.getTime()
  if (ageMs > NEEDS_ATTENTION_MS) return refuse(ctx, storing, payment)
  await postponeStoring(ctx.db, storing, after(ctx.clock.now(), recheckPause(storing.tries)))
  return payment
}

async function refuse(ctx: Context, storing: MethodStoring, payment: Payment): Promise<Payment> {
  const { appId, paymentId } = storing
  ctx.log.warn('method.not_stored', { appId, paymentId })
  await closeStoring(ctx.db, storing, 'refused')
  return payment
}
