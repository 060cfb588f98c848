import type { Connected } from '../port.ts'
import type { AdyenRequest } from './calls.ts'
import { type AdyenContext, type AdyenFailure, ask } from './exchange.ts'
import { TEST_ORIGIN } from './manifest.ts'
import { type AdyenJson, listAt, textAt } from './wire.ts'

/** Webhooks are set up by the Management API, which has an address of its own. */
const managementOf = ({ sandbox, origin }: AdyenContext): string => {
  if (sandbox && origin !== TEST_ORIGIN) return `${origin}/v3`
  return `https://management-${sandbox ? 'test' : 'live'}.adyen.com/v3`
}

/**
 * Creates the webhook and a key for it. Adyen shows a key once, so an existing webhook without a key in the
 * profile gets a new one. Old keys stay valid for some time, so they are kept.
 */
export async function connect(ctx: AdyenContext): Promise<Connected> {
  const { merchantAccount, hmacKeys } = ctx.config
  const path = `/merchants/${encodeURIComponent(merchantAccount)}/webhooks`
  const manage = (request: AdyenRequest) => ask(ctx, request, managementOf(ctx))
  const listed = await manage({ method: 'GET', path: `${path}?pageSize=100` })
  if (listed.kind !== 'object') return { ok: false, problem: problemOf(listed) }
  const existing = listAt(listed.object, 'data').find((webhook) => isOurs(webhook, ctx.notifyUrl))
  if (existing && hmacKeys.length > 0) return { ok: true, settings: { hmacKey: hmacKeys.join(' ') } }
  const made = existing ?? (await create(manage, path, ctx.notifyUrl))
  const id = textAt(made, 'id')
  if (id === undefined) return { ok: false, problem: problemOf(made as AdyenFailure) }
  const key = await manage({ method: 'POST', path: `${path}/${encodeURIComponent(id)}/generateHmac` })
  const hmacKey = key.kind === 'object' ? textAt(key.object, 'hmacKey') : undefined
  if (hmacKey) return { ok: true, settings: { hmacKey: [hmacKey, ...hmacKeys].slice(0, 4).join(' ') } }
  return { ok: false, problem: key.kind === 'object' ? NO_KEY : problemOf(key) }
}

const NO_KEY = 'Adyen made no HMAC key. Create one in the Customer Area and enter it in the profile.'

const isOurs = (webhook: AdyenJson, url: string): boolean =>
  textAt(webhook, 'url') === url && webhook.active === true && textAt(webhook, 'type') === 'standard'

async function create(
  manage: (request: AdyenRequest) => ReturnType<typeof ask>,
  path: string,
  url: string,
): Promise<AdyenJson | AdyenFailure> {
  const json = { type: 'standard', url, active: true, communicationFormat: 'json' }
  const made = await manage({ method: 'POST', path, json })
  return made.kind === 'object' ? made.object : made
}

/** What is wrong, in a sentence for the merchant. */
export function problemOf(failed: AdyenFailure): string {
  const { raw } = failed
  const says = raw?.message ? `: ${raw.message}` : '.'
  if (failed.kind === 'not-done' && failed.why === 'bad-credentials')
    return raw?.status === 403
      ? `The API key has no permission for this, or the merchant account is not its own${says}`
      : `Adyen does not accept the API key${says}`
  if (failed.kind === 'not-done' && failed.why === 'not-sent') return 'Adyen could not be reached.'
  if (failed.kind === 'not-done' && failed.why === 'rate-limited')
    return 'Adyen was asked too often; try again.'
  return `Adyen answered with an error${says}`
}
