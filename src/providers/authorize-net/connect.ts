import type { HttpReply } from '../../net/http.ts'
import { type Checked, type CheckPart, checkProblem } from '../check.ts'
import { type Json, textAt, wordAt } from '../kit/json.ts'
import type { AnyMethod } from '../methods/method.ts'
import type { Connected } from '../port.ts'
import { listUnsettled, readMerchant } from './calls.ts'
import { type AuthorizeNetContext, type CallFailure, call, failureOf } from './exchange.ts'
import { EVENT_TYPES, notReady } from './manifest.ts'
import { settingsProblem } from './outcomes.ts'
import { idOf, listOf } from './wire.ts'

/** The list is what lost answers are found in, so an account without it does not work. */
export async function check(ctx: AuthorizeNetContext): Promise<Checked> {
  const listed = await call(ctx, listUnsettled(1, 1))
  if (listed.kind !== 'read') return failed(listed)
  const merchant = await call(ctx, readMerchant)
  if (merchant.kind !== 'read' && !isRefused(merchant)) return failed(merchant)
  const details = merchant.kind === 'read' ? merchant.value : {}
  const problem = accountProblem(ctx, details)
  if (problem !== undefined) return { ok: false, problem, code: 'refused' }
  const missing = notReady(ctx.config)
  if (missing) return { ok: false, problem: missing.problem, code: 'not-ready' }
  const account = idOf(details, 'gatewayId')
  const tested: CheckPart[] = ['credentials']
  if (textsIn(details, 'paymentMethods', 'paymentMethod').length > 0) tested.push('methods')
  if (textsIn(details, 'currencies', 'currency').length > 0) tested.push('currency')
  return { ok: true, tested, ...(account === undefined ? { warnings: [NOT_SHOWN] } : { account }) }
}

const failed = (read: CallFailure): Checked => ({
  ...{ ok: false, problem: settingsProblem(read), code: checkProblem(read) },
})

/** Answered, but not with what was asked for. */
const isRefused = ({ kind, why }: CallFailure): boolean =>
  kind === 'not-done' && why !== 'not-sent' && why !== 'rate-limited'

const NOT_SHOWN =
  'Authorize.Net does not show the details of the account: keys of another account would not be noticed.'

const CARDS = ['Visa', 'MasterCard', 'Discover', 'AmericanExpress', 'DinersClub', 'JCB', 'EnRoute']

/** How the account names what pays for a method. */
const TYPES: Readonly<Partial<Record<AnyMethod, readonly string[]>>> = {
  CreditCard: CARDS,
  ElectronicCheck: ['Echeck'],
}

/** What the account would refuse at the first customer. Without details in the answer: nothing. */
function accountProblem({ profile }: AuthorizeNetContext, details: Json): string | undefined {
  const types = textsIn(details, 'paymentMethods', 'paymentMethod')
  const isOn = (method: AnyMethod): boolean =>
    (TYPES[method] ?? []).some((type) => types.includes(type.toLowerCase()))
  const missing = types.length > 0 ? (profile?.methods ?? []).filter((method) => !isOn(method)) : []
  if (missing.length > 0)
    return (
      `Not turned on at Authorize.Net: ${missing.join(', ')}. ` +
      'Ask Authorize.Net for it, or remove it from the methods of the profile.'
    )
  const currencies = textsIn(details, 'currencies', 'currency')
  if (!profile || currencies.length === 0 || currencies.includes(profile.currency.toLowerCase()))
    return undefined
  const taken = currencies.join(', ').toUpperCase()
  return `The account takes ${taken} only, and the profile is for ${profile.currency}.`
}

/** In lower case: documents of the provider differ in it. */
const textsIn = (details: Json, name: string, item: string): readonly string[] =>
  listOf(details, name, item).flatMap((one) => textAt(one)?.toLowerCase() ?? [])

/** Registers the webhook, unless it is there. The provider does not tell the key that signs notifications. */
export async function connect(ctx: AuthorizeNetContext): Promise<Connected> {
  if (ctx.config.signatureKey === undefined)
    return { ok: false, problem: 'enter the Signature Key of the account first; it signs all notifications.' }
  const listed = await callWebhooks(ctx, { method: 'GET' })
  const unlisted = failureOf(listed, ctx.now())
  if (unlisted) return { ok: false, problem: settingsProblem(unlisted) }
  const endpoints = listed.kind === 'reply' && Array.isArray(listed.body) ? listed.body : []
  const exists = endpoints.some(
    (one) => wordAt(one, 'url') === ctx.notifyUrl && wordAt(one, 'status') === 'active',
  )
  if (exists) return { ok: true, settings: {} }
  const json = { name: 'Tender', url: ctx.notifyUrl, eventTypes: EVENT_TYPES.handled, status: 'active' }
  const refused = failureOf(await callWebhooks(ctx, { method: 'POST', json }), ctx.now())
  return refused ? { ok: false, problem: settingsProblem(refused) } : { ok: true, settings: {} }
}

function callWebhooks(
  ctx: AuthorizeNetContext,
  request: { readonly method: 'GET' | 'POST'; readonly json?: object },
): Promise<HttpReply> {
  const { apiLoginId, transactionKey } = ctx.config
  const basic = Buffer.from(`${apiLoginId}:${transactionKey}`).toString('base64')
  const url = `${ctx.origin}/rest/v1/webhooks`
  return ctx.http.call({ ...request, url, headers: { authorization: `Basic ${basic}` }, signal: ctx.signal })
}
