import { expect, it } from 'vitest'
import { problemOf } from '../../http/problem.ts'
import { needsOtp, otpError } from './rules.ts'

const app = (twoFactorRequired: boolean, requireOtpForApiKeys: boolean) => ({
  twoFactorRequired,
  requireOtpForApiKeys,
})
const person = { kind: 'person' } as const
const key = { kind: 'key' } as const

it('people need a code for refunds and marks where the app demands it, and for nothing else', () => {
  for (const action of ['refund', 'mark-as-refund', 'mark-as-dispute']) {
    expect(needsOtp(app(true, false), person, action)).toBe(true)
    expect(needsOtp(app(false, true), person, action)).toBe(false)
  }
  for (const action of ['capture', 'cancel', 'unhold'])
    expect(needsOtp(app(true, true), person, action)).toBe(false)
})

it('API keys need a code only where the app says so for keys too', () => {
  expect(needsOtp(app(true, true), key, 'refund')).toBe(true)
  expect(needsOtp(app(true, false), key, 'refund')).toBe(false)
  expect(needsOtp(app(false, true), key, 'refund')).toBe(false)
})

it('jobs, payers and the operator need none', () => {
  expect(needsOtp(app(true, true), undefined, 'refund')).toBe(false)
  expect(needsOtp(app(true, true), { kind: 'operator' }, 'refund')).toBe(false)
})

it.each([
  ['otp_required', 'Need2FaException'],
  ['otp_invalid', 'Invalid2FaException'],
  ['otp_not_enrolled', 'NeedToActive2FaException'],
] as const)('%s is a 403 with the TypeName %s', (code, typeName) => {
  expect(problemOf(otpError(code), 'req_1')).toMatchObject({ status: 403, code, TypeName: typeName })
})
