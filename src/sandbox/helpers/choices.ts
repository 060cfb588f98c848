import { DECLINE_REASONS, type DeclineReason } from '../../providers/outcome.ts'
import { buttonsOf, type SandboxMethod } from '../values/named.ts'
import {
  CRYPTO_BUTTONS,
  HOLDER_NAMES,
  TEST_BANK_ACCOUNTS,
  TEST_CARDS,
  TEST_PAYPAL,
} from '../values/values.ts'
import type { BankAccountInput, CardInput, ChallengeOutcome, PageAction } from './browser.ts'

/** The customer's input or button that leads to an outcome. */
export type Choice =
  /** Form input. `challenge` is the answer if the bank requires 3-D Secure. */
  | { readonly kind: 'card'; readonly card: CardInput; readonly challenge: ChallengeOutcome }
  | { readonly kind: 'bank-account'; readonly bankAccount: BankAccountInput }
  /** A button on the bank's page. */
  | { readonly kind: 'page'; readonly action: PageAction }

/** Returns undefined if the method does not support the outcome. `outcomesOf` lists the supported ones. */
export function choiceFor(method: SandboxMethod, outcome: string, now: Date): Choice | undefined {
  const buttons = buttonsOf(method)
  if (buttons) return namedChoice(buttons, outcome)
  switch (method) {
    case 'CreditCard':
      return cardChoice(outcome, now)
    case 'ElectronicCheck':
      return bankChoice(outcome)
    case 'Paypal':
      return paypalChoice(outcome)
    case 'Crypto':
      return cryptoChoice(outcome)
  }
}

const unique = (words: readonly string[]): string[] => [...new Set(words)]

/** The outcomes that `choiceFor` accepts for a method, `approved` first. */
export function outcomesOf(method: SandboxMethod): readonly string[] {
  const buttons = buttonsOf(method)
  if (buttons) return unique([...buttons.map((one) => one.scenario), ...DECLINE_REASONS])
  switch (method) {
    case 'CreditCard':
      return unique([
        ...TEST_CARDS.map((card) => card.scenario),
        ...Object.values(HOLDER_NAMES).filter(isText),
      ])
    case 'ElectronicCheck':
      return TEST_BANK_ACCOUNTS.map((one) => one.scenario)
    case 'Paypal':
      return unique([...TEST_PAYPAL.map((one) => one.scenario), ...DECLINE_REASONS])
    default:
      return unique([...CRYPTO_BUTTONS.map((one) => one.scenario), ...DECLINE_REASONS])
  }
}

const isText = (value: string | undefined): value is DeclineReason => value !== undefined

function cardChoice(outcome: string, now: Date): Choice | undefined {
  const expires = { expiryMonth: 12, expiryYear: now.getUTCFullYear() + 3, cvc: '123' }
  const challenge = 'pass' as const
  const found = TEST_CARDS.find((card) => card.scenario === outcome)
  if (found) return { kind: 'card', card: { number: found.number, ...expires }, challenge }
  const holder = Object.keys(HOLDER_NAMES).find((name) => HOLDER_NAMES[name] === outcome)
  if (!holder) return undefined
  return { kind: 'card', card: { number: '4242424242424242', ...expires, holder }, challenge }
}

function bankChoice(outcome: string): Choice | undefined {
  const found = TEST_BANK_ACCOUNTS.find((one) => one.scenario === outcome)
  const account = found?.account ?? '000123456789'
  return found && { kind: 'bank-account', bankAccount: { routing: found.routing, account } }
}

function paypalChoice(outcome: string): Choice | undefined {
  const found = TEST_PAYPAL.find((one) => one.scenario === outcome)
  return found ? { kind: 'page', action: { action: 'approve', email: found.email } } : declineChoice(outcome)
}

function cryptoChoice(outcome: string): Choice | undefined {
  const found = CRYPTO_BUTTONS.find((one) => one.scenario === outcome)
  if (outcome === 'customer-cancelled') return { kind: 'page', action: { action: 'cancel' } }
  return found ? { kind: 'page', action: { action: found.action } } : declineChoice(outcome)
}

function namedChoice(
  buttons: NonNullable<ReturnType<typeof buttonsOf>>,
  outcome: string,
): Choice | undefined {
  const found = buttons.find((one) => one.scenario === outcome)
  if (outcome === 'customer-cancelled') return { kind: 'page', action: { action: 'cancel' } }
  return found ? { kind: 'page', action: { action: found.action } } : declineChoice(outcome)
}

function declineChoice(outcome: string): Choice | undefined {
  const reason = DECLINE_REASONS.find((candidate) => candidate === outcome)
  return reason && { kind: 'page', action: { action: 'decline', reason } }
}
