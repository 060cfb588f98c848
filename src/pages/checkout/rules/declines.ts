import type { PageTexts } from '../../i18n/en/checkout.ts'

/**
 * Pure: a provider's reason as something the payer can act on. Lost, stolen and fraud look like any
 * refusal.
 */
type Group = keyof PageTexts['declines']

const GROUPS: Readonly<Record<string, Group>> = {
  'insufficient-funds': 'insufficient',
  'expired-card': 'expired',
  'incorrect-cvc': 'code',
  'incorrect-number': 'number',
  'limit-exceeded': 'limit',
  'card-not-supported': 'unsupported',
  'currency-not-supported': 'unsupported',
  'authentication-required': 'identity',
  'authentication-failed': 'identity',
  'incorrect-address': 'account',
  'account-closed': 'account',
  'no-account': 'account',
  'debit-not-authorised': 'account',
  'mandate-revoked': 'account',
  'method-removed': 'removed',
  'issuer-unavailable': 'trouble',
  'processing-error': 'trouble',
  provider_rejected: 'trouble',
  'customer-cancelled': 'cancelled',
  expired: 'late',
  underpaid: 'underpaid',
}

const groupOf = (declined: string): Group => GROUPS[declined] ?? 'refused'

export function declineText(texts: PageTexts, declined: string, merchant: string): string {
  const text = texts.declines[groupOf(declined)]
  return typeof text === 'function' ? text(merchant) : text
}

/** Part of the money may have arrived: then it would be untrue to say that nothing was taken. */
export const nothingTaken = (declined: string): boolean => groupOf(declined) !== 'underpaid'

/** With these the same card or account may work when it is tried again. */
const SAME_AGAIN = new Set<Group>(['code', 'number', 'identity', 'trouble', 'cancelled', 'late', 'account'])

/** Whether the same card, account or stored method is proposed again. */
export const worthRepeating = (declined: string): boolean => SAME_AGAIN.has(groupOf(declined))
