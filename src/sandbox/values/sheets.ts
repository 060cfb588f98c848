import { code, type Sheet, type TestValues } from '../../reference/sheet.ts'
import { LOSING_EVIDENCE, WINNING_EVIDENCE } from '../bank/rules/answer-dispute.ts'
import { FAULT_EFFECTS, FAULT_STEPS } from '../bank/rules/faults.ts'
import { DISPUTE_FEE_CENTS, RESERVE, TERMS } from '../bank/rules/methods.ts'
import { SETTLEMENT_FAULTS } from '../bank/rules/report.ts'
import { outcomesOf } from '../helpers/choices.ts'
import { MAGIC_AMOUNTS } from './amounts.ts'
import { SANDBOX_METHODS } from './named.ts'
import {
  CRYPTO_ADDRESSES,
  CRYPTO_BUTTONS,
  HOLDER_NAMES,
  TEST_BANK_ACCOUNTS,
  TEST_CARDS,
  TEST_PAYPAL,
  TEST_TOKENS,
} from './values.ts'

const SAYS =
  'In sandbox apps no money moves: a built-in bank answers, and what is typed decides how. Any expiry date ' +
  'in the future and any security code go with a test card. `Outcome` is the word that the test helper ' +
  '`POST …/test-helpers/payments/{paymentId}/pay` takes. Live apps know none of this.'

/** 4242424242424242 → 4242 4242 4242 4242 */
const grouped = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, '$1 ')

function testValueSheets(): Sheet[] {
  return [
    cards(),
    tokens(),
    holders(),
    accounts(),
    paypal(),
    cryptoButtons(),
    cryptoAddresses(),
    outcomes(),
    faults(),
    evidence(),
    fees(),
    settlementFaults(),
    amounts(),
  ]
}

const cards = (): Sheet => ({
  title: 'Cards',
  columns: ['Number', 'Brand', 'Outcome', 'What happens'],
  rows: TEST_CARDS.map(({ number, brand, type, scenario, description }) => [
    code(grouped(number)),
    type === 'Credit' ? brand : `${brand} (${type.toLowerCase()})`,
    code(scenario),
    description,
  ]),
})

const tokens = (): Sheet => ({
  title: 'Tokens to import',
  description:
    'An import of stored methods takes these as tokens of the provider. Anything may follow after an ' +
    'underscore, as in `met_test_visa_2`: each is another card. Every other token that begins with ' +
    '`met_test_` is not known.',
  columns: ['Token', 'Card'],
  rows: Object.entries(TEST_TOKENS).map(([token, number]) => [code(token), code(grouped(number))]),
})

const holders = (): Sheet => ({
  title: 'Card holder names',
  description: 'With any card that would be approved, the name of the holder decides.',
  columns: ['Name', 'What happens'],
  rows: Object.entries(HOLDER_NAMES).map(([name, reason]) => [
    code(name),
    reason ? `Declined: ${reason}.` : 'Approved.',
  ]),
})

const accounts = (): Sheet => ({
  title: 'Bank accounts',
  columns: ['Routing number', 'Account number', 'Outcome', 'What happens'],
  rows: TEST_BANK_ACCOUNTS.map(({ routing, account, scenario, description }) => [
    code(routing),
    account ? code(account) : 'any',
    code(scenario),
    description,
  ]),
})

const paypal = (): Sheet => ({
  title: 'PayPal e-mail addresses',
  columns: ['E-mail', 'Outcome', 'What happens'],
  rows: TEST_PAYPAL.map(({ email, scenario, description }) => [code(email), code(scenario), description]),
})

const cryptoButtons = (): Sheet => ({
  title: 'Crypto buttons',
  description: "On the bank's crypto page, a button plays the network.",
  columns: ['Button', 'Outcome'],
  rows: CRYPTO_BUTTONS.map(({ label, scenario }) => [label, code(scenario)]),
})

const cryptoAddresses = (): Sheet => ({
  title: 'Crypto addresses',
  columns: ['Asset', 'Network', 'Address'],
  rows: CRYPTO_ADDRESSES.map(({ asset, network, address }) => [asset, network, code(address)]),
})

const outcomes = (): Sheet => ({
  title: 'Outcomes of the test helper',
  description:
    'What `outcome` may be for each method; `abandon`, for a customer who leaves, goes with all of them.',
  columns: ['Method', 'Outcomes'],
  rows: SANDBOX_METHODS.map((method) => [code(method), outcomesOf(method).map(code).join(', ')]),
})

const faults = (): Sheet => ({
  title: 'Faults',
  description: 'What `POST …/test-helpers/faults` may ask the bank to do wrong.',
  columns: ['Member', 'Values'],
  rows: [
    [code('step'), FAULT_STEPS.map(code).join(', ')],
    [code('effect'), FAULT_EFFECTS.map(code).join(', ')],
  ],
})

const evidence = (): Sheet => ({
  title: 'Evidence',
  description:
    'What the explanation of a dispute may contain. Other evidence leaves the dispute open, as under ' +
    'review; accepting a dispute loses it.',
  columns: ['Text', 'Result'],
  rows: [
    [code(WINNING_EVIDENCE), 'The dispute is won at once.'],
    [code(LOSING_EVIDENCE), 'The dispute is lost at once.'],
  ],
})

const percent = (perMille: number): string => `${perMille / 10} %`
const cents = (amount: number): string => (amount / 100).toFixed(2)

const fees = (): Sheet => ({
  title: 'Fees and reserves',
  description:
    'Of every sale, rounded half up to the minor unit of its currency. A dispute or a returned debit costs ' +
    `${cents(DISPUTE_FEE_CENTS)}, a refund nothing. Of a sale of ${cents(RESERVE.fromCents)} or more the ` +
    `bank holds ${percent(RESERVE.perMille)} for ${RESERVE.days} days.`,
  columns: ['Method', 'Fee'],
  rows: SANDBOX_METHODS.map((method) => {
    const { perMille, fixedCents } = TERMS[method].fee
    return [
      code(method),
      fixedCents === 0 ? percent(perMille) : `${percent(perMille)} + ${cents(fixedCents)}`,
    ]
  }),
})

const settlementFaults = (): Sheet => ({
  title: 'Faults of settlement reports',
  description: 'What `POST …/test-helpers/settlement-faults` may ask the bank to report wrong.',
  columns: ['Member', 'Values'],
  rows: [[code('kind'), SETTLEMENT_FAULTS.map(code).join(', ')]],
})

const amounts = (): Sheet => ({
  title: 'Amounts',
  description:
    'Only for charges of stored methods, and only at profiles whose setting `magicAmounts` is on. Other ' +
    'amounts from 2000 to 2999 are declined; 8000 to 8100 are approved with a risk score of 0 to 100.',
  columns: ['Amount', 'What happens'],
  rows: MAGIC_AMOUNTS.map(({ major, description }) => [code(`${major}.00`), description]),
})

export const testValues = (): TestValues => ({ description: SAYS, sheets: testValueSheets() })
