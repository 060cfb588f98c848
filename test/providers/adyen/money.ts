import {
  type Amount,
  book,
  type Item,
  type Modification,
  newId,
  type Payment,
  type State,
  type StoredCard,
} from './state.ts'

/** Movements of money, and the notification about each. */

const isoTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+00:00')

export function emit(state: State, item: Omit<Item, 'eventDate'>): void {
  state.queue.push({ ...item, eventDate: isoTime(state.now()) })
}

interface Wanted {
  readonly reference: string
  readonly amount: Amount
  readonly method: Payment['method']
  readonly key?: string | undefined
  readonly linkId?: string
  /** Store the method for this shopper. */
  readonly shopper?: string | undefined
  readonly review?: boolean
  /** The method has no capture of its own. */
  readonly isTaken?: boolean
  /** Of 3-D Secure. */
  readonly secured?: Readonly<Record<string, string>>
}

const CARD = { cardSummary: '1111', expiryDate: '3/2030', fundingSource: 'CREDIT', cardIssuingCountry: 'NL' }

export function authorise(state: State, wanted: Wanted): Payment {
  const { reference, amount, method, key, linkId, shopper, review, isTaken, secured } = wanted
  const payment: Payment = {
    ...{ id: newId(), reference, amount, method, authorisedAt: state.now() },
    ...{ state: 'authorised', captured: isTaken ? amount.value : 0, refunded: 0, disputes: [] },
  }
  state.payments.set(payment.id, payment)
  book(state, { reference, kind: 'authorise', amount, key })
  const stored = shopper === undefined ? undefined : store(state, payment, shopper)
  emit(state, {
    ...{ eventCode: 'AUTHORISATION', success: 'true', pspReference: payment.id },
    ...{ merchantReference: reference, amount, paymentMethod: method, reason: '012345:1111:03/2030' },
    additionalData: {
      ...(method.startsWith('visa') ? { ...CARD, cvcResult: '1 Matches', totalFraudScore: '10' } : {}),
      ...(linkId ? { paymentLinkId: linkId } : {}),
      ...secured,
      ...(review ? { fraudManualReview: 'true' } : {}),
    },
  })
  if (stored) tellStored(state, payment, stored)
  return payment
}

function store(state: State, payment: Payment, shopper: string): StoredCard {
  const type = payment.method === 'ach' ? 'ach' : 'scheme'
  const stored: StoredCard = { id: newId(), shopper, type, paymentId: payment.id }
  state.stored.set(stored.id, stored)
  return stored
}

function tellStored(state: State, payment: Payment, { id, shopper }: StoredCard): void {
  emit(state, {
    ...{ eventCode: 'RECURRING_CONTRACT', success: 'true', pspReference: id },
    ...{ originalReference: payment.id, originalPsp: payment.id },
    ...{ merchantReference: payment.reference, amount: { ...payment.amount, value: 0 } },
    paymentMethod: payment.method,
    additionalData: {
      'recurring.recurringDetailReference': id,
      shopperReference: shopper,
    },
  })
}

export function refuse(
  state: State,
  { reference, amount, method, reason }: Omit<Wanted, 'key'> & { readonly reason: string },
): string {
  const id = newId()
  emit(state, {
    ...{ eventCode: 'AUTHORISATION', success: 'false', pspReference: id, merchantReference: reference },
    ...{ amount, paymentMethod: method, reason },
  })
  return id
}

export interface Change {
  readonly kind: 'capture' | 'cancel' | 'refund'
  readonly amount: Amount
  /** The merchant's reference of the request. */
  readonly reference?: string | undefined
  readonly key?: string | undefined
  /** Refused with this reason. */
  readonly refusal?: string
  /** A cancellation by the merchant's reference. */
  readonly isTechnical?: boolean
}

const EVENTS = { capture: 'CAPTURE', cancel: 'CANCELLATION', refund: 'REFUND' } as const

/** Decides a modification that was received, and tells about it. */
export function decide(state: State, payment: Payment, id: string, change: Change): void {
  const { kind, amount, refusal } = change
  const problem = refusal ?? problemOf(payment, change)
  const merchantReference = (state.names === 'modification' && change.reference) || payment.reference
  const modification: Modification = { id, reference: merchantReference, amount }
  if (problem === undefined) apply(state, payment, change, modification)
  emit(state, {
    eventCode: change.isTechnical ? 'TECHNICAL_CANCEL' : EVENTS[kind],
    ...{ success: problem === undefined ? 'true' : 'false', pspReference: id, merchantReference },
    ...{ originalReference: payment.id, amount, paymentMethod: payment.method, reason: problem ?? '' },
  })
}

function problemOf(payment: Payment, { kind, amount }: Change): string | undefined {
  if (amount.currency !== payment.amount.currency) return 'Currency mismatch'
  const isOpen = payment.state === 'authorised'
  if (kind === 'capture')
    return isOpen && payment.captured + amount.value <= payment.amount.value
      ? undefined
      : 'Insufficient balance on payment'
  if (kind === 'cancel') return isOpen && payment.captured === 0 ? undefined : 'Transaction in wrong state'
  return payment.refunded + amount.value <= payment.captured ? undefined : 'Insufficient balance on payment'
}

function apply(state: State, payment: Payment, { kind, amount, key }: Change, made: Modification): void {
  const { reference } = payment
  if (kind === 'capture') {
    payment.captured += amount.value
    payment.lastCapture = made
    book(state, { reference, kind: 'capture', amount, key })
  } else if (kind === 'cancel') {
    payment.state = 'cancelled'
    book(state, { reference, kind: 'void', amount: payment.amount, key })
  } else {
    payment.refunded += amount.value
    payment.lastRefund = made
    book(state, { reference, kind: 'refund', amount, key })
  }
}
