import { after, DAY } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { linkExpired } from '../../payments/changes.ts'
import { getPaymentByReference } from '../../payments/commands.ts'
import { createPayment } from '../../payments/create.ts'
import type { Payment } from '../../payments/payment.ts'
import type { Guest } from './guest.ts'

/**
 * Paying what was not paid. An open payment has its own page. A charge that failed is over for good, so it
 * is paid by a new payment for the same money, under a reference made from its own: nobody pays it twice.
 */
export type Payable =
  | { readonly kind: 'open'; readonly payment: Payment }
  | { readonly kind: 'failed'; readonly referenceId: string }
  | { readonly kind: 'paid-later'; readonly payment: Payment }

const isOpen = (payment: Payment, now: Date): boolean =>
  payment.state === 'Created' && payment.flow !== 'AutoPayment' && !linkExpired(payment, now)

/** More than anybody needs, and an end to the search. */
const MOST_AGAIN = 20

export async function payableOf(ctx: Context, guest: Guest, payment: Payment): Promise<Payable | undefined> {
  const { now, customer } = guest
  if (customer.isBlocked) return undefined
  if (isOpen(payment, now)) return { kind: 'open', payment }
  const { failure, flow } = payment
  const isRetried = failure?.code === 'declined' || failure?.code === 'provider_rejected'
  if (flow !== 'AutoPayment' || !isRetried) return undefined
  for (let turn = 1; turn <= MOST_AGAIN; turn++) {
    const referenceId = referenceOf(payment, turn)
    const later = await findByReference(ctx, guest, referenceId)
    if (!later) return { kind: 'failed', referenceId }
    if (isOpen(later, now)) return { kind: 'open', payment: later }
    const isOver = later.state === 'Failed' || later.state === 'Created'
    if (!isOver) return { kind: 'paid-later', payment: later }
  }
  return undefined
}

function referenceOf({ referenceId, paymentId }: Payment, turn: number): string {
  const wanted = `${referenceId}~${turn}`
  return wanted.length <= LIMITS.referenceIdLength ? wanted : `payment-${paymentId}~${turn}`
}

async function findByReference(ctx: Context, { app }: Guest, referenceId: string) {
  try {
    return await getPaymentByReference(ctx, app, referenceId)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** The page on which it is paid. */
export async function payAgain(
  ctx: Context,
  guest: Guest,
  failed: Payment,
  referenceId: string,
): Promise<string> {
  const { payment } = await createPayment(ctx, guest.app, {
    flow: 'HostedPage',
    referenceId,
    amountMinor: failed.amountMinor,
    currency: failed.currency,
    autoCapture: failed.autoCapture,
    autoPayment: 'None',
    returnUrl: `${ctx.config.publicUrl}/p/payments/${failed.paymentId}`,
    webhookUrl: failed.webhookUrl,
    expirationTime: after(guest.now, DAY),
    details: { ...failed.details, showPayRecurringInCheckout: true },
    customerId: failed.customerId,
    customer: {},
  })
  return pageOf(payment)
}

export const pageOf = ({ paymentKey }: Payment): string => `/c/${paymentKey}`
