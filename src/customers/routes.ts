import Type, { type Static } from 'typebox'
import { invalid, notFound, wrongField } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { expected } from '../base/mistakes.ts'
import { acting, type Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { readBoolean, readId, readInstant, readPatch } from '../http/wire.ts'
import { type App, appNow } from '../merchants/app.ts'
import { appRoute } from '../merchants/app-route.ts'
import { activityRoutes } from './activity/routes.ts'
import { changeCustomer, createCustomer, customerPage, getCustomer, type NewCustomer } from './commands.ts'
import { importMethod } from './import-method.ts'
import { customerMethods } from './methods.ts'
import { panelLink } from './panel.ts'
import { removeMethod, stopAutoPayment } from './remove-method.ts'
import {
  AutoPaymentParams,
  CustomerAnswer,
  CustomerInput,
  CustomerParams,
  CustomerPatch,
  CustomerQuery,
  MethodAnswer,
  MethodImport,
  MethodParams,
  MethodQuery,
  PanelQuery,
} from './schema.ts'
import type { CustomerChanges } from './store.ts'
import { customerView, methodView } from './view.ts'

const TAG = 'Customers'
const EXAMPLE = {
  customerId: 'customer-1001',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@shop.example',
  mobileNumber: '+442071234567',
}

export const customerRoutes = (ctx: Context): Route[] => [
  ...activityRoutes(ctx),
  ...recordRoutes(ctx),
  listRoute(ctx),
  ...methodRoutes(ctx),
  importRoute(ctx),
  ...providerRoutes(ctx),
  panelLinkRoute(ctx),
]

function recordRoutes(ctx: Context): Route[] {
  const common = { tag: TAG, response: CustomerAnswer } as const
  return [
    appRoute({
      ...common,
      method: 'POST',
      path: '/customers',
      summary: 'Create a customer',
      status: 201,
      body: CustomerInput,
      errors: ['customer_exists', 'unknown_fraud_policy'],
      examples: { body: EXAMPLE },
      handler: async (app, { body }) => customerView(app, await createCustomer(ctx, app, newCustomer(body))),
    }),
    appRoute({
      ...common,
      method: 'GET',
      path: '/customers/{customerId}',
      summary: 'Read a customer',
      status: 200,
      params: CustomerParams,
      errors: ['not_found'],
      handler: async (app, { params }) => customerView(app, await getCustomer(ctx, app, params.customerId)),
    }),
    appRoute({
      ...common,
      method: 'PATCH',
      path: '/customers/{customerId}',
      summary: 'Change a customer',
      status: 200,
      params: CustomerParams,
      body: CustomerPatch,
      errors: ['not_found', 'unknown_fraud_policy'],
      examples: { body: { email: 'ada@new.example', mobileNumber: { value: null } } },
      handler: async (app, { params, body, actor }) =>
        customerView(app, await changeCustomer(acting(ctx, actor), app, params.customerId, changesOf(body))),
    }),
  ]
}

/** An empty text counts as absent: forms send it for a field left blank. */
const filled = (value: string | null | undefined): string | null => (value ? value : null)

export function newCustomer(body: Static<typeof CustomerInput>): NewCustomer {
  return {
    customerId: body.customerId,
    firstName: filled(body.firstName),
    lastName: filled(body.lastName),
    email: filled(body.email),
    mobileNumber: filled(body.mobileNumber) ?? filled(body.mobile) ?? filled(body.phoneNumber),
    fraudPolicyId: readId(body.fraudPolicyId ?? '') ?? null,
  }
}

export function changesOf(body: Static<typeof CustomerPatch>): CustomerChanges {
  const policy = readPatch(body.fraudPolicyId)
  const phones = [body.mobileNumber, body.mobile, body.phoneNumber].map(changedText)
  const blocked = readPatch(body.isBlocked)
  return {
    firstName: changedText(body.firstName),
    lastName: changedText(body.lastName),
    email: changedText(body.email),
    mobileNumber: phones.find((phone) => phone !== undefined),
    fraudPolicyId: policy === undefined ? undefined : (readId(policy ?? '') ?? null),
    isBlocked: blocked === null ? false : blocked,
  }
}

function changedText(patch: Parameters<typeof readPatch<string>>[0]): string | null | undefined {
  const value = readPatch(patch)
  return value === undefined ? undefined : filled(value)
}

function listRoute(ctx: Context): Route {
  return appRoute({
    method: 'GET',
    path: '/customers',
    list: true,
    summary: 'List the customers of the app, ordered by customerId',
    tag: TAG,
    status: 200,
    query: CustomerQuery,
    response: Type.Array(CustomerAnswer),
    responseHeaders: { Link: 'The next page, `rel="next"`, when there is one.' },
    handler: async (app, { query, reply }) => {
      const options = {
        pageNumber: Number(query.pageNumber ?? 1),
        pageSize: Number(query.pageSize ?? LIMITS.defaultPageSize),
        search: query.searchCriteria?.trim() || undefined,
        isBlocked: readBoolean(query.isBlocked),
        fraudPolicyId: query.fraudPolicyId === undefined ? undefined : readId(query.fraudPolicyId),
      }
      const { customers, hasNext } = await customerPage(ctx, app, options)
      if (hasNext) reply.header('link', nextLink(ctx, app, query, options.pageNumber + 1))
      return customers.map((customer) => customerView(app, customer))
    },
  })
}

function nextLink(ctx: Context, app: App, query: object, pageNumber: number): string {
  const next = new URLSearchParams({ ...query, pageNumber: String(pageNumber) })
  return `<${ctx.config.publicUrl}/api/apps/${app.appId}/customers?${next}>; rel="next"`
}

function methodRoutes(ctx: Context): Route[] {
  const common = { tag: TAG, status: 200, errors: ['not_found'] } as const
  return [
    appRoute({
      ...common,
      method: 'GET',
      path: '/customers/{customerId}/payment-methods',
      summary: 'List the stored payment methods of a customer, newest first',
      params: CustomerParams,
      query: MethodQuery,
      response: Type.Array(MethodAnswer),
      handler: async (app, { params, query }) => {
        const onlyVerified = readBoolean(query.onlyVerifiedPaymentMethods) ?? false
        const { customerId } = await getCustomer(ctx, app, params.customerId)
        const methods = await customerMethods(ctx, app, customerId, { onlyVerified })
        return methods.map((method) => methodView(app, method))
      },
    }),
    appRoute({
      ...common,
      method: 'DELETE',
      path: '/customers/{customerId}/payment-methods/{paymentMethodId}',
      summary: 'Remove a stored payment method; its auto-payment registrations end too',
      params: MethodParams,
      handler: async (app, { params, actor }) => {
        const id = wantedId(params.paymentMethodId, 'The stored payment method')
        await removeMethod(acting(ctx, actor), app, params.customerId, id)
      },
    }),
    appRoute({
      ...common,
      method: 'DELETE',
      path: '/customers/{customerId}/auto-payments/{customerAutomaticProfileId}',
      summary: 'Stop an auto-payment registration',
      params: AutoPaymentParams,
      response: CustomerAnswer,
      handler: async (app, { params, actor }) => {
        const id = wantedId(params.customerAutomaticProfileId, 'The auto-payment registration')
        await stopAutoPayment(acting(ctx, actor), app, params.customerId, id)
        return customerView(app, await getCustomer(ctx, app, params.customerId))
      },
    }),
  ]
}

const importRoute = (ctx: Context): Route =>
  appRoute({
    method: 'POST',
    path: '/customers/{customerId}/payment-methods/import',
    summary: "Import a stored payment method by the provider's token",
    description:
      'The token is read at the provider once. A token that the customer has already is answered with 200 ' +
      'and changes nothing. [Moving in](/docs/guides/moving-in) has the form of a token for each provider.',
    tag: TAG,
    status: 201,
    params: CustomerParams,
    body: MethodImport,
    response: MethodAnswer,
    errors: [
      ...(['not_found', 'profile_not_usable', 'token_not_known', 'token_in_use'] as const),
      ...(['card_number_not_allowed', 'unavailable'] as const),
    ],
    examples: {
      body: {
        ...{ paymentProfileId: 10001, token: 'cus_Q1w2e3/pm_1R4t5y' },
        ...{ consentTime: '2025-03-01T09:30:00Z', consentText: 'Terms of 2025-01, section 4' },
      },
    },
    handler: async (app, { params, body, actor, reply }) => {
      const { customerId } = await getCustomer(ctx, app, params.customerId)
      const time = readInstant(body.consentTime)
      if (!time || time > appNow(ctx, app)) throw invalid([expected('consentTime', 'past')])
      const { method, isNew } = await importMethod(acting(ctx, actor), app, {
        customerId,
        profileId: readId(body.paymentProfileId) ?? 0,
        token: body.token,
        consent: { time, text: body.consentText },
      })
      if (!isNew) reply.code(200)
      return methodView(app, method)
    },
  })

/** What existing clients ask for, and no provider of this service tells. */
function providerRoutes(ctx: Context): Route[] {
  const common = { method: 'GET', tag: TAG, status: 200, errors: ['not_found'] } as const
  return [
    appRoute({
      ...common,
      path: '/customers/{customerId}/payment-methods/{paymentMethodId}/balance',
      summary: 'The balance of a stored method',
      description: 'Always null: no provider tells the balance of an account.',
      params: MethodParams,
      response: Type.Union([Type.Number(), Type.Null()]),
      handler: async (app, { params }) => {
        const id = wantedId(params.paymentMethodId, 'The stored payment method')
        const methods = await customerMethods(ctx, app, params.customerId, { onlyVerified: false })
        if (!methods.some(({ paymentMethodId }) => paymentMethodId === id))
          throw notFound('The stored payment method')
        return 'null'
      },
    }),
    appRoute({
      ...common,
      path: '/customers/{customerId}/provider-raw-info',
      summary: 'What bank data services know of a customer',
      description: 'Always empty: this service uses none.',
      params: CustomerParams,
      response: Type.Object({
        accounts: Type.Array(Type.Object({})),
        item: Type.Null(),
        numbers: Type.Null(),
      }),
      handler: async (app, { params }) => {
        await getCustomer(ctx, app, params.customerId)
        return { accounts: [], item: null, numbers: null }
      },
    }),
  ]
}

/** An invalid id matches nothing. */
function wantedId(text: string, what: string): number {
  const id = readId(text)
  if (id === undefined) throw notFound(what)
  return id
}

/** The tasks `pay` and `verify-method` need the id of their object. */
function taskOf({ task, paymentMethodId, paymentId }: Static<typeof PanelQuery>) {
  if (task === undefined || task === 'add-method') return { task }
  const [field, given] =
    task === 'pay' ? (['paymentId', paymentId] as const) : (['paymentMethodId', paymentMethodId] as const)
  const targetId = readId(given ?? '')
  if (targetId === undefined) throw invalid([wrongField(field, `is required for the task ${task}`)])
  return { task, targetId }
}

function panelLinkRoute(ctx: Context): Route {
  return appRoute({
    method: 'GET',
    path: '/customers/{customerId}/panel-link',
    summary: "A signed link to the customer's own panel, valid for one hour",
    tag: TAG,
    status: 200,
    params: CustomerParams,
    query: PanelQuery,
    response: Type.String({ description: 'The address, as a JSON string.' }),
    errors: ['not_found'],
    handler: async (app, { params, query }) => {
      const { customerId } = await getCustomer(ctx, app, params.customerId)
      const { returnUrl, unauthorizedRedirectUrl, customerPanelLinkAccessType: scope = 'All' } = query
      const urls = { returnUrl, unauthorizedRedirectUrl }
      return JSON.stringify(panelLink(ctx, app, { customerId, scope, ...urls, ...taskOf(query) }))
    },
  })
}
