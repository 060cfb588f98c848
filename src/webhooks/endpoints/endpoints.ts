import { assert } from '../../base/assert.ts'
import { after } from '../../base/clock.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import { appPart, newWebhookSecret } from '../../base/ids.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { auditApp, changedMembers } from '../../merchants/app-audit.ts'
import { changeApp } from '../../merchants/apps/commands.ts'
import { forgetApp, loadApp } from '../../merchants/directory.ts'
import { healthOf, rotateSigningSecret, sendTest } from '../commands.ts'
import type { Health } from '../delivery/health.ts'
import { WRITTEN } from '../delivery/topics.ts'
import { withoutQuery } from '../delivery/try-record.ts'
import {
  addFurther,
  changeFirst,
  changeFurther,
  countFurther,
  dropDeliveries,
  type FurtherChanges,
  type FurtherEndpoint,
  forgetHealth,
  listFurther,
  removeFurther,
  rotateFurther,
} from '../endpoint-store.ts'
import type { TriedDelivery } from '../list-store.ts'
import { WEBHOOKS } from '../schedule.ts'

/**
 * The webhook endpoints of an app. The first one is the address in the settings of the app; further ones are
 * rows of their own, each with its secret, queue and health. Decision 0180.
 */
export interface WebhookEndpoint {
  /** 0: the first one. */
  readonly number: number
  readonly endpointId: string
  readonly url: string
  readonly authScheme: string | null
  readonly hasAuthParameter: boolean
  /** Null: every state. */
  readonly states: readonly string[] | null
  /** Null: every kind. */
  readonly kinds: readonly string[] | null
  readonly isPaused: boolean
  readonly createdTime: Date
  /** Undefined: it answers, or was not tried. */
  readonly health: Health | undefined
}

const firstId = ({ appId }: App): string => `we_${appPart(appId)}`

/** The number of an endpoint id; undefined for one that no endpoint of this app can have. */
export function readEndpointId(app: App, text: string): number | undefined {
  if (text === firstId(app)) return 0
  const [, number] = /^we_([1-9]\d{0,8})$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number)
}

function firstOf(app: App): Omit<WebhookEndpoint, 'health'> | undefined {
  if (app.paymentWebhookUrl === null) return undefined
  return {
    number: 0,
    endpointId: firstId(app),
    url: app.paymentWebhookUrl,
    authScheme: app.webhookAuthScheme,
    hasAuthParameter: app.webhookAuthParameter !== null,
    states: app.webhookStates,
    kinds: app.webhookKinds,
    isPaused: app.isWebhookPaused,
    createdTime: app.createdTime,
  }
}

const furtherOf = (row: FurtherEndpoint): Omit<WebhookEndpoint, 'health'> => ({
  number: row.endpointId,
  endpointId: row.endpoint,
  url: row.url,
  authScheme: row.authScheme,
  hasAuthParameter: row.authParameter !== null,
  states: row.states,
  kinds: row.kinds,
  isPaused: row.isPaused,
  createdTime: row.createdTime,
})

/** Health rows that are read: payments may have addresses of their own, which fail too. */
const MAX_HEALTH = 1_000

/** The first one, if the app has an address, then the others in the order in which they were made. */
export async function listEndpoints(ctx: Pick<Context, 'db'>, app: App): Promise<WebhookEndpoint[]> {
  const [further, failing] = await Promise.all([
    listFurther(ctx.db, app.appId),
    healthOf(ctx, app, MAX_HEALTH),
  ])
  const first = firstOf(app)
  return [...(first ? [first] : []), ...further.map(furtherOf)].map((one) => ({
    ...one,
    health: failing.find(
      ({ endpoint, url }) =>
        endpoint === (one.number === 0 ? '' : one.endpointId) && url === withoutQuery(one.url),
    ),
  }))
}

/** Throws 404, also for an endpoint of another app. */
export async function getEndpoint(
  ctx: Pick<Context, 'db'>,
  app: App,
  endpointId: string,
): Promise<WebhookEndpoint> {
  const number = readEndpointId(app, endpointId)
  const found = (await listEndpoints(ctx, app)).find((one) => one.number === number)
  if (!found) throw unknownEndpoint()
  return found
}

const unknownEndpoint = () => notFound('The webhook endpoint')

export interface EndpointInput {
  readonly url: string
  readonly authScheme: string | null
  readonly authParameter: string | null
  readonly states: readonly string[] | null
  readonly kinds: readonly string[] | null
  readonly isPaused: boolean
}

/** An endpoint with its secret, which is shown once. */
export interface ShownEndpoint {
  readonly endpoint: WebhookEndpoint
  readonly secret: string
}

/** Adds an endpoint behind the first one. It receives events from now on. */
export async function addEndpoint(ctx: Context, app: App, input: EndpointInput): Promise<ShownEndpoint> {
  const secret = newWebhookSecret(ctx.random)
  const { url, authScheme, states, kinds, isPaused } = input
  const row = await ctx.db.transaction(async (tx) => {
    if ((await countFurther(tx, app.appId)) + 1 >= WEBHOOKS.maxEndpoints)
      throw new ApiError(
        'too_many_webhook_endpoints',
        `An app has at most ${WEBHOOKS.maxEndpoints} webhook endpoints. Remove one first.`,
      )
    const added = await addFurther(tx, app.appId, {
      ...{ url, authScheme, states, kinds, isPaused },
      authParameter: input.authParameter ? ctx.vault.seal(input.authParameter) : null,
      secret: ctx.vault.seal(secret),
      createdTime: appNow(ctx, app),
    })
    assert(added, 'an insert returns its row')
    const told = { url: withoutQuery(url), states, kinds, isPaused }
    await auditEndpoint(ctx, tx, app, {
      action: 'webhook_endpoint.created',
      endpointId: added.endpoint,
      after: told,
    })
    return added
  })
  return { endpoint: { ...furtherOf(row), health: undefined }, secret }
}

/** Absent fields stay unchanged; null clears. */
export interface EndpointPatch {
  readonly url?: string | undefined
  readonly authScheme?: string | null | undefined
  readonly authParameter?: string | null | undefined
  readonly states?: readonly string[] | null | undefined
  readonly kinds?: readonly string[] | null | undefined
  readonly isPaused?: boolean | undefined
}

export async function changeEndpoint(
  ctx: Context,
  app: App,
  endpointId: string,
  patch: EndpointPatch,
): Promise<WebhookEndpoint> {
  const before = await getEndpoint(ctx, app, endpointId)
  if (before.number === 0) await changeFirstEndpoint(ctx, app, before, patch)
  else await changeFurtherEndpoint(ctx, app, before, patch)
  // What a pause collected is sent.
  if (before.isPaused && patch.isPaused === false) ctx.signals.wake(WRITTEN)
  return await getEndpoint(ctx, (await loadApp(ctx, app.appId)) ?? app, endpointId)
}

/** The address and the header are settings of the app, and changed as such. */
async function changeFirstEndpoint(
  ctx: Context,
  app: App,
  before: WebhookEndpoint,
  { url, authScheme, authParameter, states, kinds, isPaused }: EndpointPatch,
): Promise<void> {
  const patched = <Value>(value: Value | undefined) => (value === undefined ? null : { value })
  if (url !== undefined || authScheme !== undefined || authParameter !== undefined)
    await changeApp(
      ctx,
      app,
      {
        paymentWebhookUrl: patched(url),
        webhookAuthorizationHeaderScheme: patched(authScheme),
        webhookAuthorizationHeaderParameter: patched(authParameter),
      },
      {},
    )
  const changes = { states, kinds, isPaused }
  await writeChange(ctx, app, { before, changes, write: (tx) => changeFirst(tx, app.appId, changes) })
  forgetApp(ctx, app.appId)
}

async function changeFurtherEndpoint(
  ctx: Context,
  app: App,
  before: WebhookEndpoint,
  { url, authScheme, authParameter, states, kinds, isPaused }: EndpointPatch,
): Promise<void> {
  const sealed = authParameter
    ? ctx.vault.seal(authParameter)
    : authParameter === undefined
      ? undefined
      : null
  const changes: FurtherChanges = { url, authScheme, authParameter: sealed, states, kinds, isPaused }
  const write = async (tx: Queryable) => {
    if (!(await changeFurther(tx, app.appId, before.number, changes))) throw unknownEndpoint()
  }
  await writeChange(ctx, app, { before, changes, write })
}

interface EndpointChange {
  readonly before: WebhookEndpoint
  readonly changes: FurtherChanges
  readonly write: (tx: Queryable) => Promise<void>
}

async function writeChange(ctx: Context, app: App, change: EndpointChange): Promise<void> {
  const { before, changes, write } = change
  const { endpointId } = before
  await ctx.db.transaction(async (tx) => {
    await write(tx)
    if (changes.url !== undefined || changes.isPaused)
      await forgetHealth(tx, app.appId, before.number === 0 ? '' : endpointId)
    const bare = changes.url === undefined ? {} : { url: withoutQuery(changes.url) }
    const changed = changedMembers({ ...before, url: withoutQuery(before.url) }, { ...changes, ...bare })
    if (changed)
      await auditEndpoint(ctx, tx, app, { action: 'webhook_endpoint.changed', endpointId, ...changed })
  })
}

/** Deliveries of a removed endpoint that are dropped at once; a claim drops the rest. */
const DROPPED_AT_ONCE = 10_000

/** The first one leaves the app without an address. What is in flight ends; nothing more is sent. */
export async function removeEndpoint(ctx: Context, app: App, endpointId: string): Promise<void> {
  const endpoint = await getEndpoint(ctx, app, endpointId)
  const { number, url } = endpoint
  if (number === 0) {
    await changeApp(ctx, app, { paymentWebhookUrl: { value: null } }, {})
    await changeFirstEndpoint(ctx, app, endpoint, { states: null, kinds: null, isPaused: false })
    return
  }
  await ctx.db.transaction(async (tx) => {
    if (!(await removeFurther(tx, app.appId, number))) throw unknownEndpoint()
    await forgetHealth(tx, app.appId, endpointId)
    const before = { url: withoutQuery(url) }
    await auditEndpoint(ctx, tx, app, { action: 'webhook_endpoint.removed', endpointId, before })
  })
  let dropped = 0
  let last: number
  do {
    last = await dropDeliveries(ctx.db, app.appId, { endpointId: number, limit: WEBHOOKS.readyBatch })
    dropped += last
  } while (last === WEBHOOKS.readyBatch && dropped < DROPPED_AT_ONCE)
}

/** Sends a test event to this endpoint alone, also while it is paused. */
export async function testEndpoint(ctx: Context, app: App, endpointId: string): Promise<TriedDelivery> {
  const { number } = await getEndpoint(ctx, app, endpointId)
  return await sendTest(
    ctx,
    app,
    number === 0 ? { endpointId: 0, endpoint: '' } : { endpointId: number, endpoint: endpointId },
  )
}

export interface NewEndpointSecret {
  /** Shown once. */
  readonly secret: string
  readonly previousValidUntil: Date
}

/** Replaces the secret of one endpoint. Both sign for a day. */
export async function rotateEndpointSecret(
  ctx: Context,
  app: App,
  endpointId: string,
): Promise<NewEndpointSecret> {
  const { number } = await getEndpoint(ctx, app, endpointId)
  if (number === 0) {
    const { webhookSecret, previousValidUntil } = await rotateSigningSecret(ctx, app)
    return { secret: webhookSecret, previousValidUntil }
  }
  const secret = newWebhookSecret(ctx.random)
  const previousValidUntil = after(appNow(ctx, app), WEBHOOKS.rotationMs)
  const rotated = { sealed: ctx.vault.seal(secret), previousUntil: previousValidUntil }
  await ctx.db.transaction(async (tx) => {
    if (!(await rotateFurther(tx, app.appId, number, rotated))) throw unknownEndpoint()
    await auditEndpoint(ctx, tx, app, { action: 'webhook_endpoint.secret_rotated', endpointId })
  })
  return { secret, previousValidUntil }
}

interface EndpointEntry {
  readonly action: string
  readonly endpointId: string
  readonly before?: object
  readonly after?: object
}

const auditEndpoint = (
  ctx: Context,
  tx: Queryable,
  app: App,
  { endpointId, ...entry }: EndpointEntry,
): Promise<void> => auditApp(ctx, tx, app, { ...entry, target: `webhook_endpoint:${endpointId}` })
