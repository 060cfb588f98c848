import Type from 'typebox'
import { CONSOLE_PAGES } from '../../base/console-pages.ts'
import { acting, type Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import type { App } from '../app.ts'
import { appRoute } from '../app-route.ts'
import { loadApp } from '../directory.ts'
import { type ClaimVerdict, checkClaimNow } from '../hosts/claims.ts'
import { checkoutOrigin } from '../urls.ts'
import { clearApp } from './clear.ts'
import { type AppExtras, changeApp, changeCheckoutPage, removeCheckoutHost } from './commands.ts'
import { AppAnswer, AppPatch, CheckedHost, CheckoutPagePatch, ClearedAnswer } from './schema.ts'
import { appView } from './view.ts'

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
      description:
        'What protects refunds (`isTwoFactorAuthenticationEnabled`, `requireOtpForApiKeys`, ' +
        '`maxThresholdRefundCountDaily`, `refundProcessReceiverEmails`) is loosened only by a person with ' +
        'a code of the second factor, in the console or with `otpCode` in the query. An API key can ' +
        'tighten it.',
      tag: 'App',
      status: 200,
      body: AppPatch,
      response: AppAnswer,
      errors: ['unknown_fraud_policy', 'forbidden', 'otp_required', 'otp_not_enrolled'],
      examples: {
        body: {
          paymentWebhookUrl: { value: 'https://shop.example/hooks' },
          maxThresholdRefundCountDaily: { value: 50 },
        },
      },
      handler: async (app, { body, actor }) =>
        appView(ctx, await changeApp(acting(ctx, actor), app, body, extras), extras),
    }),
    ...checkoutRoutes(ctx, extras),
    panelLinkRoute(ctx),
    clearRoute(ctx, extras),
  ]
}

function clearRoute(ctx: Context, { clearers = [] }: AppExtras): Route {
  return appRoute({
    method: 'POST',
    path: '/clear-all',
    summary: 'Empty a sandbox app',
    description:
      'Removes payments, customers, events and everything else about them. API keys, provider profiles, ' +
      'fraud policies and settings stay. Of a very large app one call removes a part: call again until ' +
      '`isCompleted`.',
    tag: 'App',
    status: 200,
    response: ClearedAnswer,
    errors: ['sandbox_only'],
    examples: { response: { removedCount: 4711, isCompleted: true } },
    handler: (app, { actor }) => clearApp(acting(ctx, actor), app, clearers),
  })
}

function checkoutRoutes(ctx: Context, extras: AppExtras): Route[] {
  return [
    appRoute({
      method: 'PATCH',
      path: '/checkout-page',
      summary: 'Change the host name and the texts of the checkout',
      description:
        'A host name takes effect when its proof is found: create the DNS entry or the file of ' +
        '`hostProof`. The service looks for it for 30 days, and at once when it is asked to check. Then ' +
        'new payment links begin with `https://` and the host name; a payment keeps the link that it ' +
        'was made with. Point the name to `targetCName` and let your proxy serve it.',
      tag: 'App',
      status: 200,
      body: CheckoutPagePatch,
      response: AppAnswer,
      errors: ['checkout_host_taken'],
      examples: { body: { domain: { value: 'pay.shop.example' }, checkoutSlogan1: 'Books since 1970' } },
      handler: async (app, { body, actor }) =>
        appView(ctx, await changeCheckoutPage(acting(ctx, actor), app, body), extras),
    }),
    appRoute({
      method: 'POST',
      path: '/checkout-domain/check',
      summary: 'Look for the proof of the host name now',
      tag: 'App',
      status: 200,
      response: CheckedHost,
      errors: ['too_many_requests'],
      handler: async (app, { actor }) => checkedHost(ctx, app, await checkClaimNow(acting(ctx, actor), app)),
    }),
    appRoute({
      method: 'DELETE',
      path: '/checkout-domain',
      summary: 'Remove the host name of the checkout',
      tag: 'App',
      status: 200,
      response: AppAnswer,
      handler: async (app, { actor }) =>
        appView(ctx, await removeCheckoutHost(acting(ctx, actor), app), extras),
    }),
  ]
}

async function checkedHost(ctx: Context, { appId }: App, verdict: ClaimVerdict) {
  const app = await loadApp(ctx, appId)
  const isProven = verdict === 'proven'
  return { isProven, problem: isProven ? null : verdict, hostedPageBaseUrl: checkoutOrigin(ctx, app ?? {}) }
}

function panelLinkRoute(ctx: Context): Route {
  return appRoute({
    method: 'GET',
    path: '/panel-link',
    summary: 'The address of the app in the console',
    tag: 'App',
    status: 200,
    response: Type.String({ description: 'The address, as a JSON string.' }),
    handler: ({ appId }) => JSON.stringify(ctx.config.publicUrl + CONSOLE_PAGES.overview(appId)),
  })
}
