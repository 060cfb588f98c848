import { currencyDigits } from '../../../base/currencies.ts'
import type { ThreeDSecureFacts } from '../../../providers/methods/three-d-secure.ts'
import { type Behaviour, type PendingBehaviour, type Refusal, refusal } from '../../values/behaviour.ts'
import { settleSale } from './balance.ts'
import { type ActiveFault, underFault } from './faults.ts'
import { AUTHORISATION_MS, CHALLENGE_MS, DISPUTED_AFTER_MS, feeOf, TERMS } from './methods.ts'
import {
  type BankMethod,
  book,
  type Draft,
  dropDue,
  idPart,
  inFuture,
  type LedgerEntry,
  type LedgerPayment,
  rebook,
} from './payment.ts'

export interface Authorisation {
  readonly operationKey: string
  readonly effect?: ActiveFault | undefined
  readonly challenged?: boolean
}

/** Authorises a payment: opens a challenge, declines, stays pending or approves. */
export function authorise(draft: Draft, { operationKey, effect, challenged }: Authorisation): void {
  const { payment, now } = draft
  const behaviour = underFault(payment.behaviour, effect, payment.method)
  closePage(draft)
  const expired = isExpired(payment, now)
  const secured = secure(payment, behaviour, challenged)
  if (secured === 'challenge' && !expired) {
    payment.status = 'needs-customer'
    openPage(draft, '3ds', CHALLENGE_MS)
    return
  }
  if (secured && secured !== 'challenge') payment.threeDSecure = secured
  if (behaviour.risk) payment.risk = behaviour.risk
  if (behaviour.checks) payment.checks = behaviour.checks
  const said = expired ? refusal('expired-card') : refusalOf(payment, behaviour)
  if (said) refuse(draft, said, operationKey)
  else if (behaviour.pending) wait(draft, behaviour.pending, operationKey)
  else grant(draft, book(draft, { ...movementOf(payment, operationKey), status: 'done' }))
}

/** Of the 3-D Secure protocol. */
export const VERSION = '2.2.0'

/** How the card's bank answers to 3-D Secure. Undefined: it is not used. */
function secure(
  { method, asks }: LedgerPayment,
  behaviour: Behaviour,
  challenged: boolean | undefined,
): ThreeDSecureFacts | 'challenge' | undefined {
  if (method !== 'CreditCard') return behaviour.challenge && !challenged ? 'challenge' : undefined
  if (challenged && behaviour.refuse?.reason === 'authentication-failed')
    return { result: 'failed', version: VERSION, liabilityShift: false }
  if (challenged) return { result: 'authenticated-by-challenge', version: VERSION, liabilityShift: true }
  const { challenge, threeDSecure } = behaviour
  if (asks !== undefined && threeDSecure === 'not-supported')
    return { result: 'not-supported', liabilityShift: false }
  if (asks === 'exemption')
    return threeDSecure === 'refuses-exemptions' ? 'challenge' : { result: 'exempted', liabilityShift: false }
  if (threeDSecure === 'frictionless')
    return { result: 'frictionless', version: VERSION, liabilityShift: true }
  return challenge || asks === 'challenge' ? 'challenge' : undefined
}

/** A card is valid until the end of its expiry month. */
function isExpired({ instrument }: LedgerPayment, now: Date): boolean {
  if (!instrument?.expiryYear || !instrument.expiryMonth) return false
  return Date.UTC(instrument.expiryYear, instrument.expiryMonth, 1) <= now.getTime()
}

function refusalOf(payment: LedgerPayment, behaviour: Behaviour): Refusal | undefined {
  const limit = behaviour.refuseAboveMajor
  if (limit !== undefined && payment.amount > limit * 10 ** currencyDigits(payment.currency))
    return refusal('limit-exceeded', undefined, `This test account declines above ${limit}.00.`)
  return behaviour.refuse
}

function movementOf(payment: LedgerPayment, operationKey: string) {
  const kind: LedgerEntry['kind'] = TERMS[payment.method].twoStep && !payment.sale ? 'authorise' : 'sale'
  return { kind, amount: grantedOf(payment), operationKey }
}

/** The approved amount, which may be less than the requested amount. */
const grantedOf = ({ amount, behaviour }: LedgerPayment): number =>
  Math.ceil((amount * (behaviour.percent ?? 100)) / 100)

export function openPage(draft: Draft, kind: 'pay' | '3ds', ms: number): void {
  const until = inFuture(draft.now, ms)
  draft.payment.page = { kind, until }
  draft.payment.due.push({ what: 'close', at: until })
}

export function closePage(draft: Draft): void {
  draft.payment.page = undefined
  dropDue(draft, 'close')
}

export function refuse(draft: Draft, said: Refusal, operationKey: string): void {
  book(draft, { ...movementOf(draft.payment, operationKey), status: 'declined' })
  endDeclined(draft, said)
}

export function endDeclined(draft: Draft, said: Refusal): void {
  closePage(draft)
  draft.payment.status = 'declined'
  draft.payment.waitsFor = undefined
  draft.payment.decline = said
  draft.events.push('payment.declined')
}

function wait(draft: Draft, pending: PendingBehaviour, operationKey: string): void {
  const { payment } = draft
  payment.status = pending.waitsFor === 'review' ? 'in-review' : 'processing'
  payment.waitsFor = pending.waitsFor
  const entry = book(draft, { ...movementOf(payment, operationKey), status: 'pending' })
  if (pending.ms !== null) {
    const ends = pending.refuse ? { refuse: pending.refuse } : {}
    payment.due.push({ what: 'settle', at: inFuture(draft.now, pending.ms), entry, ...ends })
  }
  draft.events.push('payment.pending')
}

/** Approves: reserves the money, or captures it if the method has one step. */
function grant(draft: Draft, entry: LedgerEntry): void {
  const { payment, now } = draft
  payment.waitsFor = undefined
  if (payment.store) store(draft)
  if (entry.kind === 'sale') {
    take(draft, entry.amount)
    return
  }
  payment.status = 'authorised'
  payment.authorised = entry.amount
  payment.authorisedUntil = inFuture(now, payment.behaviour.windowMs ?? AUTHORISATION_MS)
  payment.due.push({ what: 'close', at: payment.authorisedUntil })
  draft.events.push('payment.authorised')
}

/** Captures the amount. The rest of the authorised amount is released. */
export function take(draft: Draft, amount: number): void {
  const { payment, now } = draft
  dropDue(draft, 'close')
  payment.status = 'captured'
  payment.waitsFor = undefined
  payment.captured = amount
  payment.fee = feeOf(payment.method, amount, payment.currency)
  settleSale(draft)
  const at = inFuture(now, DISPUTED_AFTER_MS)
  if (payment.behaviour.dispute) payment.due.push({ what: 'dispute', at })
  if (payment.behaviour.returnedLater) payment.due.push({ what: 'return', at })
  draft.events.push('payment.captured')
}

function store(draft: Draft): void {
  const { payment } = draft
  payment.stored = `met_${idPart(payment.id)}`
  draft.storing = {
    token: payment.stored,
    method: payment.method,
    instrument: payment.instrument ?? {},
    behaviour: payment.behaviour,
  }
}

/** Behaviour of a stored-method charge. The customer is absent, so there is no challenge. */
export function chargeBehaviour(stored: BankMethod): Behaviour {
  const { behaviour } = stored
  return {
    ...behaviour,
    challenge: false,
    ...(behaviour.storedCharge ? { refuse: behaviour.storedCharge } : {}),
  }
}

/** Ends a pending movement. */
export function settle(draft: Draft, entry: LedgerEntry, said: Refusal | undefined): void {
  rebook(draft, entry, said ? 'declined' : 'done')
  if (said) endDeclined(draft, said)
  else grant(draft, entry)
}
