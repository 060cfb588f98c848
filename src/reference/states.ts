import {
  type Effect,
  EVENTS,
  STATES,
  type State,
  TRANSITIONS,
  type Transition,
  type TransitionGuard,
} from '../payments/machine.ts'
import { code, type Sheet } from './sheet.ts'

const GUARD_WORDS: Readonly<Record<TransitionGuard, string>> = {
  oneStep: 'the method takes the money in one step',
  holds: 'a fraud rule holds it',
  held: 'it was held before',
  capturesNow: '`autoCapture` is true',
  canTryAgain: 'the link still works',
  providerSaw: 'a provider knows of it',
  authorised: 'funds are reserved',
  authorisedAndHeld: 'funds are reserved and it was held before',
  captured: 'funds were taken',
  refundedAll: 'nothing captured is left',
  atProvider: 'the provider itself holds it',
  disputed: 'a dispute is still open',
  recaptures: 'the provider captures again after a failure',
}

const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  'provider.authorise': 'the provider is asked to authorise',
  'provider.resume': 'the provider is asked to go on',
  'provider.capture': 'the provider is asked to capture',
  'provider.cancel': 'the provider is asked to cancel',
  'provider.refund': 'the provider is asked to refund',
  watch: 'the provider is asked how it stands',
  finish: 'the end follows at once',
}

const KIND_WORDS: Readonly<Record<(typeof STATES)[State]['kind'], string>> = {
  open: 'waits for the customer or the merchant',
  moving: 'a provider works on it, or its answer is not known; it is asked again until it is',
  held: 'a fraud rule wants a person to decide',
  settled: 'the money was taken',
  final: 'nothing happens any more',
}

export const STATES_SAY =
  'A payment is in one of these states. `paymentState` is the name and `paymentStateId` the number. Each ' +
  'state that a payment enters is an event and a webhook, in order. A cancelled payment, an expired link ' +
  'and a released authorisation all end in `Failed`; `failure.code` says which it was.'

export function stateSheet(): Sheet {
  const names = Object.keys(STATES) as State[]
  return {
    title: 'States',
    columns: ['Id', 'State', 'Kind', 'Meaning'],
    rows: names.map((name) => [
      String(STATES[name].id),
      code(name),
      STATES[name].kind,
      STATES[name].description,
    ]),
  }
}

export function kindSheet(): Sheet {
  return { title: 'Kinds', columns: ['Kind', 'Meaning'], rows: Object.entries(KIND_WORDS) }
}

const ROWS: readonly Transition[] = TRANSITIONS

export function transitionSheet(): Sheet {
  return {
    title: 'Transitions',
    description: 'Where a state and an event have several rows, the first whose condition holds is taken.',
    columns: ['From', 'Event', 'When', 'To', 'Then'],
    rows: ROWS.map(({ from, on, when, to, effect }) => [
      code(from),
      `${code(on)}: ${EVENTS[on]}`,
      when ? GUARD_WORDS[when] : '',
      code(to),
      effect ? EFFECT_WORDS[effect] : '',
    ]),
  }
}

export interface Edge {
  readonly from: State
  readonly to: State
  readonly events: readonly string[]
}

/** The transitions without their conditions, one for each pair of states. */
export function edges(): Edge[] {
  const pairs = new Map<string, Edge>()
  for (const { from, to, on } of ROWS) {
    const known = pairs.get(`${from} ${to}`)
    pairs.set(`${from} ${to}`, { from, to, events: [...new Set([...(known?.events ?? []), on])] })
  }
  return [...pairs.values()]
}

export function mermaid(): string {
  const final = (Object.keys(STATES) as State[]).filter((name) => STATES[name].kind === 'final')
  const lines = [
    'stateDiagram-v2',
    '[*] --> Created',
    ...edges().map(({ from, to, events }) => `${from} --> ${to}: ${events.join(', ')}`),
    ...final.map((name) => `${name} --> [*]`),
  ]
  return lines.join('\n  ')
}
