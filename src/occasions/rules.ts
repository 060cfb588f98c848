import { parseMinor } from '../base/money.ts'
import type { PaymentFacts } from '../mail/kinds.ts'
import { CATALOGUE } from '../providers/methods/catalogue.ts'
import { METHOD_IDS } from '../providers/methods/method.ts'

// Which e-mails an event of a payment leads to. Pure.

/** The members of an event that are read here; see payments/view.ts. */
interface EventPayment {
  readonly paymentState: string
  readonly paymentFlow: string
  readonly canCancel?: boolean
  readonly amount: number
  readonly capturedAmount: number
  readonly refundedAmount: number
  readonly currency: string
  readonly referenceId: string
  /** Of a slow method while it is in progress. */
  readonly expectedTime?: string
  readonly paymentMethodName?: string
  readonly lastError?: string | null
  readonly failure: { readonly code: string } | null
  readonly customerOrder?: { readonly orderId?: string | null; readonly description?: string | null }
  readonly payInfo?: {
    readonly card?: { readonly cardBrand?: string | null; readonly cardLast4?: string | null } | null
    readonly paymentProfile?: { readonly paymentMethodTypeString?: string | null }
  }
}

export interface PaymentOccasion {
  readonly kind: 'receipt' | 'refund' | 'payment-pending' | 'payment-failed'
  readonly facts: PaymentFacts
  /** The sum of a refund. */
  readonly refundedMinor: string
  /** The payer's bank took it back: the merchant gave nothing. */
  readonly isReturn: boolean
  /** Until when the money of a pending payment is expected. */
  readonly until: string | undefined
}

/** The money was taken before these states, so a payment that returns from them is not paid again. */
const AFTER_CAPTURE = ['Captured', 'Refunding', 'Refunded', 'Disputed']

/** `lastError` of a debit that the payer's bank returned. */
const BANK_RETURN = 'bank_return'

/** Charges that the payer can pay anew at the panel. */
const PAID_ANEW = ['declined', 'provider_rejected', 'retry_forbidden']

/** An event, and what is known of the events before it. */
export interface EventStory {
  readonly body: string | null
  readonly before: string | null
  readonly wasCaptured: boolean
}

/**
 * Undefined: nothing to tell. Without the event before it, it cannot be known what has changed. A payment has
 * one receipt: a payer whose payment the provider captures again has paid once.
 */
export function occasionOf(story: EventStory, time: Date): PaymentOccasion | undefined {
  const payment = paymentOf(story.body)
  const previous = paymentOf(story.before)
  if (!payment || !previous) return undefined
  const minor = (amount: number) => parseMinor(amount, payment.currency) ?? 0n
  const refunded = minor(payment.refundedAmount) - minor(previous.refundedAmount)
  // What a lost dispute took back was not given by the merchant.
  const isGiven = previous.paymentState !== 'Disputed'
  const isRefund = refunded > 0n && isGiven && ['Captured', 'Refunded'].includes(payment.paymentState)
  // Events are kept for some weeks. Only a capture that failed after it was done can be cancelled.
  const isRepeated = previous.paymentState === 'Capturing' && previous.canCancel === true
  const wasPaid = story.wasCaptured || isRepeated || AFTER_CAPTURE.includes(previous.paymentState)
  const isPaid = payment.paymentState === 'Captured' && !wasPaid
  const isFailed =
    payment.paymentState === 'Failed' &&
    payment.paymentFlow === 'AutoPayment' &&
    PAID_ANEW.includes(payment.failure?.code ?? '')
  const until = previous.expectedTime === undefined ? payment.expectedTime : undefined
  const kind = isRefund
    ? 'refund'
    : isPaid
      ? 'receipt'
      : isFailed
        ? 'payment-failed'
        : until === undefined
          ? undefined
          : 'payment-pending'
  if (!kind) return undefined
  const isReturn = isRefund && payment.lastError === BANK_RETURN
  const amount = kind === 'receipt' || kind === 'refund' ? payment.capturedAmount : payment.amount
  const facts = { ...factsOf(payment), amountMinor: String(minor(amount)), time: time.toISOString() }
  return { kind, facts, refundedMinor: String(refunded), isReturn, until }
}

function paymentOf(body: string | null): EventPayment | undefined {
  if (body === null) return undefined
  return (JSON.parse(body) as { readonly payment?: EventPayment }).payment
}

function factsOf({ currency, referenceId, customerOrder, payInfo, paymentMethodName }: EventPayment) {
  const { orderId, description } = customerOrder ?? {}
  const { cardBrand, cardLast4 } = payInfo?.card ?? {}
  const isPaypal = payInfo?.paymentProfile?.paymentMethodTypeString === 'Paypal'
  const card = cardLast4 ? `${cardBrand ?? ''} •••• ${cardLast4}`.trim() : null
  const methodId = METHOD_IDS.find((id) => CATALOGUE[id].name === paymentMethodName)
  return {
    currency,
    reference: orderId || referenceId,
    description: description || null,
    method: card ?? (isPaypal ? 'PayPal' : null),
    ...(methodId ? { methodId } : {}),
  }
}

/** Days before the end of its last month from which the payer gets an e-mail. */
const EXPIRING_DAYS = 30
const DAY_MS = 86_400_000

/** Whether the card can be used now and no longer in thirty days. */
export function expiresSoon(month: number, year: number, now: Date): boolean {
  const end = Date.UTC(year, month, 1)
  return end > now.getTime() && end - now.getTime() <= EXPIRING_DAYS * DAY_MS
}
