import { DAY } from '../../base/clock.ts'
import type { DeclineReason } from '../../providers/outcome.ts'
import { type Behaviour, REVIEW_MS, refusal, riskOf, SETTLES_MS } from './behaviour.ts'

/**
 * Test values and the behaviour they select. The bank, the test helpers and the public page of test values
 * all read these tables. `scenario` is the `outcome` that the pay test helper accepts.
 */
export interface TestCard {
  readonly number: string
  readonly brand: string
  readonly type: 'Credit' | 'Debit' | 'Prepaid'
  readonly scenario: string
  readonly behaviour: Behaviour
  readonly description: string
}

type CardEntry = readonly [number: string, scenario: string, behaviour: Behaviour, description: string]

const card = (number: string, brand: string, type: TestCard['type'] = 'Credit'): TestCard => ({
  number,
  brand,
  type,
  scenario: 'approved',
  behaviour: {},
  description: 'Approved.',
})

const declined = (number: string, reason: DeclineReason): CardEntry => [
  number,
  reason,
  { refuse: refusal(reason) },
  `Declined: ${reason}.`,
]

const challenged = (number: string, scenario: string, reason: DeclineReason): CardEntry => [
  number,
  scenario,
  { challenge: true, refuse: refusal(reason) },
  `Asks for 3-D Secure, then declined: ${reason}.`,
]

const APPROVING: readonly TestCard[] = [
  card('4242424242424242', 'Visa'),
  card('4111111111111111', 'Visa'),
  card('4000056655665556', 'Visa', 'Debit'),
  card('5555555555554444', 'Mastercard'),
  card('2223003122003222', 'Mastercard'),
  card('5200828282828210', 'Mastercard', 'Debit'),
  card('5105105105105100', 'Mastercard', 'Prepaid'),
  card('378282246310005', 'American Express'),
  card('6011111111111117', 'Discover'),
  card('3056930009020004', 'Diners Club'),
  card('3566002020360505', 'JCB'),
  card('6200000000000005', 'UnionPay'),
]

const SPECIAL: readonly CardEntry[] = [
  declined('4000000000000002', 'generic'),
  declined('4000000000009995', 'insufficient-funds'),
  declined('4000000000009987', 'lost-card'),
  declined('4000000000009979', 'stolen-card'),
  declined('4000000000000069', 'expired-card'),
  declined('4000000000000127', 'incorrect-cvc'),
  declined('4000000000000119', 'processing-error'),
  declined('4000000000006975', 'limit-exceeded'),
  declined('4242424242424241', 'incorrect-number'),
  [
    '4000000000000341',
    'stored-charge-declined',
    { storedCharge: refusal('generic') },
    'Approved and stored; every later charge of the stored card is declined.',
  ],
  [
    '4000002500003155',
    'challenge',
    { challenge: true },
    'Asks for 3-D Secure, then approved; charges of the stored card pass.',
  ],
  [
    '4000002760003184',
    'challenge-always',
    { challenge: true, storedCharge: refusal('authentication-required') },
    'Asks for 3-D Secure always; a charge of the stored card is declined: authentication-required.',
  ],
  [
    '4000003800000446',
    'challenge-once',
    { challenge: true },
    'Asks for 3-D Secure, then approved; charges of the stored card pass without a challenge.',
  ],
  challenged('4000008260003178', 'challenge-then-insufficient-funds', 'insufficient-funds'),
  challenged('4000008400001629', 'challenge-then-generic', 'generic'),
  challenged('4000008400001280', 'authentication-failed', 'authentication-failed'),
  [
    '4000000000003055',
    'frictionless',
    { threeDSecure: 'frictionless' },
    'Approved; 3-D Secure passes without a challenge, also when one is asked for.',
  ],
  [
    '4000000000003220',
    'exemption-refused',
    { threeDSecure: 'refuses-exemptions' },
    'Approved; asks for 3-D Secure when the payment asks for an exemption.',
  ],
  [
    '4000000000003063',
    'three-d-secure-not-supported',
    { threeDSecure: 'not-supported' },
    'Approved; the card has no 3-D Secure, also when a challenge is asked for.',
  ],
  ['4000000000009235', 'elevated-risk', { risk: riskOf(65) }, 'Approved with elevated risk, score 65.'],
  ['4000000000004954', 'high-risk', { risk: riskOf(85) }, 'Approved with high risk, score 85.'],
  [
    '4100000000000019',
    'blocked',
    { refuse: refusal('blocked'), risk: riskOf(99) },
    'Declined: blocked, high risk, score 99.',
  ],
  [
    '4000000000000036',
    'postal-code-check-fails',
    { checks: { postalCode: 'fail' } },
    'Approved; the postal code check fails.',
  ],
  [
    '4000000000000101',
    'cvc-check-fails',
    { checks: { cvc: 'fail' } },
    'Approved; the security code check fails.',
  ],
  [
    '4000000000000259',
    'chargeback-fraudulent',
    { dispute: 'fraudulent' },
    'Approved; disputed as fraudulent a minute after the capture.',
  ],
  [
    '4000000000002685',
    'chargeback-not-received',
    { dispute: 'not-received' },
    'Approved; disputed as not received a minute after the capture.',
  ],
  ['4000000000007726', 'refund-pending', { refund: 'pending' }, 'Approved; refunds are pending, then done.'],
  [
    '4000000000005126',
    'refund-fails-later',
    { refund: 'done-then-failed' },
    'Approved; refunds are done, then fail.',
  ],
]

/** Approved and stored; later charges without the customer are declined. */
const storedDecline = (number: string, brand: string, reason: DeclineReason, advice: string): TestCard => ({
  ...card(number, brand),
  scenario: `stored-charge-${advice}${brand === 'Visa' ? '' : `-${brand.toLowerCase()}`}`,
  behaviour: { storedCharge: refusal(reason) },
  description: `Approved and stored; later charges are declined: ${reason}. Retry: ${advice}.`,
})

const STORED_DECLINES: readonly TestCard[] = [
  storedDecline('4000000000000358', 'Visa', 'lost-card', 'never'),
  storedDecline('4000000000000374', 'Visa', 'insufficient-funds', 'later'),
  storedDecline('5100000000000354', 'Mastercard', 'lost-card', 'never'),
  storedDecline('5100000000000370', 'Mastercard', 'insufficient-funds', 'later'),
]

export const TEST_CARDS: readonly TestCard[] = [
  ...APPROVING,
  ...SPECIAL.map(([number, scenario, behaviour, description]) => ({
    ...card(number, 'Visa'),
    scenario,
    behaviour,
    description,
  })),
  ...STORED_DECLINES,
]

/**
 * Tokens that the bank knows without having stored a card, to try an import. Anything may follow after an
 * underscore: each is another card.
 */
export const TEST_TOKENS: Readonly<Record<string, string>> = {
  met_test_visa: '4242424242424242',
  met_test_mastercard: '5555555555554444',
  met_test_amex: '378282246310005',
  met_test_declined: '4000000000000341',
}

export interface TestBankAccount {
  readonly routing: string
  /** Undefined: any account number. */
  readonly account?: string
  readonly scenario: string
  readonly behaviour: Behaviour
  readonly description: string
}

const settles: Behaviour = { pending: { ms: SETTLES_MS, waitsFor: 'provider' } }

const account = (
  number: string,
  scenario: string,
  behaviour: Behaviour,
  description: string,
): TestBankAccount => ({
  routing: '110000000',
  account: number,
  scenario,
  behaviour,
  description,
})

function returned(number: string, reason: DeclineReason, code: string): TestBankAccount {
  const behaviour: Behaviour = {
    pending: { ms: SETTLES_MS, waitsFor: 'provider', refuse: refusal(reason, code) },
  }
  return account(number, reason, behaviour, `Pending, then returned after 4 s: ${reason} (${code}).`)
}

export const TEST_BANK_ACCOUNTS: readonly TestBankAccount[] = [
  account('000123456789', 'approved', settles, 'Pending, then captured after 4 s.'),
  returned('000111111113', 'account-closed', 'R02'),
  returned('000111111116', 'no-account', 'R03'),
  returned('000222222227', 'insufficient-funds', 'R01'),
  returned('000333333335', 'debit-not-authorised', 'R10'),
  account(
    '000555555559',
    'returned-later',
    { ...settles, returnedLater: true },
    'Captured after 4 s, returned by the bank a minute later.',
  ),
  account(
    '000000000009',
    'slow',
    { pending: { ms: 5 * DAY, waitsFor: 'provider' } },
    'Stays pending until the sandbox clock passes 5 days, then captured.',
  ),
  {
    routing: '121042882',
    scenario: 'approved-to-100',
    behaviour: { ...settles, refuseAboveMajor: 100 },
    description: 'Any account number: captured after 4 s; declined above 100.00.',
  },
]

/** Card holder names that select an outcome, with any card that is otherwise approved. */
export const HOLDER_NAMES: Readonly<Record<string, DeclineReason | undefined>> = {
  APPROVED: undefined,
  DECLINED: 'generic',
  NOT_ENOUGH_BALANCE: 'insufficient-funds',
  CARD_EXPIRED: 'expired-card',
  BLOCK_CARD: 'blocked',
  FRAUD: 'suspected-fraud',
  CVC_DECLINED: 'incorrect-cvc',
  ERROR: 'processing-error',
  ISSUER_UNAVAIL: 'issuer-unavailable',
}

export interface TestPaypal {
  readonly email: string
  readonly scenario: string
  readonly behaviour: Behaviour
  readonly description: string
}

export const TEST_PAYPAL: readonly TestPaypal[] = [
  { email: 'buyer@example.com', scenario: 'approved', behaviour: {}, description: 'Approved.' },
  {
    email: 'decline@example.com',
    scenario: 'generic',
    behaviour: { refuse: refusal('generic', 'INSTRUMENT_DECLINED') },
    description: 'Declined: INSTRUMENT_DECLINED.',
  },
  {
    email: 'review@example.com',
    scenario: 'review',
    behaviour: { pending: { ms: REVIEW_MS, waitsFor: 'review' } },
    description: 'Held for review, approved after a day of sandbox time.',
  },
  {
    email: 'echeck@example.com',
    scenario: 'echeck',
    behaviour: settles,
    description: 'Pending, then approved after 4 s.',
  },
  {
    email: 'cancel@example.com',
    scenario: 'customer-cancelled',
    behaviour: { refuse: refusal('customer-cancelled') },
    description: 'Cancelled by the customer.',
  },
]

export const CRYPTO_ADDRESSES = [
  { asset: 'BTC', network: 'testnet', address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' },
  { asset: 'USDC', network: 'sepolia', address: '0x000000000000000000000000000000000000dEaD' },
] as const

export interface CryptoButton {
  readonly action:
    | 'pay-exactly'
    | 'pay-90-percent'
    | 'pay-110-percent'
    | 'pay-after-expiry'
    | 'pay-unconfirmed'
    | 'pay-double-spend'
    | 'do-nothing'
  readonly label: string
  readonly scenario: string
  /** Undefined: nothing happens. */
  readonly behaviour?: Behaviour
}

export const CRYPTO_BUTTONS: readonly CryptoButton[] = [
  { action: 'pay-exactly', label: 'pay exactly', scenario: 'approved', behaviour: {} },
  {
    action: 'pay-90-percent',
    label: 'pay 90 %',
    scenario: 'underpaid',
    behaviour: { refuse: refusal('underpaid', 'UNDERPAID', '90 % of the amount arrived.') },
  },
  { action: 'pay-110-percent', label: 'pay 110 %', scenario: 'overpaid', behaviour: {} },
  {
    action: 'pay-after-expiry',
    label: 'pay after expiry',
    scenario: 'expired',
    behaviour: { refuse: refusal('expired', 'PAID_LATE', 'The payment arrived after the address expired.') },
  },
  {
    action: 'pay-unconfirmed',
    label: 'pay, 0 confirmations for ever',
    scenario: 'unconfirmed',
    behaviour: { pending: { ms: null, waitsFor: 'confirmations' } },
  },
  {
    action: 'pay-double-spend',
    label: 'pay, then double-spend',
    scenario: 'double-spend',
    behaviour: {
      pending: {
        ms: SETTLES_MS,
        waitsFor: 'confirmations',
        refuse: refusal('generic', 'DOUBLE_SPEND', 'The same coins were spent elsewhere.'),
      },
    },
  },
  { action: 'do-nothing', label: 'do nothing', scenario: 'nothing' },
]
