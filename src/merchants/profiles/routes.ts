import Type, { type Static } from 'typebox'
import { notFound } from '../../base/errors.ts'
import { acting, type Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { readBoolean, readPatch } from '../../http/wire.ts'
import type { ProfileFees } from '../app.ts'
import { appRoute } from '../app-route.ts'
import { changeProfileSafely } from './accounts.ts'
import { createProfile, type ProfileChanges, removeProfile } from './commands.ts'
import { checkProfileAtProvider, connectProfile } from './connect.ts'
import { detailRoutes, wanted } from './detail-routes.ts'
import { iconSvg } from './icons.ts'
import {
  CheckoutMethodGroup,
  ConnectionAnswer,
  ProfileAnswer,
  ProfileCheckAnswer,
  ProfileInput,
  ProfileParams,
  ProfilePatch,
  ProfilesQuery,
  Provider,
} from './schema.ts'
import { checkoutMethodsView, profileView, providersView, routedProfiles } from './view.ts'

const TAG = 'Provider profiles'

export const profileRoutes = (ctx: Context): Route[] => [
  ...reading(ctx),
  ...detailRoutes(ctx),
  ...writing(ctx),
  removing(ctx),
  ...atProvider(ctx),
  ...publicRoutes(ctx),
]

function reading(ctx: Context): Route[] {
  return [
    appRoute({
      method: 'GET',
      path: '/payment-profiles',
      summary: 'List the provider profiles of the app',
      tag: TAG,
      status: 200,
      query: ProfilesQuery,
      response: Type.Array(ProfileAnswer),
      handler: (app, { query }) =>
        (readBoolean(query.onlyRoutedProfile) ? routedProfiles(app) : app.profiles).map((profile) =>
          profileView(ctx, profile),
        ),
    }),
    appRoute({
      method: 'GET',
      path: '/payment-profiles/payment-checkout-methods',
      summary: 'The ways to check out that the app offers, with the profiles that take them',
      tag: TAG,
      status: 200,
      response: Type.Array(CheckoutMethodGroup),
      handler: (app) => checkoutMethodsView(ctx, app),
    }),
    appRoute({
      method: 'GET',
      path: '/payment-profiles/{paymentProfileId}',
      summary: 'Read a provider profile',
      tag: TAG,
      status: 200,
      response: ProfileAnswer,
      errors: ['not_found'],
      params: ProfileParams,
      handler: (app, { params }) => profileView(ctx, wanted(app, params.paymentProfileId)),
    }),
  ]
}

function writing(ctx: Context): Route[] {
  return [
    appRoute({
      method: 'POST',
      path: '/payment-profiles',
      summary: 'Add a provider profile',
      tag: TAG,
      status: 200,
      body: ProfileInput,
      response: ProfileAnswer,
      errors: ['profile_not_usable', 'invalid_profile_settings'],
      examples: {
        body: { provider: 'sandbox', name: 'Test cards', methods: ['CreditCard'], currency: 'USD' },
      },
      handler: async (app, { body, actor }) => {
        const profile = await createProfile(acting(ctx, actor), app, {
          provider: body.provider,
          name: body.paymentProfileName ?? body.name ?? body.provider,
          ...(body.methods ? { methods: body.methods } : {}),
          currency: body.currency,
          currencies: body.currencies ?? null,
          isActive: body.isActive ?? true,
          settings: body.settings ?? {},
          fees: readFees(body) ?? null,
        })
        return profileView(ctx, profile)
      },
    }),
    appRoute({
      method: 'PATCH',
      path: '/payment-profiles/{paymentProfileId}',
      summary: 'Change a provider profile',
      tag: TAG,
      status: 200,
      params: ProfileParams,
      body: ProfilePatch,
      response: ProfileAnswer,
      errors: ['not_found', 'profile_not_usable', 'invalid_profile_settings', 'other_account'],
      examples: { body: { isActive: false, currencies: { value: null } } },
      handler: async (app, { params, body, actor }) => {
        const { profileId } = wanted(app, params.paymentProfileId)
        return profileView(
          ctx,
          await changeProfileSafely(acting(ctx, actor), app, profileId, changesOf(body)),
        )
      },
    }),
  ]
}

const removing = (ctx: Context): Route =>
  appRoute({
    method: 'DELETE',
    path: '/payment-profiles/{paymentProfileId}',
    summary: 'Remove a provider profile that was never used',
    description:
      'The profile must be off. One that payments, stored methods, settlements, policies or the routing ' +
      'name is kept.',
    tag: TAG,
    status: 200,
    params: ProfileParams,
    response: ProfileAnswer,
    errors: ['not_found', 'not_possible'],
    handler: async (app, { params, actor }) => {
      const profile = wanted(app, params.paymentProfileId)
      await removeProfile(acting(ctx, actor), app, profile.profileId)
      return profileView(ctx, profile)
    },
  })

function atProvider(ctx: Context): Route[] {
  return [
    appRoute({
      method: 'POST',
      path: '/payment-profiles/{paymentProfileId}/check',
      summary: 'Check the settings of a provider profile',
      description:
        'Makes a read at the provider that changes nothing, and says what is wrong with the settings. A ' +
        'profile that is not ready to take payments is not ok.',
      tag: TAG,
      status: 200,
      params: ProfileParams,
      response: ProfileCheckAnswer,
      errors: ['not_found'],
      handler: (app, { params }) => checkProfileAtProvider(ctx, app, wanted(app, params.paymentProfileId)),
    }),
    appRoute({
      method: 'POST',
      path: '/payment-profiles/{paymentProfileId}/connect',
      summary: 'Register the notification address at the provider',
      description:
        'Registers `webhookUrl` at the provider and stores the signing secret. Where the provider has no ' +
        'such call, the answer says where to paste the address.',
      tag: TAG,
      status: 200,
      params: ProfileParams,
      response: ConnectionAnswer,
      errors: ['not_found', 'profile_not_usable', 'invalid_profile_settings'],
      handler: (app, { params, actor }) =>
        connectProfile(acting(ctx, actor), app, wanted(app, params.paymentProfileId)),
    }),
  ]
}

type FeeInputs = Pick<Static<typeof ProfilePatch>, keyof ProfileFees>

/** Undefined when the request names none. */
function readFees(body: FeeInputs): ProfileFees | undefined {
  const fees = {
    providerInitialFee: readPatch(body.providerInitialFee),
    providerPercentageFee: readPatch(body.providerPercentageFee),
    appInitialFee: readPatch(body.appInitialFee),
    appPercentageFee: readPatch(body.appPercentageFee),
  }
  const given = Object.entries(fees).filter(([, value]) => value !== undefined)
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

/** Only `currencies` and fees can be cleared: null means every currency of the provider. */
function changesOf(body: Static<typeof ProfilePatch>): ProfileChanges {
  return {
    name: readPatch(body.paymentProfileName) ?? readPatch(body.name) ?? undefined,
    methods: readPatch(body.methods) ?? undefined,
    currency: readPatch(body.currency) ?? undefined,
    currencies: readPatch(body.currencies),
    isActive: readPatch(body.isActive) ?? undefined,
    settings: body.settings ?? undefined,
    fees: readFees(body),
  }
}

function publicRoutes(ctx: Context): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/apps/providers',
      summary: 'The providers of this installation',
      tag: TAG,
      auth: 'none',
      status: 200,
      response: Type.Array(Provider),
      handler: () => providersView(ctx),
    }),
    route({
      method: 'GET',
      path: '/assets/providers/{file}',
      summary: 'The icon of a provider',
      tag: TAG,
      auth: 'none',
      status: 200,
      params: Type.Object({ file: Type.String() }),
      contentType: 'image/svg+xml; charset=utf-8',
      hidden: true,
      handler: (_nobody, { params, reply }) => {
        const svg = iconSvg(ctx, params.file)
        if (svg === undefined) throw notFound('The icon')
        reply.header('cache-control', 'public, max-age=86400')
        return svg
      },
    }),
  ]
}
