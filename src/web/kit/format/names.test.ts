import { expect, it } from 'vitest'
import { CONSOLE_LANGUAGES } from '../texts/languages.ts'
import { methodName } from './names.ts'

it('a card in a wallet is named with its wallet, in lists too', () => {
  const [{ texts } = { texts: undefined }] = CONSOLE_LANGUAGES
  if (!texts) throw new Error('there is no language')
  const card = { method: 'CreditCard', brand: 'visa', last4: '4242', wallet: null } as const
  expect(methodName({ texts }, card)).toBe('Visa •••• 4242')
  expect(methodName({ texts }, { ...card, wallet: 'apple-pay' })).toBe('Apple Pay, Visa •••• 4242')
  expect(methodName({ texts }, { ...card, wallet: 'apple-pay', brand: null })).not.toContain('Apple')
  expect(methodName({ texts }, { ...card, wallet: 'a wallet of tomorrow' })).toBe('Visa •••• 4242')
})
