import { createHash } from 'node:crypto'
import { after, DAY } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { getPaymentByReference } from '../../payments/actions.ts'
import { createPayment } from '../../payments/create.ts'
import type { Payment } from '../../payments/payment.ts'
import { linkExpired } from '../../payments/timers/due.ts'
import type { PanelVisitor } from './session.ts'

/**
 * How an unpaid payment can be paid. An open payment has its own checkout page. A failed automatic payment is
 * final, so a new payment for the same amount replaces it. The reference of the new payment is derived from
 * the failed one, which prevents paying twice. Decision 0067.
 */
export type Payable =
  | { readonly kind: 'open'; readonly payment: Payment }
  | { readonly kind: 'failed'; readonly referenceId: string }
  | { readonly kind: 'paid-later'; readonly payment: Payment }

const isOpen = (payment: Payment, now: Date): boolean =>
  payment.state === 'Created' && payment.flow !== 'AutoPayment' && !linkExpired(payment, now)

/** Charges that the customer can pay instead. */
const PAID_ANEW: ReadonlySet<string> = new Set(['declined', 'provider_rejected', 'retry_forbidden'])

/** Upper bound of the search; more retries than a customer needs. */
const MAX_RETRIES = 20

export async function payableOf(
  ctx: Context,
  visitor: PanelVisitor,
  payment: Payment,
): Promise<Payable | undefined> {
  const { now, customer } = visitor
  if (customer.isBlocked) return undefined
  if (isOpen(payment, now)) return { kind: 'open', payment }
  const { failure, flow } = payment
  if (flow !== 'AutoPayment' || !PAID_ANEW.has(failure?.code ?? '')) return undefined
  for (let retry = 1; retry <= MAX_RETRIES; retry++) {
    const { referenceId, later } = await findRetryReference(ctx, visitor, payment, retry)
    if (referenceId === undefined) return undefined
    if (!later) return { kind: 'failed', referenceId }
    if (isOpen(later, now)) return { kind: 'open', payment: later }
    const isOver = later.state === 'Failed' || later.state === 'Created'
    if (!isOver) return { kind: 'paid-later', payment: later }
  }
  return undefined
}

interface RetryReference {
  /** Undefined if another payment uses every reference of this retry. */
  readonly referenceId?: string
  /** The payment that was created for this retry. */
  readonly later?: Payment
}

/** Skips references that belong to unrelated payments: the merchant may have chosen the same text. */
async function findRetryReference(
  ctx: Context,
  visitor: PanelVisitor,
  failed: Payment,
  retry: number,
): Promise<RetryReference> {
  for (const referenceId of referencesOf(failed, retry)) {
    const later = await findByReference(ctx, visitor, referenceId)
    if (!later) return { referenceId }
    if (paysFor(failed, later)) return { referenceId, later }
  }
  return {}
}

/** The last one hashes the secret payment key, so an unrelated payment cannot have it by chance. */
function referencesOf({ referenceId, paymentId, paymentKey }: Payment, retry: number): string[] {
  const hash = createHash('sha256').update(`again ${retry} ${paymentKey}`).digest('hex').slice(0, 32)
  return [`${referenceId}~${retry}`, `payment-${paymentId}~${retry}`, `payment-${paymentId}~${hash}`].filter(
    (wanted) => wanted.length <= LIMITS.referenceIdLength,
  )
}

const backPath = ({ paymentId }: Payment): string => `/p/payments/${paymentId}`

/**
 * Whether `later` was created to pay `failed`: same customer and amount, and it returns to the failed one.
 * The reference alone proves nothing, another payment may have it.
 */
const paysFor = (failed: Payment, later: Payment): boolean =>
  later.customerId === failed.customerId &&
  later.flow === 'HostedPage' &&
  later.amountMinor === failed.amountMinor &&
  later.currency === failed.currency &&
  (later.returnUrl?.endsWith(backPath(failed)) ?? false)

async function findByReference(ctx: Context, { app }: PanelVisitor, referenceId: string) {
  try {
    return await getPaymentByReference(ctx, app, referenceId)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/**
 * Creates the replacement payment and returns its checkout URL. Undefined if an unrelated payment took the
 * reference concurrently: the caller then calls `payableOf` again.
 */
export async function payAgain(
  ctx: Context,
  visitor: PanelVisitor,
  failed: Payment,
  referenceId: string,
): Promise<string | undefined> {
  try {
    const { payment } = await createPayment(ctx, visitor.app, {
      flow: 'HostedPage',
      referenceId,
      amountMinor: failed.amountMinor,
      currency: failed.currency,
      autoCapture: failed.autoCapture,
      autoPayment: 'None',
      returnUrl: `${ctx.config.publicUrl}${backPath(failed)}`,
      webhookUrl: failed.webhookUrl,
      expirationTime: after(visitor.now, DAY),
      details: { ...failed.details, showPayRecurringInCheckout: true },
      customerId: failed.customerId,
      customer: {},
    })
    return paysFor(failed, payment) ? checkoutUrlOf(payment) : undefined
  } catch (error) {
    if (error instanceof ApiError && error.code === 'reference_id_reused') return undefined
    throw error
  }
}

export const checkoutUrlOf = ({ paymentKey }: Payment): string => `/c/${paymentKey}`
