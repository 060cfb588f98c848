import { acting, type Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { appRoute } from '../app-route.ts'
import { type AppExtras, changeApp } from './commands.ts'
import { AppAnswer, AppPatch } from './schema.ts'
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
      tag: 'App',
      status: 200,
      body: AppPatch,
      response: AppAnswer,
      errors: ['unknown_fraud_policy'],
      examples: {
        body: {
          paymentWebhookUrl: { value: 'https://shop.example/hooks' },
          maxThresholdRefundCountDaily: { value: 50 },
        },
      },
      handler: async (app, { body, actor }) =>
        appView(ctx, await changeApp(acting(ctx, actor), app, body, extras), extras),
    }),
  ]
}
