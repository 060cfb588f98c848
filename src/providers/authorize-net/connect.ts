import type { HttpReply } from '../../net/http.ts'
import { wordAt } from '../kit/json.ts'
import type { Connected } from '../port.ts'
import { type AuthorizeNetContext, failureOf } from './exchange.ts'
import { EVENT_TYPES } from './manifest.ts'
import { settingsProblem } from './outcomes.ts'

/** Registers the webhook, unless it is there. The provider does not tell the key that signs notifications. */
export async function connect(ctx: AuthorizeNetContext): Promise<Connected> {
  if (ctx.config.signatureKey === undefined)
    return { ok: false, problem: 'enter the Signature Key of the account first; it signs all notifications.' }
  const listed = await call(ctx, { method: 'GET' })
  const failed = failureOf(listed, ctx.now())
  if (failed) return { ok: false, problem: settingsProblem(failed) }
  const endpoints = listed.kind === 'reply' && Array.isArray(listed.body) ? listed.body : []
  const exists = endpoints.some(
    (one) => wordAt(one, 'url') === ctx.notifyUrl && wordAt(one, 'status') === 'active',
  )
  if (exists) return { ok: true, settings: {} }
  const json = { name: 'Tender', url: ctx.notifyUrl, eventTypes: EVENT_TYPES.handled, status: 'active' }
  const refused = failureOf(await call(ctx, { method: 'POST', json }), ctx.now())
  return refused ? { ok: false, problem: settingsProblem(refused) } : { ok: true, settings: {} }
}

function call(
  ctx: AuthorizeNetContext,
  request: { readonly method: 'GET' | 'POST'; readonly json?: object },
): Promise<HttpReply> {
  const { apiLoginId, transactionKey } = ctx.config
  const basic = Buffer.from(`${apiLoginId}:${transactionKey}`).toString('base64')
  const url = `${ctx.origin}/rest/v1/webhooks`
  return ctx.http.call({ ...request, url, headers: { authorization: `Basic ${basic}` }, signal: ctx.signal })
}
