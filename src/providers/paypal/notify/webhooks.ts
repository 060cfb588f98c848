import { after, DAY } from '../../../base/clock.ts'
import { type Checked, checkProblem } from '../../check.ts'
import { itemsAt, textAt, valueAt } from '../../kit/json.ts'
import { isSuccess } from '../../kit/reply.ts'
import type { NotDone, Unknown } from '../../outcome.ts'
import type { Connected } from '../../port.ts'
import { callApi, type PaypalCall, type PaypalContext, type PaypalReply } from '../api.ts'
import { listTransactions } from '../calls.ts'
import { EVENTS } from '../enumerations.ts'
import { messageIn } from '../refusals.ts'

/** The webhook of a profile, and whether its settings work. */

const WEBHOOKS = '/v1/notifications/webhooks'

export async function check(ctx: PaypalContext): Promise<Checked> {
  const { webhookId } = ctx.config
  const path = webhookId === undefined ? WEBHOOKS : `${WEBHOOKS}/${webhookId}`
  const reply = await callApi(ctx, { method: 'GET', path })
  const isUnknown = reply.kind === 'reply' && reply.status === 404
  const shown = isDone(reply) ? (valueAt(reply.body, 'webhooks') ?? valueAt(reply.body, 'id')) : undefined
  if (shown !== undefined)
    return {
      ...{ ok: true, tested: ['credentials', 'permissions'] },
      ...(await accountOf(ctx)),
      ...(await warningsOf(ctx)),
    }
  if (webhookId !== undefined && isUnknown)
    return {
      ok: false,
      problem: 'The REST app has no webhook with this id. Connect the profile again.',
      code: 'not-found',
    }
  const code = reply.kind !== 'reply' ? checkProblem(reply) : reply.status === 403 ? 'permission' : 'refused'
  return { ok: false, problem: problemOf(reply), code }
}

/** The account that the REST app belongs to, if PayPal tells it to this app. */
async function accountOf(ctx: PaypalContext): Promise<{ account?: string }> {
  const path = '/v1/identity/oauth2/userinfo?schema=paypalv1.1'
  const reply = await callApi(ctx, { method: 'GET', path })
  const account = isDone(reply) ? textAt(reply.body, 'payer_id') : undefined
  return account !== undefined && /^[0-9A-Za-z]{5,30}$/.test(account) ? { account } : {}
}

async function warningsOf(ctx: PaypalContext): Promise<{ warnings?: readonly string[] }> {
  const day = { from: after(ctx.now(), -DAY), until: ctx.now() }
  const warnings = [
    ...((await isDenied(ctx, { method: 'GET', path: '/v1/customer/disputes?page_size=1' }))
      ? [NO_DISPUTES]
      : []),
    ...((await isDenied(ctx, listTransactions(day, 1))) ? [NO_SEARCH] : []),
  ]
  return warnings.length > 0 ? { warnings } : {}
}

const NO_DISPUTES = 'The REST app may not read disputes: turn on Customer disputes under its features.'
const NO_SEARCH =
  'The REST app may not search transactions (reporting/search/read), which settlements need: turn on ' +
  'Transaction search under its features. It works some hours later.'

async function isDenied(ctx: PaypalContext, call: PaypalCall): Promise<boolean> {
  const reply = await callApi(ctx, call)
  return reply.kind === 'reply' && reply.status === 403
}

const isDone = (reply: PaypalReply | NotDone | Unknown): reply is PaypalReply =>
  reply.kind === 'reply' && isSuccess(reply.status)

/** Uses the webhook of this address if there is one, else creates it. */
export async function connect(ctx: PaypalContext): Promise<Connected> {
  const listed = await callApi(ctx, { method: 'GET', path: WEBHOOKS })
  if (!isDone(listed)) return { ok: false, problem: problemOf(listed) }
  const known = itemsAt(listed.body, 'webhooks')?.find((one) => valueAt(one, 'url') === ctx.notifyUrl)
  const knownId = textAt(known, 'id')
  const events = await takenEvents(ctx)
  if (knownId !== undefined) return renew(ctx, knownId, events)
  const json = { url: ctx.notifyUrl, event_types: events }
  const made = await callApi(ctx, { method: 'POST', path: WEBHOOKS, json })
  const webhookId = isDone(made) ? textAt(made.body, 'id') : undefined
  return webhookId === undefined
    ? { ok: false, problem: problemOf(made) }
    : { ok: true, settings: { webhookId } }
}

interface EventType {
  readonly name: string
}

/** One name that PayPal does not take would refuse the whole webhook, so only names of its list are sent. */
async function takenEvents(ctx: PaypalContext): Promise<readonly EventType[]> {
  const listed = await callApi(ctx, { method: 'GET', path: '/v1/notifications/webhooks-event-types' })
  const types = isDone(listed) ? (itemsAt(listed.body, 'event_types') ?? []) : []
  const names = new Set(types.map((type) => valueAt(type, 'name')))
  const taken = EVENTS.filter((name) => names.has(name))
  return (taken.length > 0 ? taken : EVENTS.filter((name) => !UNPUBLISHED.test(name))).map((name) => ({
    name,
  }))
}
const UNPUBLISHED = /^PAYMENT\.REFUND\./

/** An older webhook may lack events. */
async function renew(
  ctx: PaypalContext,
  webhookId: string,
  events: readonly EventType[],
): Promise<Connected> {
  const text = JSON.stringify([{ op: 'replace', path: '/event_types', value: events }])
  const changed = await callApi(ctx, { method: 'PATCH', path: `${WEBHOOKS}/${webhookId}`, text })
  return isDone(changed) ? { ok: true, settings: { webhookId } } : { ok: false, problem: problemOf(changed) }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  WEBHOOK_NUMBER_LIMIT_EXCEEDED:
    'The REST app has as many webhooks as PayPal allows. Delete one that is not used.',
  VALIDATION_ERROR: 'PayPal does not accept the address of this service: it must be https on port 443.',
}

function problemOf(reply: PaypalReply | NotDone | Unknown): string {
  if (reply.kind === 'reply') {
    const { code } = messageIn(reply)
    if (reply.status === 403)
      return 'The REST app lacks the permission for this. Check its features at PayPal.'
    return PROBLEMS[code ?? ''] ?? `PayPal refuses: ${code ?? `status ${reply.status}`}.`
  }
  if (reply.kind === 'unknown') return 'PayPal did not answer. Try again later.'
  switch (reply.why) {
    case 'bad-credentials':
      return 'PayPal rejects the client id or the secret. Sandbox and live have different ones.'
    case 'rate-limited':
      return 'PayPal limits requests now. Try again later.'
    default:
      return 'PayPal cannot be reached. Try again later.'
  }
}
