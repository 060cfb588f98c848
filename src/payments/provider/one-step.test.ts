import { describe, expect, it } from 'vitest'
import type { Abilities } from '../../providers/port.ts'
import type { Offer } from '../../routing/offers.ts'
import type { NewVerdict } from '../changes.ts'
import { continuesWith, isOneStep } from './one-step.ts'

const CARD = { authoriseOnly: true, sale: true } as Abilities
const DEBIT = { authoriseOnly: false, sale: true } as Abilities
const TWO_STEP = { authoriseOnly: true, sale: false } as Abilities

const verdict = (decision: string, checksAfter = false) =>
  ({ judgement: { decision, checksAfter } }) as unknown as NewVerdict

interface Asked {
  readonly abilities?: Abilities
  readonly autoCapture?: boolean
  readonly state?: 'Created' | 'Authorizing' | 'SaleInProgress'
  readonly isStored?: boolean
  readonly verdict?: NewVerdict
}

const decide = ({ abilities = CARD, autoCapture = true, state = 'Created', isStored, verdict }: Asked) =>
  isOneStep(
    { state, autoCapture },
    { offer: { abilities } as Offer, ...(isStored ? { token: 't' } : {}) },
    verdict,
  )

describe('one step or two', () => {
  it.each<[string, Asked, boolean]>([
    ['a card with autoCapture', {}, true],
    ['a card without autoCapture', { autoCapture: false }, false],
    ['a bank debit', { abilities: DEBIT }, true],
    ['a method without sales', { abilities: TWO_STEP }, false],
    ['a policy that accepts before', { verdict: verdict('Accept') }, true],
    ['a policy that holds', { verdict: verdict('Hold') }, false],
    ['checks afterwards', { verdict: verdict('Accept', true) }, false],
    ['a bank debit that a policy holds', { abilities: DEBIT, verdict: verdict('Hold') }, true],
    ['a running authorisation', { state: 'Authorizing' }, false],
    ['a running sale', { state: 'SaleInProgress', autoCapture: true }, true],
    ['a running sale at a provider without sales', { state: 'SaleInProgress', abilities: TWO_STEP }, false],
    ['a running sale of a bank debit', { state: 'SaleInProgress', abilities: DEBIT }, true],
    ['a stored method that differs', { abilities: { ...DEBIT, stored: TWO_STEP }, isStored: true }, false],
    ['the same method on its page', { abilities: { ...DEBIT, stored: TWO_STEP } }, true],
  ])('%s', (_what, asked, expected) => expect(decide(asked)).toBe(expected))
})

describe('a running sale continues', () => {
  it.each<[string, Abilities, boolean, boolean]>([
    ['where sales are possible', CARD, false, true],
    ['where only debits are possible', DEBIT, false, true],
    ['in two steps, if the capture follows by itself', TWO_STEP, true, true],
    ['not in two steps without it', TWO_STEP, false, false],
  ])('%s', (_where, abilities, autoCapture, expected) =>
    expect(continuesWith({ state: 'SaleInProgress', autoCapture }, abilities)).toBe(expected),
  )
})
