import { describe, expect, it } from 'vitest'
import { declineOf, returnOf } from './reasons.ts'

describe('reason codes of Authorize.Net', () => {
  it.each([
    [2, '', 'do-not-honour', 'later'],
    [2, 'Insufficient funds', 'insufficient-funds', 'later'],
    [4, '', 'lost-card', 'never'],
    [6, '', 'incorrect-number', 'after-customer-acts'],
    [8, '', 'expired-card', 'never'],
    [11, '', 'duplicate', 'never'],
    [19, '', 'processing-error', 'later'],
    [26, '', 'processing-error', 'later'],
    [27, '', 'incorrect-address', 'after-customer-acts'],
    [39, '', 'currency-not-supported', 'never'],
    [44, '', 'incorrect-cvc', 'after-customer-acts'],
    [65, '', 'incorrect-cvc', 'after-customer-acts'],
    [250, '', 'blocked', 'never'],
    [254, '', 'suspected-fraud', 'never'],
  ] as const)('%d %s is %s, to be retried %s', (code, text, reason, retry) => {
    expect(declineOf(code, text)).toMatchObject({ reason, retry, raw: { code: String(code) } })
  })

  it('is generic and counted when it is not listed', () => {
    expect(declineOf(999, 'New')).toEqual({
      reason: 'generic',
      retry: 'unspecified',
      raw: { code: '999', message: 'New' },
      isUnlisted: true,
    })
  })

  it.each([
    ['R01', 'insufficient-funds'],
    ['R02', 'account-closed'],
    ['R03', 'no-account'],
    ['R10', 'debit-not-authorised'],
    ['R99', 'generic'],
  ] as const)('a debit returned with %s is %s', (code, reason) => {
    expect(returnOf(code)).toMatchObject({ reason, raw: { code } })
  })
})
