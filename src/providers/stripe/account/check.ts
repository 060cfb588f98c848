import { type Checked, checkProblem } from '../../check.ts'
import { type Json, textAt, valueAt } from '../../kit/json.ts'
import { problemOf as sentenceOf } from '../../kit/problem.ts'
import type { ProviderFailure } from '../../kit/reply.ts'
import { call, type StripeContext } from '../exchange.ts'
import { listOne, METHOD_TYPES, readAccount, type StripeMethod } from '../reads.ts'

/** The permissions of a restricted key, with their names at Stripe. A read shows each of them. */
const NEEDED = {
  'Checkout Sessions': '/v1/checkout/sessions',
  PaymentIntents: '/v1/payment_intents',
  'Charges and Refunds': '/v1/refunds',
  'Balance transactions': '/v1/balance_transactions',
  Customers: '/v1/customers',
  Disputes: '/v1/disputes',
} as const

/** Permissions without which something smaller does not work. */
const OPTIONAL = {
  SetupIntents: { path: '/v1/setup_intents', without: 'methods cannot be stored without a payment' },
  Events: { path: '/v1/events', without: 'a payment in review is not released when the review is approved' },
  Payouts: { path: '/v1/payouts', without: 'settlements cannot be read' },
  'Webhook Endpoints': { path: '/v1/webhook_endpoints', without: '`connect` cannot set up notifications' },
} as const

export async function check(ctx: StripeContext): Promise<Checked> {
  const failed = (read: ProviderFailure, what: string): Checked => ({
    ok: false,
    problem: problemOf(read, what),
    code: checkProblem(read),
  })
  for (const [what, path] of Object.entries(NEEDED)) {
    const read = await call(ctx, listOne(path))
    if (read.kind !== 'object') return failed(read, what)
  }
  const warnings: string[] = []
  for (const [what, { path, without }] of Object.entries(OPTIONAL)) {
    const read = await call(ctx, listOne(path))
    if (read.kind === 'object') continue
    if (!isRefused(read)) return failed(read, what)
    warnings.push(`The key has no permission for "${what}": ${without}.`)
  }
  const account = await call(ctx, readAccount)
  if (account.kind !== 'object') {
    if (!isRefused(account)) return failed(account, 'Account')
    warnings.push('The key may not read the account: a key of another account would not be noticed.')
  } else {
    const problem = accountProblem(ctx, account.object)
    if (problem) return { ok: false, problem, code: 'refused' }
  }
  const id = account.kind === 'object' ? textAt(account.object, 'id') : undefined
  const hasCapabilities = account.kind === 'object' && valueAt(account.object, 'capabilities') !== undefined
  return {
    ok: true,
    tested: ['credentials', 'permissions', ...(hasCapabilities ? (['methods'] as const) : [])],
    ...(id ? { account: id } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

/** Answered, but not with what was asked for. */
const isRefused = (failed: ProviderFailure): boolean =>
  failed.kind === 'not-done' && failed.why !== 'not-sent' && failed.why !== 'rate-limited'

/** The capability of each method, and its name in the Dashboard. */
const CAPABILITIES: Readonly<Record<StripeMethod, { readonly capability: string; readonly name: string }>> = {
  CreditCard: { capability: 'card_payments', name: 'cards' },
  ElectronicCheck: { capability: 'us_bank_account_ach_payments', name: 'ACH debits' },
}

/** What the account would refuse at the first customer. Without capabilities in the reply: nothing. */
function accountProblem({ profile, sandbox }: StripeContext, account: Json): string | undefined {
  if (!sandbox && account.charges_enabled === false)
    return 'The Stripe account cannot take payments yet: complete its activation in the Dashboard.'
  for (const method of Object.keys(METHOD_TYPES) as StripeMethod[]) {
    const { capability, name } = CAPABILITIES[method]
    const state = textAt(account, 'capabilities', capability) ?? missingState(account, method)
    if (profile?.methods.includes(method) && state !== undefined && state !== 'active')
      return (
        `The Stripe account cannot take ${name} (${state}). Turn them on in the Dashboard under Settings, ` +
        `Payment methods, or remove ${method} from the methods of the profile.`
      )
  }
  return undefined
}

/** Accounts have the capabilities that were requested for them; cards are always among these. */
const missingState = (account: Json, method: StripeMethod): string | undefined =>
  method !== 'CreditCard' && textAt(account, 'capabilities', CAPABILITIES.CreditCard.capability)
    ? 'not requested'
    : undefined

/** What is wrong, in a sentence for the merchant. `what` is the permission of a restricted key. */
export function problemOf(failed: ProviderFailure, what: string): string {
  if (failed.kind === 'not-done' && failed.why === 'bad-credentials' && failed.raw?.status === 403)
    return `The key has no permission for "${what}".`
  return sentenceOf(failed, { provider: 'Stripe', key: 'the key', denied: '' })
}
