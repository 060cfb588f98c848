import { createHash } from 'node:crypto'
import { after, DAY } from '../../base/clock.ts'
import { type AccountMethods, type Checked, type CheckPart, checkProblem } from '../check.ts'
import { itemsAt, type Json, listAt, textAt, textsAt } from '../kit/json.ts'
import { problemOf as sentenceOf } from '../kit/problem.ts'
import { type ProviderFailure, withoutDecline } from '../kit/reply.ts'
import { namedMethod } from '../methods/catalogue.ts'
import type { AnyMethod } from '../methods/method.ts'
import type { Connected } from '../port.ts'
import {
  createSubscription,
  listNewest,
  listPayouts,
  listSubscriptions,
  readLocation,
  readSubscription,
  updateSubscription,
} from './calls.ts'
import { EVENTS } from './enumerations.ts'
import { call, callFor, type SquareContext } from './exchange.ts'
import { manifest } from './manifest.ts'
import { isId } from './wire.ts'

export async function check(ctx: SquareContext): Promise<Checked> {
  const { locationId } = ctx.config
  const read = await call(ctx, listNewest(locationId))
  if (read.kind !== 'object') return { ok: false, problem: problemOf(read), code: checkProblem(read) }
  const shown = await callFor(ctx, readLocation(locationId), 'location')
  // The token may lack the permission to read locations, which payments do not need.
  const warnings = [...(shown.kind === 'object' ? [] : [NOT_SHOWN]), ...(await payoutWarnings(ctx))]
  const warned = warnings.length > 0 ? { warnings } : {}
  if (shown.kind !== 'object') return { ok: true, tested: ['credentials'], ...warned }
  const problem = locationProblem(shown.object, ctx.profile?.currency)
  if (problem !== undefined) return { ok: false, problem, code: 'refused' }
  const account = textAt(shown.object, 'merchant_id')
  const tested: CheckPart[] = ['credentials']
  if (itemsAt(shown.object, 'capabilities')) tested.push('methods')
  if (textAt(shown.object, 'currency')) tested.push('currency')
  return { ok: true, tested, ...(account ? { account } : {}), ...warned }
}

/**
 * What a location can take on its pages: cards by its capabilities. Square offers the others to sellers with
 * cards in the country and the currency of the method, and tells nothing more.
 */
export async function accountMethods(ctx: SquareContext): Promise<AccountMethods> {
  const read = await callFor(ctx, readLocation(ctx.config.locationId), 'location')
  if (read.kind !== 'object') return withoutDecline(read)
  const [country, currency] = [textAt(read.object, 'country'), textAt(read.object, 'currency')]
  const takesCards = itemsAt(read.object, 'capabilities')?.includes('CREDIT_CARD_PROCESSING') ?? true
  const has = (list: readonly string[], value: string | undefined) =>
    list.length === 0 || value === undefined || list.includes(value)
  const methods = (Object.keys(manifest.methods) as AnyMethod[]).filter((method) => {
    const { countries = [], currencies = [] } = namedMethod(method) ?? {}
    return takesCards && has(countries, country) && has(currencies, currency)
  })
  return { kind: 'methods', methods }
}

async function payoutWarnings(ctx: SquareContext): Promise<string[]> {
  const day = { from: after(ctx.now(), -DAY), until: ctx.now() }
  const read = await call(ctx, listPayouts(ctx.config.locationId, day, undefined))
  return read.kind !== 'object' && checkProblem(read) === 'permission' ? [NO_PAYOUTS] : []
}

const NO_PAYOUTS = 'The access token may not read payouts (PAYOUTS_READ), which settlements need.'
const NOT_SHOWN = 'The access token may not read the location (MERCHANT_PROFILE_READ), so it was not checked.'

/** Why the location cannot take payments in the currency of the profile. */
function locationProblem(location: Json, wanted: string | undefined): string | undefined {
  const [currency, status] = [textAt(location, 'currency'), textAt(location, 'status')]
  if (status !== undefined && status !== 'ACTIVE') return 'The location is not active at Square.'
  if (wanted !== undefined && currency !== undefined && currency !== wanted)
    return `The location takes ${currency} only, and the profile is for ${wanted}.`
  if (itemsAt(location, 'capabilities')?.includes('CREDIT_CARD_PROCESSING') === false)
    return 'The location cannot take cards yet: activate card payments in the Square Dashboard.'
  return undefined
}

/** Creates the webhook subscription, unless it is there, and takes its signature key. */
export async function connect(ctx: SquareContext): Promise<Connected> {
  const existing = await findSubscription(ctx)
  if ('kind' in existing) return { ok: false, problem: problemOf(existing as ProviderFailure) }
  const id = textAt(existing, 'id')
  const made = isId(id) ? await renewed(ctx, existing, id) : await create(ctx)
  if (made.kind !== 'object') return { ok: false, problem: problemOf(made) }
  const key = textAt(made.object, 'signature_key') ?? ctx.config.webhookSignatureKey
  return key ? { ok: true, settings: { webhookSignatureKey: key } } : { ok: false, problem: NO_KEY }
}

const NO_KEY =
  'Square did not tell the signature key. Copy it from the Developer Console under Webhooks, Subscriptions.'

const MAX_PAGES = 10

/** An empty object if there is none. */
async function findSubscription(ctx: SquareContext): Promise<Json | ProviderFailure> {
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const read = await call(ctx, listSubscriptions(cursor))
    if (read.kind !== 'object') return read
    const found = listAt(read.object, 'subscriptions').find(
      (one) => textAt(one, 'notification_url') === ctx.notifyUrl && one.enabled !== false,
    )
    cursor = textAt(read.object, 'cursor')
    if (found || cursor === undefined) return found ?? {}
  }
  return {}
}

/** A subscription of an earlier version may lack events. */
async function renewed(ctx: SquareContext, listed: Json, id: string) {
  const known = textsAt(listed, 'event_types')
  if (EVENTS.every((name) => known.includes(name))) return withKey(ctx, listed, id)
  const events = [...new Set([...known, ...EVENTS])]
  const changed = await callFor(ctx, updateSubscription(id, events), 'subscription')
  return changed.kind === 'object' ? withKey(ctx, changed.object, id) : changed
}

/** A list may leave the signature key out. */
async function withKey(ctx: SquareContext, listed: Json, id: string) {
  if (textAt(listed, 'signature_key')) return { kind: 'object', object: listed } as const
  const read = await callFor(ctx, readSubscription(id), 'subscription')
  return read.kind === 'not-done' && read.why === 'not-found'
    ? ({ kind: 'object', object: listed } as const)
    : read
}

/** The key depends on the address and the hour: two requests at the same time make one subscription. */
function create(ctx: SquareContext) {
  const hour = ctx.now().toISOString().slice(0, 13)
  const key = createHash('sha256').update(`${hour} ${ctx.notifyUrl}`).digest('hex').slice(0, 40)
  return callFor(ctx, createSubscription(key, ctx.notifyUrl), 'subscription')
}

/** What is wrong, in a sentence for the merchant. */
function problemOf(failed: ProviderFailure): string {
  const { raw } = failed
  if (failed.kind === 'not-done' && failed.why === 'bad-credentials' && raw?.code?.includes('LOCATION'))
    return `Square does not know the location for this token${raw.message ? `: ${raw.message}` : '.'}`
  return sentenceOf(failed, WORDS)
}

const WORDS = {
  provider: 'Square',
  key: 'the access token',
  denied: 'The access token has no permission for this',
}
