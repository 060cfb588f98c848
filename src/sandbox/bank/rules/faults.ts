import { type Behaviour, type NotificationEffect, refusal, SETTLES_MS } from '../../values/behaviour.ts'
import type { SandboxMethod } from '../../values/named.ts'

export const FAULT_STEPS = [
  'authorise',
  'capture',
  'cancel',
  'refund',
  'charge',
  'keep',
  'dispute',
  'any',
] as const
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

/** The fault that applies to a call, and optionally a second one that applies to its notification. */
export interface ActiveFault extends SingleFault {
  readonly alongside?: SingleFault
}

/** The step of a call for fault matching. Opening a page moves no money. */
export type CallStep = Exclude<FaultStep, 'any'> | 'open-page'

const TRANSPORT: readonly string[] = [
  'request-lost',
  'reply-lost',
  'reply-late',
  'http-500-after-acting',
  'unreadable',
  'outage',
]

/** Effects on the transport between merchant and bank, not on the bank's decision. */
export const isTransport = (effect: FaultEffect): boolean => TRANSPORT.includes(effect)

export const isNotification = (effect: FaultEffect): effect is NotificationEffect =>
  effect.startsWith('notification-')

/** Indexes of the faults that apply: the first for the call itself and the first for its notification. */
export function matchingFaults(faults: readonly Fault[], step: CallStep, replayed: boolean): number[] {
  const first = (wanted: (effect: FaultEffect) => boolean): number[] => {
    const index = faults.findIndex((fault) => wanted(fault.effect) && appliesTo(fault, step))
    return index < 0 ? [] : [index]
  }
  if (replayed) return first(isTransport)
  return [...first((effect) => !isNotification(effect)), ...first(isNotification)]
}

function appliesTo({ step: armed, effect }: Fault, step: CallStep): boolean {
  if (step === 'open-page') return effect === 'outage' && (armed === 'authorise' || armed === 'any')
  if ((step === 'keep' || step === 'dispute') && !isTransport(effect)) return false
  // These effects imply their step.
  if (effect === 'capture-fails') return step === 'capture'
  if (effect.startsWith('refund-')) return step === 'refund'
  if (effect === 'pending-then-approved' && step === 'cancel') return false
  return armed === step || armed === 'any'
}

/** The faults after one use of those at these indexes. */
export function usedUp(faults: readonly Fault[], indexes: readonly number[]): Fault[] {
  return faults.flatMap((fault, index) => {
    if (!indexes.includes(index)) return [fault]
    return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : []
  })
}

/** The behaviour of an authorisation under a fault. */
export function underFault(
  behaviour: Behaviour,
  effect: ActiveFault | undefined,
  method: SandboxMethod,
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
