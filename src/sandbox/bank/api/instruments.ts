import { hasCardNumber } from '../../../base/cards/find.ts'
import { passesLuhn } from '../../../base/cards/number.ts'
import { isMailbox } from '../../../base/mailbox.ts'
import { type Behaviour, refusal } from '../../values/behaviour.ts'
import type { SandboxMethod } from '../../values/named.ts'
import {
  HOLDER_NAMES,
  TEST_BANK_ACCOUNTS,
  TEST_CARDS,
  TEST_PAYPAL,
  TEST_TOKENS,
} from '../../values/values.ts'
import type { Keys } from '../keys.ts'
import type { BankMethod, Instrument } from '../rules/payment.ts'
import { badRequest } from '../rules/refused.ts'
import { type Body, optionalText, text, wholeNumber } from './read.ts'

/** The customer's input, reduced to the data that may be stored, and the behaviour it selects. */
export interface InstrumentDetails {
  readonly method: SandboxMethod
  readonly instrument: Instrument
  readonly behaviour: Behaviour
  /** True for a security code without a card, used with a stored card. */
  readonly isCode?: true
}

const HOLDER_LENGTH = 100
const CARDS = new Map(TEST_CARDS.map((card) => [card.number, card]))

export function cardDetails(keys: Keys, account: string, body: Body): InstrumentDetails {
  const number = text(body, 'number', 40).replace(/[ -]/g, '')
  if (!/^\d{12,19}$/.test(number)) throw badRequest('number must have 12 to 19 digits.')
  const holder = optionalText(body, 'holder', HOLDER_LENGTH)
  const expiryMonth = wholeNumber(body, 'expiryMonth', 1, 12)
  const expiryYear = wholeNumber(body, 'expiryYear', 2000, 2099)
  const cvc = optionalText(body, 'cvc', 8)
  const named = nameOf(holder)
  const card = CARDS.get(number)
  // The card may be real: none of its data is stored.
  if (!card) return { method: 'CreditCard', instrument: named, behaviour: unlisted(number) }
  const { brand, type } = card
  const last4 = number.slice(-4)
  const fingerprint = keys.mac('card', `${account}.${number}`)
  const instrument = { ...named, brand, type, last4, expiryMonth, expiryYear, country: 'US', fingerprint }
  return { method: 'CreditCard', instrument, behaviour: namedBehaviour(card.behaviour, holder, cvc) }
}

const TEST_TOKEN = /^(met_test_[a-z]+)(?:_[\w-]{1,60})?$/

/** The card of a test token, which is the same in every account and never stored. */
export function testMethod(keys: Keys, account: string, token: string): BankMethod | undefined {
  const [, name = ''] = TEST_TOKEN.exec(token) ?? []
  const card = Object.hasOwn(TEST_TOKENS, name) ? CARDS.get(TEST_TOKENS[name] ?? '') : undefined
  if (!card) return undefined
  const { brand, type, number, behaviour } = card
  const fingerprint = keys.mac('card', `${account}.${token}`)
  const expiry = { expiryMonth: 12, expiryYear: 2049 }
  const instrument = { brand, type, last4: number.slice(-4), ...expiry, country: 'US', fingerprint }
  return { token, method: 'CreditCard', instrument, behaviour }
}

/** Omits a holder that contains a card number typed into the wrong field, so that it is not stored. */
const nameOf = (holder: string | undefined): { holder?: string } =>
  holder === undefined || hasCardNumber(holder) ? {} : { holder }

function unlisted(number: string): Behaviour {
  if (!passesLuhn(number)) return { refuse: refusal('incorrect-number') }
  const why =
    'This is not a sandbox test card, and the sandbox takes no other. Use 4242 4242 4242 4242 to approve; ' +
    'the list of test cards has one for every outcome.'
  return { refuse: refusal('card-not-supported', 'NOT_A_TEST_CARD', why) }
}

function namedBehaviour(
  behaviour: Behaviour,
  holder: string | undefined,
  cvc: string | undefined,
): Behaviour {
  if (behaviour.refuse) return behaviour
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc)) return { refuse: refusal('incorrect-cvc') }
  const reason = holder === undefined ? undefined : HOLDER_NAMES[holder]
  return reason ? { refuse: refusal(reason) } : behaviour
}

/** Every other code of three or four digits is accepted. */
const WRONG_CODE = '000'

export function codeDetails(body: Body): InstrumentDetails {
  const code = text(body, 'code', 8)
  if (!/^\d{3,4}$/.test(code)) throw badRequest('code must have 3 or 4 digits.')
  const behaviour = code === WRONG_CODE ? { refuse: refusal('incorrect-cvc') } : {}
  return { method: 'CreditCard', instrument: {}, behaviour, isCode: true }
}

export function bankDetails(keys: Keys, account: string, body: Body): InstrumentDetails {
  const routing = text(body, 'routing', 20).replace(/[ -]/g, '')
  const number = text(body, 'account', 40).replace(/[ -]/g, '')
  if (!/^\d{9}$/.test(routing)) throw badRequest('routing must have 9 digits.')
  if (!/^\d{4,17}$/.test(number)) throw badRequest('account must have 4 to 17 digits.')
  const holder = optionalText(body, 'holder', HOLDER_LENGTH)
  const named = nameOf(holder)
  const known = TEST_BANK_ACCOUNTS.find(
    (one) => one.routing === routing && (one.account === undefined || one.account === number),
  )
  if (!known) {
    const why =
      'This is not a sandbox test account, and the sandbox takes no other. ' +
      'Use routing 110000000 and account 000123456789 to approve.'
    const refuse = refusal('no-account', 'NOT_A_TEST_ACCOUNT', why)
    return { method: 'ElectronicCheck', instrument: named, behaviour: { refuse } }
  }
  const fingerprint = keys.mac('account', `${account}.${routing}.${number}`)
  const instrument = { ...named, last4: number.slice(-4), country: 'US', fingerprint }
  return { method: 'ElectronicCheck', instrument, behaviour: known.behaviour }
}

export function paypalDetails(keys: Keys, account: string, email: string): InstrumentDetails {
  if (!isMailbox(email)) throw badRequest('email must be an e-mail address.')
  const known = TEST_PAYPAL.find((one) => one.email === email.toLowerCase())
  const fingerprint = keys.mac('paypal', `${account}.${email.toLowerCase()}`)
  return {
    method: 'Paypal',
    instrument: { email, country: 'US', fingerprint },
    behaviour: known?.behaviour ?? {},
  }
}
