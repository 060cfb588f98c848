import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  EVENTS,
  type EventName,
  GUARDS,
  STATES,
  type State,
  step,
  TRANSITIONS,
  type Transition,
} from './machine.ts'

const rows: readonly Transition[] = TRANSITIONS
const states = Object.keys(STATES) as State[]
const isFinal = (state: State) => STATES[state].kind === 'final'

function reachableFrom(start: State): Set<State> {
  const seen = new Set<State>([start])
  for (const state of seen) for (const row of rows) if (row.from === state) seen.add(row.to)
  return seen
}

describe('the payment machine', () => {
  it('has exactly the fourteen public states, with ids 0 and 2 reserved', () => {
    expect(Object.fromEntries(states.map((state) => [state, STATES[state].id]))).toEqual({
      Created: 1,
      Authorized: 3,
      Authorizing: 4,
      Approved: 5,
      Capturing: 6,
      Captured: 7,
      Failed: 8,
      Disputed: 9,
      SaleInProgress: 10,
      ProviderAuthorizedHold: 11,
      Cancelling: 12,
      CapturedHold: 13,
      Refunded: 14,
      Refunding: 15,
    })
  })

  it('reaches every state from Created', () => {
    expect(reachableFrom('Created')).toEqual(new Set(states))
  })

  it('never leaves a final state, but for money that came late and that the app keeps', () => {
    const leaving = rows.filter((row) => isFinal(row.from) && row.to !== row.from)
    expect(leaving.map(({ from, on, to }) => `${from} ${on} ${to}`)).toEqual([
      'Failed arrivedLate CapturedHold',
      'Failed arrivedLate Captured',
    ])
  })

  it.each(states.filter((state) => !isFinal(state)))('can end from %s', (state) => {
    expect([...reachableFrom(state)].some(isFinal)).toBe(true)
  })

  it('is total: the last row of each state and event is unconditional', () => {
    const last = new Map<string, Transition>()
    for (const row of rows) last.set(`${row.from} ${row.on}`, row)
    expect([...last.values()].filter((row) => row.when !== undefined)).toEqual([])
  })

  it('has no row behind an unconditional one, and uses every guard and every event', () => {
    const closed = new Set<string>()
    for (const row of rows) {
      expect(closed, `${row.from} ${row.on}`).not.toContain(`${row.from} ${row.on}`)
      if (row.when === undefined) closed.add(`${row.from} ${row.on}`)
    }
    expect(new Set(rows.flatMap((row) => row.when ?? []))).toEqual(new Set(Object.keys(GUARDS)))
    expect(new Set(rows.map((row) => row.on))).toEqual(new Set(Object.keys(EVENTS)))
  })

  it('enters a moving state only with an effect that leads out of it', () => {
    const moving = rows.filter((row) => STATES[row.to].kind === 'moving' && row.from !== row.to)
    expect(moving.filter((row) => row.effect === undefined)).toEqual([])
  })

  it('calls a provider only on entry to a moving state', () => {
    const asking = rows.filter((row) => row.effect !== undefined)
    expect(asking.filter((row) => STATES[row.to].kind !== 'moving')).toEqual([])
  })

  it('never captures a held payment without unhold', () => {
    const out = rows.filter((row) => STATES[row.from].kind === 'held' && row.effect === 'provider.capture')
    expect(out.map((row) => row.on)).toEqual(['unhold'])
  })

  it('names the same states as the check in the migration', () => {
    const sql = readFileSync('migrations/0001_ground.sql', 'utf8')
    const check = /check \(state in \(('Created'[^)]*)\)\)/.exec(sql)?.[1] ?? ''
    expect(new Set(check.match(/\w+/g))).toEqual(new Set(states))
  })

  const facts = {
    autoCapture: false,
    oneStep: false,
    holds: false,
    canTryAgain: true,
    providerSaw: true,
    authorised: true,
    captured: false,
    held: false,
    refundedAll: false,
    atProvider: false,
    disputed: false,
    recaptures: false,
  }
  it.each([
    ['Created', 'pay', {}, 'Authorizing'],
    ['Created', 'pay', { oneStep: true }, 'SaleInProgress'],
    ['Authorizing', 'authorized', {}, 'Authorized'],
    ['Authorizing', 'authorized', { autoCapture: true }, 'Capturing'],
    ['Authorizing', 'authorized', { autoCapture: true, holds: true }, 'ProviderAuthorizedHold'],
    ['SaleInProgress', 'captured', { holds: true }, 'CapturedHold'],
    ['Authorizing', 'declined', {}, 'Created'],
    ['Authorizing', 'declined', { canTryAgain: false }, 'Failed'],
    ['Capturing', 'captureRefused', {}, 'Authorized'],
    ['Capturing', 'captureRefused', { authorised: false }, 'Failed'],
    ['ProviderAuthorizedHold', 'unhold', { autoCapture: true }, 'Capturing'],
    ['ProviderAuthorizedHold', 'unhold', {}, 'Authorized'],
    ['ProviderAuthorizedHold', 'unhold', { atProvider: true, autoCapture: true }, 'Authorizing'],
    ['CapturedHold', 'unhold', {}, 'Captured'],
    ['Refunding', 'refunded', { refundedAll: true }, 'Refunded'],
    ['Refunding', 'refunded', {}, 'Captured'],
    ['Refunding', 'refunded', { disputed: true }, 'Disputed'],
    ['Refunding', 'refundRefused', { disputed: true }, 'Disputed'],
    ['Disputed', 'disputeLost', { refundedAll: true, disputed: true }, 'Refunded'],
    ['Disputed', 'disputeLost', { disputed: true }, 'Disputed'],
    ['Disputed', 'disputeLost', {}, 'Captured'],
    ['Captured', 'captureFailed', {}, 'Capturing'],
    ['Captured', 'cancel', {}, undefined],
    ['Failed', 'pay', {}, undefined],
  ] as const)('goes from %s on %s with %o to %s', (from, on, more, to) => {
    expect(step(from, on as EventName, { ...facts, ...more })?.to).toBe(to)
  })
})
