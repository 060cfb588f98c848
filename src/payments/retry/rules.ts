import { after, DAY } from '../../base/clock.ts'
import type { DeclineReason, MethodKind } from '../../providers/outcome.ts'
import type { Failure, OperationStatus } from '../payment.ts'
import type { StoredAdvice } from './advice.ts'

/** Pure: which charges of a stored card the networks forbid. Decision 0179. */

/** An earlier charge of the card. */
export interface CardTry extends Omit<StoredAdvice, 'byNetwork'> {
  readonly currency: string
  readonly amountMinor: bigint
  readonly time: Date
  /** Null: its payment was not written, or is being written. */
  readonly status: OperationStatus | null
  /** Of a decline. */
  readonly reason?: string | null
  /** The network has forbidden the card. */
  readonly byNetwork?: boolean
}

interface Limit {
  readonly tries: number
  readonly windowMs: number
  /** Counts tries of the same amount. Otherwise every try of the card counts. */
  readonly sameAmount: boolean
}

/** The longest window. */
export const MONTH = 30 * DAY

/**
 * Visa allows 15 tries again in 30 days, and since May 2025 20 of them; the lower number holds at every
 * acquirer, and here the first try counts too. Mastercard allows 10 in 24 hours, whatever the amount, and 35
 * in 30 days.
 */
const VISA: readonly Limit[] = [{ tries: 15, windowMs: MONTH, sameAmount: true }]
const MASTERCARD: readonly Limit[] = [
  { tries: 10, windowMs: DAY, sameAmount: false },
  { tries: 35, windowMs: MONTH, sameAmount: true },
]
/** Other networks publish no numbers, and a brand may be unknown: the lowest ones hold. */
const OTHER_CARDS: readonly Limit[] = [
  { tries: 10, windowMs: DAY, sameAmount: false },
  { tries: 15, windowMs: MONTH, sameAmount: true },
]

function limitsOf(kind: MethodKind, brand: string | undefined): readonly Limit[] {
  if (kind !== 'CreditCard') return []
  const name = brand?.toLowerCase().replace(/[^a-z]/g, '') ?? ''
  if (name.startsWith('visa')) return VISA
  return name === 'mastercard' || name === 'mc' ? MASTERCARD : OTHER_CARDS
}

export interface WantedCharge {
  readonly kind: MethodKind
  readonly brand: string | undefined
  readonly currency: string
  readonly amountMinor: bigint
  readonly now: Date
  /** When the customer or the provider renewed the details of the card. */
  readonly changedTime: Date | null
}

/** Why the networks forbid the charge. Undefined: they allow it. Tries come newest first. */
export function forbidden(tries: readonly CardTry[], wanted: WantedCharge): Failure | undefined {
  if (isStopped(tries, wanted))
    return { code: 'retry_forbidden', problem: { code: 'retry-never' }, retry: 'never' }
  const free = limitsOf(wanted.kind, wanted.brand).flatMap((limit) => freeAt(tries, wanted, limit) ?? [])
  if (free.length === 0) return undefined
  const retryAfter = new Date(Math.max(...free)).toISOString()
  return { code: 'retry_forbidden', problem: { code: 'retry-limit' }, retry: 'later', retryAfter }
}

/** Declines that are about the amount or the currency, not about the card, unless the network forbids it. */
export const ABOUT_PAYMENT: ReadonlySet<string> = new Set<DeclineReason>([
  'currency-not-supported',
  'duplicate',
  'limit-exceeded',
])

/** Whether a `never` about an amount or a currency is about this charge too. A duplicate was paid before. */
function isAboutIt({ reason, currency, amountMinor }: CardTry, wanted: WantedCharge): boolean {
  if (currency !== wanted.currency) return false
  return (
    reason === 'currency-not-supported' || (reason === 'limit-exceeded' && amountMinor === wanted.amountMinor)
  )
}

/** A `never` holds until the card pays again or its details change. */
function isStopped(tries: readonly CardTry[], wanted: WantedCharge): boolean {
  const { changedTime } = wanted
  for (const one of tries) {
    if (changedTime && one.time < changedTime) return false
    if (one.status === 'done') return false
    if (one.status !== 'declined' || one.retry !== 'never') continue
    if (one.byNetwork || !ABOUT_PAYMENT.has(one.reason ?? '') || isAboutIt(one, wanted)) return true
  }
  return false
}

/**
 * When the limit allows the next try; undefined: now. Approved tries and those that never reached the
 * provider do not count. Tries without a result count as declined, so that parallel ones cannot pass the
 * limit. A success resets nothing: no network promises that.
 */
function freeAt(tries: readonly CardTry[], wanted: WantedCharge, limit: Limit): number | undefined {
  const since = after(wanted.now, -limit.windowMs)
  const counted = tries.filter(
    ({ status, time, currency, amountMinor }) =>
      status !== 'done' &&
      status !== 'not-done' &&
      time > since &&
      (!limit.sameAmount || (currency === wanted.currency && amountMinor === wanted.amountMinor)),
  )
  const decisive = counted[limit.tries - 1]
  return decisive && decisive.time.getTime() + limit.windowMs
}
