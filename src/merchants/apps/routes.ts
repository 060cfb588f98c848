import Type, { type Static } from 'typebox'
import { assert } from '../../base/assert.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { IdInput, Instant, name, patchOf, readId, readPatch, text, UrlOrNothing } from '../../http/wire.ts'
import type { App } from '../app.ts'
import { appRoute } from '../app-route.ts'
import { forgetApp, loadApp } from '../directory.ts'
import { type AppChanges, updateApp } from './store.ts'

const Nullable = Type.Union([Type.String(), Type.Null()])

const AppAnswer = Type.Object(
  {
    appId: Type.String(),
    friendlyName: Type.String(),
    isSandbox: Type.Boolean(),
    isActive: Type.Boolean(),
    createdTime: Instant,
    isSetupCompleted: Type.Boolean({ description: 'A provider profile is active.' }),
    isConnectFirstGateway: Type.Boolean({ description: 'A provider profile exists.' }),
    hasFirstCapturePayment: Type.Boolean(),
    defaultFraudPolicyId: Type.Union([Type.Integer(), Type.Null()]),
    checkoutMethods: Type.Array(Type.String()),
    webhookSettings: Type.Object({
      paymentWebhookUrl: Nullable,
      webhookAuthorizationHeaderScheme: Nullable,
      webhookAuthorizationHeaderParameter: Type.Union([Type.String(), Type.Null()], {
        description: 'Masked: only whether one is set.',
      }),
      isSigningEnabled: Type.Boolean(),
    }),
    defaultRoutedProfiles: Type.Array(Type.Integer()),
  },
  { title: 'App' },
)

const MASK = '***'
const HEADER_TOKEN = "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$"

const AppPatch = Type.Object(
  {
    friendlyName: patchOf(name(LIMITS.nameLength)),
    paymentWebhookUrl: patchOf(UrlOrNothing),
    webhookAuthorizationHeaderScheme: patchOf(
      text(50, { pattern: HEADER_TOKEN, says: 'an HTTP authentication scheme, such as Bearer' }),
    ),
    webhookAuthorizationHeaderParameter: patchOf(
      text(2_048, { pattern: '^[\\x20-\\x7e]*$', says: 'at most 2048 visible ASCII characters' }),
    ),
    defaultFraudPolicyId: patchOf(IdInput),
  },
  { title: 'AppPatch', description: 'Each member plain or as { "value": … }. Absent or null: unchanged.' },
)

function appView(app: App) {
  return {
    appId: app.appId,
    friendlyName: app.friendlyName,
    isSandbox: app.isSandbox,
    isActive: app.isActive,
    createdTime: app.createdTime.toISOString(),
    isSetupCompleted: app.profiles.some((profile) => profile.isActive),
    isConnectFirstGateway: app.profiles.length > 0,
    hasFirstCapturePayment: app.hasFirstCapture,
    defaultFraudPolicyId: app.defaultFraudPolicyId,
    checkoutMethods: app.checkoutMethods,
    webhookSettings: {
      paymentWebhookUrl: app.paymentWebhookUrl,
      webhookAuthorizationHeaderScheme: app.webhookAuthScheme,
      webhookAuthorizationHeaderParameter: app.webhookAuthParameter === null ? null : MASK,
      isSigningEnabled: true,
    },
    defaultRoutedProfiles: [],
  }
}

/** An empty text clears like `{ "value": null }`: forms send it for a field left blank. */
const emptyIsNull = (value: string | null | undefined): string | null | undefined =>
  value === '' ? null : value

function changesOf(ctx: Context, body: Static<typeof AppPatch>): AppChanges {
  const policy = readPatch(body.defaultFraudPolicyId)
  return {
    friendlyName: readPatch(body.friendlyName) ?? undefined,
    paymentWebhookUrl: emptyIsNull(readPatch(body.paymentWebhookUrl)),
    webhookAuthScheme: emptyIsNull(readPatch(body.webhookAuthorizationHeaderScheme)),
    webhookAuthParameter: sealedParameter(ctx, readPatch(body.webhookAuthorizationHeaderParameter)),
    defaultFraudPolicyId: policy === undefined ? undefined : (readId(policy ?? '') ?? null),
  }
}

function sealedParameter(ctx: Context, parameter: string | null | undefined): Uint8Array | null | undefined {
  // The mask comes back when a client sends what it has read: it is not a new secret.
  if (parameter === undefined || parameter === MASK) return undefined
  return parameter ? ctx.vault.seal(parameter) : null
}

async function changeApp(ctx: Context, app: App, changes: AppChanges): Promise<App> {
  await updateApp(ctx.db, app.appId, changes)
  forgetApp(ctx, app.appId)
  const fresh = await loadApp(ctx, app.appId)
  assert(fresh, 'an app is never deleted')
  return fresh
}

export function appRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      method: 'GET',
      path: '',
      summary: 'Read the app',
      tag: 'App',
      status: 200,
      response: AppAnswer,
      handler: (app) => appView(app),
    }),
    appRoute({
      method: 'PATCH',
      path: '',
      summary: 'Change the settings of the app',
      tag: 'App',
      status: 200,
      body: AppPatch,
      response: AppAnswer,
      examples: { body: { paymentWebhookUrl: { value: 'https://shop.example/hooks' } } },
      handler: async (app, { body }) => appView(await changeApp(ctx, app, changesOf(ctx, body))),
    }),
  ]
}
