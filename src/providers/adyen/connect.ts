import { type Json, listAt, objectAt, textAt, textsAt } from '../kit/json.ts'
import { problemOf as sentenceOf } from '../kit/problem.ts'
import type { ProviderFailure, Read } from '../kit/reply.ts'
import type { Connected } from '../port.ts'
import type { AdyenRequest } from './calls.ts'
import { EVENTS } from './codes.ts'
import { type AdyenContext, call } from './exchange.ts'
import { TEST_ORIGIN } from './manifest.ts'

/** Webhooks are set up by the Management API, which has an address of its own. */
const managementOf = ({ sandbox, origin }: AdyenContext): string => {
  if (sandbox && origin !== TEST_ORIGIN) return `${origin}/v3`
  return `https://management-${sandbox ? 'test' : 'live'}.adyen.com/v3`
}

/**
 * Creates the webhook and a key for it. Adyen shows a key once, so an existing webhook without a key in the
 * profile gets a new one. Old keys stay valid for some time, so they are kept. A webhook that lacks events of
 * ours gets them.
 */
export async function connect(ctx: AdyenContext): Promise<Connected> {
  const { merchantAccount, hmacKeys } = ctx.config
  const path = `/merchants/${encodeURIComponent(merchantAccount)}/webhooks`
  const manage = (request: AdyenRequest) => call(ctx, request, managementOf(ctx))
  const listed = await manage({ method: 'GET', path: `${path}?pageSize=100` })
  if (listed.kind !== 'object') return { ok: false, problem: problemOf(listed) }
  const existing = listAt(listed.object, 'data').find((webhook) => isOurs(webhook, ctx.notifyUrl))
  const made = existing ? await renewed(manage, path, existing) : await created(manage, path, ctx.notifyUrl)
  if (made.kind !== 'object') return { ok: false, problem: problemOf(made) }
  if (existing && hmacKeys.length > 0) return { ok: true, settings: { hmacKey: hmacKeys.join(' ') } }
  const id = textAt(made.object, 'id')
  if (id === undefined) return { ok: false, problem: NO_WEBHOOK }
  const key = await manage({ method: 'POST', path: `${path}/${encodeURIComponent(id)}/generateHmac` })
  const hmacKey = key.kind === 'object' ? textAt(key.object, 'hmacKey') : undefined
  if (hmacKey) return { ok: true, settings: { hmacKey: [hmacKey, ...hmacKeys].slice(0, 4).join(' ') } }
  return { ok: false, problem: key.kind === 'object' ? NO_KEY : problemOf(key) }
}

const NO_WEBHOOK = 'Adyen made no webhook. Create one in the Customer Area and enter its HMAC key.'
const NO_KEY = 'Adyen made no HMAC key. Create one in the Customer Area and enter it in the profile.'

const isOurs = (webhook: Json, url: string): boolean =>
  textAt(webhook, 'url') === url && webhook.active === true && textAt(webhook, 'type') === 'standard'

type Manage = (request: AdyenRequest) => Promise<Read>

/** Details that Adyen leaves out by default: of disputes, the card, its checks, the risk and refusals. */
const PROPERTIES = {
  includeOriginalReferenceForChargebackReversed: true,
  includeCardInfoForRecurringContractNotification: true,
  includeAliasInfo: true,
  includeFundingSource: true,
  includeIssuerCountry: true,
  includeRiskData: true,
  includeThreeDSecureResult: true,
  addAcquirerResult: true,
  addRawAcquirerResult: true,
} as const

/** Only for some accounts: without it the others are still reported. */
const RARE = ['SETTLED_REVERSED']

/** Adyen refuses the whole list because of one event that the account cannot have. */
async function subscribed(send: (codes: readonly string[]) => Promise<Read>): Promise<Read> {
  const made = await send(EVENTS)
  if (made.kind !== 'not-done' || made.why !== 'bad-request') return made
  return send(EVENTS.filter((code) => !RARE.includes(code)))
}

const created = (manage: Manage, path: string, url: string): Promise<Read> =>
  subscribed((includeEventCodes) => {
    const additionalSettings = { includeEventCodes, properties: PROPERTIES }
    const json = { type: 'standard', url, active: true, communicationFormat: 'json', additionalSettings }
    return manage({ method: 'POST', path, json })
  })

async function renewed(manage: Manage, path: string, webhook: Json): Promise<Read> {
  const settings = objectAt(webhook, 'additionalSettings')
  const details = objectAt(settings, 'properties')
  const had = textsAt(settings, 'includeEventCodes')
  const isComplete =
    EVENTS.every((code) => had.includes(code) || RARE.includes(code)) &&
    Object.keys(PROPERTIES).every((name) => details[name] === true)
  const id = textAt(webhook, 'id')
  if (isComplete || id === undefined) return { kind: 'object', object: webhook }
  const patched = await subscribed((wanted) => {
    const includeEventCodes = [...new Set([...had, ...wanted])]
    const additionalSettings = { includeEventCodes, properties: PROPERTIES }
    return manage({
      method: 'PATCH',
      path: `${path}/${encodeURIComponent(id)}`,
      json: { additionalSettings },
    })
  })
  return patched.kind === 'object' ? { kind: 'object', object: webhook } : patched
}

/** What is wrong, in a sentence for the merchant. */
export const problemOf = (failed: ProviderFailure): string => sentenceOf(failed, WORDS)

const WORDS = {
  provider: 'Adyen',
  key: 'the API key',
  denied: 'The API key has no permission for this, or the merchant account is not its own',
}
