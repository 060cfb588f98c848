import type { Declined, DeclineReason, RetryAdvice } from '../outcome.ts'

/** The provider's reason codes. What is not listed is `generic` and counted, so that the table can grow. */
const REASONS: Readonly<Record<number, readonly [DeclineReason, RetryAdvice]>> = {
  2: ['do-not-honour', 'later'],
  3: ['do-not-honour', 'later'],
  4: ['lost-card', 'never'],
  6: ['incorrect-number', 'after-customer-acts'],
  7: ['expired-card', 'after-customer-acts'],
  8: ['expired-card', 'never'],
  9: ['no-account', 'after-customer-acts'],
  10: ['no-account', 'after-customer-acts'],
  11: ['duplicate', 'never'],
  17: ['card-not-supported', 'never'],
  18: ['card-not-supported', 'never'],
  ...each(
    [19, 20, 21, 22, 23, 25, 26, 57, 58, 59, 60, 61, 62, 63, 120, 121, 122, 180, 181],
    ['processing-error', 'later'],
  ),
  27: ['incorrect-address', 'after-customer-acts'],
  28: ['card-not-supported', 'never'],
  37: ['incorrect-number', 'after-customer-acts'],
  39: ['currency-not-supported', 'never'],
  41: ['suspected-fraud', 'never'],
  44: ['incorrect-cvc', 'after-customer-acts'],
  45: ['incorrect-cvc', 'after-customer-acts'],
  49: ['limit-exceeded', 'never'],
  65: ['incorrect-cvc', 'after-customer-acts'],
  78: ['incorrect-cvc', 'after-customer-acts'],
  127: ['incorrect-address', 'after-customer-acts'],
  128: ['card-not-supported', 'never'],
  141: ['suspected-fraud', 'never'],
  145: ['suspected-fraud', 'never'],
  165: ['incorrect-cvc', 'after-customer-acts'],
  200: ['incorrect-number', 'after-customer-acts'],
  201: ['expired-card', 'after-customer-acts'],
  224: ['account-closed', 'never'],
  250: ['blocked', 'never'],
  251: ['suspected-fraud', 'never'],
  254: ['suspected-fraud', 'never'],
  315: ['incorrect-number', 'after-customer-acts'],
  316: ['expired-card', 'after-customer-acts'],
  317: ['expired-card', 'never'],
}

/** Codes of the banks for debits that they return. */
const RETURNS: Readonly<Record<string, readonly [DeclineReason, RetryAdvice]>> = {
  R01: ['insufficient-funds', 'later'],
  R02: ['account-closed', 'never'],
  R03: ['no-account', 'after-customer-acts'],
  R04: ['no-account', 'after-customer-acts'],
  R05: ['debit-not-authorised', 'never'],
  R07: ['mandate-revoked', 'never'],
  R08: ['blocked', 'never'],
  R09: ['insufficient-funds', 'later'],
  R10: ['debit-not-authorised', 'never'],
  R16: ['blocked', 'never'],
  R20: ['card-not-supported', 'never'],
  R29: ['debit-not-authorised', 'never'],
}

type Refusal = Pick<Declined, 'reason' | 'retry' | 'raw' | 'isUnlisted'>

export function declineOf(code: number, text: string): Refusal {
  const raw = { code: String(code), ...(text ? { message: text.slice(0, 300) } : {}) }
  // A general decline says more in its text, if at all.
  if (code === 2 && /insufficient|not sufficient|nsf/i.test(text))
    return { reason: 'insufficient-funds', retry: 'later', raw }
  const known = REASONS[code]
  if (known) return { reason: known[0], retry: known[1], raw }
  return { reason: 'generic', retry: 'unspecified', raw, isUnlisted: true }
}

export function returnOf(code: string): Refusal {
  const known = RETURNS[code]
  if (known) return { reason: known[0], retry: known[1], raw: { code } }
  return { reason: 'generic', retry: 'unspecified', raw: { code }, isUnlisted: true }
}

function each<T>(codes: readonly number[], value: T): Record<number, T> {
  return Object.fromEntries(codes.map((code) => [code, value]))
}
