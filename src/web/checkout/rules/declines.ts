import type { PageTexts } from '../../kit/i18n/languages.ts'

/**
 * Pure: maps decline reasons to texts that the payer can act on. Lost, stolen and fraud are shown as a
 * generic refusal.
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
  return typeof text === 'function' ? text({ merchant }) : text
}

/** False for an underpaid payment: part of the money has arrived. */
export const nothingTaken = (declined: string): boolean => groupOf(declined) !== 'underpaid'

/** Reasons after which the same card or account may still work. */
const RETRYABLE = new Set<Group>(['code', 'number', 'identity', 'trouble', 'cancelled', 'late', 'account'])

/** Whether to preselect the same card, account or stored method again. */
export const worthRepeating = (declined: string): boolean => RETRYABLE.has(groupOf(declined))
