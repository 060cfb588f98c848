import Type, { type Static } from 'typebox'
import { assert } from '../../base/assert.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import {
  IdInput,
  Instant,
  maybe,
  name,
  patchOf,
  readId,
  readPatch,
  text,
  UrlOrNothing,
} from '../../http/wire.ts'
import type { App } from '../app.ts'
import { appRoute } from '../app-route.ts'
import { forgetApp, loadApp } from '../directory.ts'
import { BrandingAnswer, BrandingPatch, brandingChanges, brandingView, changeBranding } from './branding.ts'
import { type AppChanges, updateApp } from './store.ts'

const Nullable = Type.Union([Type.String(), Type.Null()])

const WebhookHealth = Type.Object(
  {
    exhaustedCount: Type.Integer({ description: 'Webhooks that were given up, counted up to 1000.' }),
    endpoints: Type.Array(
      Type.Object({
        url: Type.String(),
        status: Type.Enum(['failing', 'paused', 'disabled'], {
          description: 'Disabled: it answered 410. A resend or a test that is received turns it on again.',
        }),
        since: Instant,
        failures: Type.Integer({ description: 'In a row.' }),
        lastError: Type.String(),
        nextTryTime: Type.Union([Instant, Type.Null()]),
      }),
      { description: 'Webhook addresses in trouble.' },
    ),
  },
  { title: 'WebhookHealth' },
)

/** Fields that features in higher layers add to the app's response. */
export interface AppExtras {
  readonly webhookHealth?: (app: App) => Promise<Static<typeof WebhookHealth>>
}

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
    webhookHealth: Type.Optional(WebhookHealth),
    defaultRoutedProfiles: Type.Array(Type.Integer()),
    branding: BrandingAnswer,
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
    branding: maybe(BrandingPatch),
  },
  { title: 'AppPatch', description: 'Each member plain or as { "value": … }. Absent or null: unchanged.' },
)

async function appView(ctx: Context, app: App, { webhookHealth }: AppExtras) {
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
    ...(webhookHealth ? { webhookHealth: await webhookHealth(app) } : {}),
    defaultRoutedProfiles: defaultProfiles(app),
    branding: brandingView(ctx, app),
  }
}

/** The default profiles of the routing configuration, whose type belongs to routing/. */
function defaultProfiles({ routing }: App): number[] {
  const { defaults = [] } = (routing ?? {}) as { defaults?: readonly { profileId: number }[] }
  return [...new Set(defaults.map(({ profileId }) => profileId))]
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
  // A client that sends back what it read sends the mask: not a new secret.
  if (parameter === undefined || parameter === MASK) return undefined
  return parameter ? ctx.vault.seal(parameter) : null
}

async function changeApp(ctx: Context, app: App, body: Static<typeof AppPatch>): Promise<App> {
  const branding = brandingChanges(body.branding)
  await updateApp(ctx.db, app.appId, changesOf(ctx, body))
  if (body.branding) await changeBranding(ctx, app, branding)
  forgetApp(ctx, app.appId)
  const fresh = await loadApp(ctx, app.appId)
  assert(fresh, 'an app is never deleted')
  return fresh
}

export function appRoutes(ctx: Context, extras: AppExtras = {}): Route[] {
  return [
    appRoute({
      method: 'GET',
      path: '',
      summary: 'Read the app',
      tag: 'App',
      status: 200,
      response: AppAnswer,
      handler: (app) => appView(ctx, app, extras),
    }),
    appRoute({
      method: 'PATCH',
      path: '',
      summary: 'Change the settings of the app',
      tag: 'App',
      status: 200,
      body: AppPatch,
      response: AppAnswer,
      errors: ['unknown_fraud_policy'],
      examples: { body: { paymentWebhookUrl: { value: 'https://shop.example/hooks' } } },
      handler: async (app, { body }) => appView(ctx, await changeApp(ctx, app, body), extras),
    }),
  ]
}
