import { describe, expect, it } from 'vitest'
import { newPayment } from '../../../../test/support/payment.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { MethodOption, SavedMethod } from '../method-options.ts'
import type { CheckoutRequest } from '../request.ts'
import { firstChoice } from './form.tsx'

const option = (method: string, { profileId = 1, typed = false } = {}): MethodOption =>
  ({
    id: `${profileId}.${method}`,
    offer: { method, profile: { profileId } },
    fields: typed ? { action: 'https://bank.example' } : undefined,
  }) as unknown as MethodOption

const CARD = option('CreditCard', { typed: true })
const BANK = option('ElectronicCheck', { typed: true })
const OPTIONS = [CARD, BANK, option('Paypal'), option('Crypto')]
const SAVED = [7, 8].map(
  (paymentMethodId) =>
    ({ paymentMethodId, kind: 'CreditCard', isDefault: paymentMethodId === 7 }) as SavedMethod,
)

const chosenAfter = (
  tried: Partial<Payment>,
  reason: string | undefined,
  saved: readonly SavedMethod[] = [],
) =>
  firstChoice(
    {
      payment: newPayment({ profileId: 1, payInfo: { declined: reason }, ...tried } as Payment),
    } as CheckoutRequest,
    OPTIONS,
    saved,
  )

describe('the preselected method', () => {
  it('is initially the default stored method, else the first row', () => {
    expect(chosenAfter({}, undefined)).toBe('1.CreditCard')
    expect(chosenAfter({}, undefined, SAVED)).toBe('saved-7')
  })

  it.each(['insufficient-funds', 'limit-exceeded', 'expired-card', 'card-not-supported', 'generic'])(
    'stays the card after %s',
    (reason) => {
      expect(chosenAfter({ method: 'CreditCard' }, reason)).toBe('1.CreditCard')
      expect(chosenAfter({ method: 'CreditCard' }, reason, SAVED)).toBe('1.CreditCard')
    },
  )

  it('stays the card when failover used a profile without a row', () => {
    expect(chosenAfter({ method: 'CreditCard', profileId: 99 }, 'insufficient-funds')).toBe('1.CreditCard')
  })

  it('stays the bank account, where another account can be typed', () => {
    expect(chosenAfter({ method: 'ElectronicCheck' }, 'insufficient-funds')).toBe('1.ElectronicCheck')
  })

  it('is an empty card form after a stored card had insufficient funds', () => {
    const tried = { method: 'CreditCard', paymentMethodId: 7 } as const
    expect(chosenAfter(tried, 'insufficient-funds', SAVED)).toBe('1.CreditCard')
  })

  it('stays the stored card when its security code was wrong', () => {
    const tried = { method: 'CreditCard', paymentMethodId: 8 } as const
    expect(chosenAfter(tried, 'incorrect-cvc', SAVED)).toBe('saved-8')
  })

  it('is another method when one on the provider’s own page was declined', () => {
    expect(chosenAfter({ method: 'Paypal' }, 'insufficient-funds')).toBe('1.CreditCard')
  })
})
