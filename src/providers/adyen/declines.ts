import { withAdvice } from '../kit/advice.ts'
import { declineOf as declineBy, type Meaning } from '../kit/declines.ts'
import { messageOf } from '../kit/reply.ts'
import type { DeclineReason, Snapshot } from '../outcome.ts'

/** Pure: what Adyen's refusal reasons mean in our words. */

const never = (reason: DeclineReason): Meaning => ({ reason, retry: 'never' })
const later = (reason: DeclineReason): Meaning => ({ reason, retry: 'later' })
const acts = (reason: DeclineReason): Meaning => ({ reason, retry: 'after-customer-acts' })

/** Code and text of each reason. Replies have the code, notifications only the text. */
const REASONS: readonly (readonly [string, string, Meaning])[] = [
  ['2', 'Refused', acts('generic')],
  ['3', 'Referral', acts('do-not-honour')],
  ['4', 'Acquirer Error', later('processing-error')],
  ['5', 'Blocked Card', never('lost-card')],
  ['6', 'Expired Card', never('expired-card')],
  ['7', 'Invalid Amount', never('limit-exceeded')],
  ['8', 'Invalid Card Number', acts('incorrect-number')],
  ['9', 'Issuer Unavailable', later('issuer-unavailable')],
  ['10', 'Not supported', never('card-not-supported')],
  ['11', '3D Not Authenticated', acts('authentication-failed')],
  ['12', 'Not enough balance', later('insufficient-funds')],
  ['14', 'Acquirer Fraud', never('suspected-fraud')],
  ['15', 'Cancelled', acts('customer-cancelled')],
  ['16', 'Shopper Cancelled', acts('customer-cancelled')],
  ['17', 'Invalid Pin', acts('authentication-failed')],
  ['18', 'Pin tries exceeded', acts('authentication-failed')],
  ['19', 'Pin validation not possible', later('authentication-failed')],
  ['20', 'FRAUD', never('suspected-fraud')],
  ['21', 'Not Submitted', later('processing-error')],
  ['22', 'FRAUD-CANCELLED', never('suspected-fraud')],
  ['23', 'Transaction Not Permitted', never('card-not-supported')],
  ['24', 'CVC Declined', acts('incorrect-cvc')],
  ['25', 'Restricted Card', never('lost-card')],
  ['26', 'Revocation Of Auth', never('mandate-revoked')],
  ['27', 'Declined Non Generic', acts('do-not-honour')],
  ['28', 'Withdrawal amount exceeded', later('limit-exceeded')],
  ['29', 'Withdrawal count exceeded', later('limit-exceeded')],
  ['31', 'Issuer Suspected Fraud', never('suspected-fraud')],
  ['32', 'AVS Declined', acts('incorrect-address')],
  ['33', 'Card requires online pin', acts('authentication-required')],
  ['34', 'No checking account available on Card', never('no-account')],
  ['35', 'No savings account available on Card', never('no-account')],
  ['36', 'Mobile pin required', acts('authentication-required')],
  ['37', 'Contactless fallback', acts('authentication-required')],
  ['38', 'Authentication required', acts('authentication-required')],
  ['39', 'RReq not received from DS', later('authentication-failed')],
  ['40', 'Current AID is in Penalty Box', later('processing-error')],
  ['41', 'CVM Required Restart Payment', acts('authentication-required')],
  ['42', '3DS Authentication Error', acts('authentication-failed')],
  ['46', 'Transaction blocked by Adyen to prevent excessive retry fees', never('blocked')],
]

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')
const BY_CODE = new Map(REASONS.map(([code, , meaning]) => [code, meaning]))
const BY_TEXT = new Map(REASONS.map(([, text, meaning]) => [plain(text), meaning]))

interface Refusal {
  readonly code?: string | undefined
  readonly text?: string | undefined
  /** The code of the card network or of the bank. */
  readonly networkCode?: string | undefined
  /** The advice of the card network. */
  readonly advice?: string | undefined
  readonly brand?: string | undefined
}

export function declineOf({
  code,
  text,
  networkCode,
  ...network
}: Refusal): NonNullable<Snapshot['decline']> {
  const meaning = BY_CODE.get(code ?? '') ?? BY_TEXT.get(plain(text ?? ''))
  const decline = declineBy(meaning, messageOf({ code: code ?? text, message: text, networkCode }))
  return withAdvice(decline, { ...network, response: networkCode })
}
