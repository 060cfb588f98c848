import type { Payment } from '../payment.ts'

/**
 * The columns of `payments`. The statements are derived from these lists. A row with all of them is a
 * `Payment`, see db/rows.ts.
 */

const FROZEN = {
  flow: 'text',
  reference_id: 'text',
  payment_key: 'text',
  amount_minor: 'bigint',
  currency: 'text',
  auto_capture: 'boolean',
  auto_payment: 'text',
  customer_id: 'text',
  return_url: 'text',
  webhook_url: 'text',
  created_time: 'timestamptz',
  expiration_time: 'timestamptz',
  details: 'json',
} as const

const CHANGING = {
  sequence: 'integer',
  state: 'text',
  captured_minor: 'bigint',
  refunded_minor: 'bigint',
  fraud_status: 'text',
  state_time: 'timestamptz',
  attempt: 'integer',
  attempt_key: 'text',
  profile_id: 'bigint',
  method: 'text',
  payment_method_id: 'bigint',
  token_id: 'bigint',
  handles: 'json',
  pay_info: 'json',
  authorised_until: 'timestamptz',
  redirect_url: 'text',
  failure: 'json',
  last_error: 'json',
} as const

const names = (columns: object): string[] => Object.keys(columns)
const typed = (columns: object): string =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')

export const CHANGING_TYPED = typed(CHANGING)
export const ALL_TYPED = typed({ ...FROZEN, ...CHANGING })
export const ALL_NAMES = names({ ...FROZEN, ...CHANGING }).join(', ')
export const SELECTED = `app_id, payment_id, version, ${ALL_NAMES}`
export const CHANGING_SET = names(CHANGING)
  .map((name) => `${name} = i.${name}`)
  .join(', ')
export const ALL_FROM_INPUT = names({ ...FROZEN, ...CHANGING })
  .map((name) => `i.${name}`)
  .join(', ')

/**
 * The changing columns as the JSON input of the statements. A missing member is read as null. Null members
 * are left out, because parsing JSON is a fifth of PostgreSQL's work for a new payment.
 */
export function changingJson(p: Payment) {
  return {
    sequence: p.sequence,
    state: p.state,
    captured_minor: String(p.capturedMinor),
    refunded_minor: String(p.refundedMinor),
    fraud_status: p.fraudStatus,
    state_time: p.stateTime,
    attempt: p.attempt,
    attempt_key: p.attemptKey ?? undefined,
    profile_id: p.profileId ?? undefined,
    method: p.method ?? undefined,
    payment_method_id: p.paymentMethodId ?? undefined,
    token_id: p.tokenId ?? undefined,
    handles: p.handles ?? undefined,
    pay_info: p.payInfo ?? undefined,
    authorised_until: p.authorisedUntil ?? undefined,
    redirect_url: p.redirectUrl ?? undefined,
    failure: p.failure ?? undefined,
    last_error: p.lastError ?? undefined,
  } satisfies Record<keyof typeof CHANGING, unknown>
}

/** The columns that never change, in the same form. */
export function frozenJson(p: Payment) {
  return {
    flow: p.flow,
    reference_id: p.referenceId,
    payment_key: p.paymentKey,
    amount_minor: String(p.amountMinor),
    currency: p.currency,
    auto_capture: p.autoCapture,
    auto_payment: p.autoPayment,
    customer_id: p.customerId,
    return_url: p.returnUrl ?? undefined,
    webhook_url: p.webhookUrl ?? undefined,
    created_time: p.createdTime,
    expiration_time: p.expirationTime ?? undefined,
    details: p.details,
  } satisfies Record<keyof typeof FROZEN, unknown>
}

/** The members of several objects as JSON text. Copying them into one object takes three times as long. */
export function jsonMembers(parts: readonly (object | undefined)[]): string {
  let members = ''
  for (const part of parts) {
    const json = part ? JSON.stringify(part) : '{}'
    if (json !== '{}') members += `${json.slice(1, -1)},`
  }
  return members
}
