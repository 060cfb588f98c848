import type { MethodKind } from '../../../providers/outcome.ts'
import { type Behaviour, type NotificationEffect, refusal, SETTLES_MS } from '../../values/behaviour.ts'

/** Things a test asks the bank to do wrong. */
export const FAULT_STEPS = ['authorise', 'capture', 'cancel', 'refund', 'charge', 'keep', 'any'] as const
type FaultStep = (typeof FAULT_STEPS)[number]

export const FAULT_EFFECTS = [
  'decline',
  'request-lost',
  'reply-lost',
  'reply-late',
  'http-500-after-acting',
  'unreadable',
  'pending-then-approved',
  'capture-fails',
  'refund-pending',
  'refund-fails-later',
  'notification-duplicate',
  'notification-reordered',
  'notification-late',
  'notification-never',
  'notification-forged',
  'outage',
] as const
export type FaultEffect = (typeof FAULT_EFFECTS)[number]

export interface Fault {
  readonly step: FaultStep
  readonly effect: FaultEffect
  readonly times: number
  readonly delayMs?: number
}

type SingleFault = Pick<Fault, 'effect' | 'delayMs'>

/** What goes wrong with a call; what goes wrong with its notification may go wrong alongside. */
export interface ActiveFault extends SingleFault {
  readonly alongside?: SingleFault
}

/** What a call does, as far as faults are concerned; opening a page moves no money. */
export type CallStep = Exclude<FaultStep, 'any'> | 'open-page'

const TRANSPORT: readonly string[] = [
  'request-lost',
  'reply-lost',
  'reply-late',
  'http-500-after-acting',
  'unreadable',
  'outage',
]

/** Effects on the line between merchant and bank, as opposed to what the bank does. */
export const isTransport = (effect: FaultEffect): boolean => TRANSPORT.includes(effect)

export const isNotification = (effect: FaultEffect): effect is NotificationEffect =>
  effect.startsWith('notification-')

/** The places of the faults that touch this call: the first of its own, and the first of its notification. */
export function matchingFaults(faults: readonly Fault[], step: CallStep, replayed: boolean): number[] {
  const first = (wanted: (effect: FaultEffect) => boolean): number[] => {
    const place = faults.findIndex((fault) => wanted(fault.effect) && touches(fault, step))
    return place < 0 ? [] : [place]
  }
  if (replayed) return first(isTransport)
  return [...first((effect) => !isNotification(effect)), ...first(isNotification)]
}

function touches({ step: armed, effect }: Fault, step: CallStep): boolean {
  if (step === 'open-page') return effect === 'outage' && (armed === 'authorise' || armed === 'any')
  if (step === 'keep' && !isTransport(effect)) return false
  // These name their step themselves.
  if (effect === 'capture-fails') return step === 'capture'
  if (effect.startsWith('refund-')) return step === 'refund'
  if (effect === 'pending-then-approved' && step === 'cancel') return false
  return armed === step || armed === 'any'
}

/** The list after one use of the faults at these places. */
export function usedUp(faults: readonly Fault[], places: readonly number[]): Fault[] {
  return faults.flatMap((fault, index) => {
    if (!places.includes(index)) return [fault]
    return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : []
  })
}

/** An authorisation under a fault behaves like this instead. */
export function underFault(
  behaviour: Behaviour,
  effect: ActiveFault | undefined,
  method: MethodKind,
): Behaviour {
  if (effect?.effect === 'decline')
    return {
      ...behaviour,
      challenge: false,
      refuse: refusal('generic', 'FAULT', 'Declined by a test fault.'),
    }
  if (effect?.effect !== 'pending-then-approved') return behaviour
  const waitsFor = method === 'Crypto' ? 'confirmations' : 'provider'
  return { ...behaviour, pending: { ms: effect.delayMs ?? SETTLES_MS, waitsFor } }
}
