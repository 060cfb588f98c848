import type { TestValue } from '../../providers/fields.ts'
import type { AnyMethod } from '../../providers/methods/method.ts'
import { TEST_BANK_ACCOUNTS, TEST_CARDS } from '../values/values.ts'

/** A short selection for the checkout. The page of test values lists all. */
const SHOWN_CARDS = ['approved', 'challenge', 'insufficient-funds', 'generic']
const SHOWN_ACCOUNTS = ['approved', 'insufficient-funds', 'no-account']

/** All brands with a test card. */
export const TEST_BRANDS: readonly string[] = [...new Set(TEST_CARDS.map(({ brand }) => brand))]

export function testValuesOf(method: AnyMethod, now: Date): TestValue[] {
  if (method === 'CreditCard') return cards(now)
  return method === 'ElectronicCheck' ? accounts() : []
}

function cards(now: Date): TestValue[] {
  const expiry = `12 / ${String((now.getUTCFullYear() + 3) % 100).padStart(2, '0')}`
  return SHOWN_CARDS.flatMap((scenario) => {
    const card = TEST_CARDS.find((one) => one.scenario === scenario)
    if (!card) return []
    const label = card.number.replace(/(\d{4})(?=\d)/g, '$1 ')
    const fields = { number: label, expiry, code: '123', name: 'Test Payer' }
    return [{ fields, label, description: card.description }]
  })
}

function accounts(): TestValue[] {
  return SHOWN_ACCOUNTS.flatMap((scenario) => {
    const found = TEST_BANK_ACCOUNTS.find((one) => one.scenario === scenario)
    if (!found?.account) return []
    const { routing, account, description } = found
    const fields = { routing, account, name: 'Test Payer' }
    return [{ fields, label: `${routing} / ${account}`, description }]
  })
}
