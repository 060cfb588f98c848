import { declineOf as declineBy, declineTable } from '../kit/declines.ts'
import { messageOf } from '../kit/reply.ts'
import type { Declined } from '../outcome.ts'

/** The provider's reason codes. What is not listed is `generic` and counted, so that the table can grow. */
const REASONS = declineTable([
  ['account-closed', 'never', '224'],
  ['blocked', 'never', '250'],
  ['card-not-supported', 'never', '17 18 28 128'],
  ['currency-not-supported', 'never', '39'],
  ['do-not-honour', 'later', '2 3'],
  ['duplicate', 'never', '11'],
  ['expired-card', 'after-customer-acts', '7 201 316'],
  ['expired-card', 'never', '8 317'],
  ['incorrect-address', 'after-customer-acts', '27 127'],
  ['incorrect-cvc', 'after-customer-acts', '44 45 65 78 165'],
  ['incorrect-number', 'after-customer-acts', '6 37 200 315'],
  ['limit-exceeded', 'never', '49'],
  ['lost-card', 'never', '4'],
  ['no-account', 'after-customer-acts', '9 10'],
  ['processing-error', 'later', '19 20 21 22 23 25 26 57 58 59 60 61 62 63 120 121 122 180 181'],
  ['suspected-fraud', 'never', '41 141 145 251 254'],
])

/** Codes of the banks for debits that they return. */
const RETURNS = declineTable([
  ['account-closed', 'never', 'R02'],
  ['blocked', 'never', 'R08 R16'],
  ['card-not-supported', 'never', 'R20'],
  ['debit-not-authorised', 'never', 'R05 R10 R29'],
  ['insufficient-funds', 'later', 'R01 R09'],
  ['mandate-revoked', 'never', 'R07'],
  ['no-account', 'after-customer-acts', 'R03 R04'],
])

type Refusal = Omit<Declined, 'kind'>

export function declineOf(code: number, text: string): Refusal {
  const raw = messageOf({ code: String(code), message: text })
  // A general decline says more in its text, if at all.
  if (code === 2 && /insufficient|not sufficient|nsf/i.test(text))
    return { reason: 'insufficient-funds', retry: 'later', raw }
  return declineBy(REASONS.get(String(code)), raw)
}

export const returnOf = (code: string): Refusal => declineBy(RETURNS.get(code), messageOf({ code }))
