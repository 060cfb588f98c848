/** To payers. */
export const PAYER_MAILS = [
  'receipt',
  'refund',
  'payment-pending',
  'payment-failed',
  'method-added',
  'method-removed',
  'card-expiring',
] as const
export type PayerMail = (typeof PAYER_MAILS)[number]

/** To the team, about the app. */
export const TEAM_MAILS = [
  'endpoint-failing',
  'provider-degraded',
  'authorisations-ending',
  'settlements',
  'dispute',
] as const
export type TeamMail = (typeof TEAM_MAILS)[number]
