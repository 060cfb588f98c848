import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { invalid, notFound, wrongField } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { readId } from '../../http/wire.ts'
import { type App, findProfile, type Profile } from '../app.ts'
import { appRoute } from '../app-route.ts'
import { feePreview, feesView } from './fees.ts'
import { methodsAtProfile, withAccountMethods } from './methods.ts'
import {
  FeePreview,
  FeeQuery,
  MethodAnswer,
  ProfileFeeAnswer,
  ProfileParams,
  ProviderAnswer,
} from './schema.ts'
import { maskedSettings, providerSetups } from './view.ts'

const TAG = 'Provider profiles'

export function wanted(app: App, id: string | number): Profile {
  const profileId = readId(id)
  const profile = profileId === undefined ? undefined : findProfile(app, profileId)
  if (!profile) throw notFound('The payment profile')
  return profile
}

/** Details that consoles show beside the profiles themselves. */
export function detailRoutes(ctx: Context): Route[] {
  const reading = { method: 'GET', tag: TAG, status: 200 } as const
  return [
    appRoute({
      ...reading,
      path: '/payment-providers',
      summary: 'The providers that the app can use, with what a new profile needs',
      response: Type.Array(ProviderAnswer),
      handler: (app) => providerSetups(ctx, app),
    }),
    appRoute({
      ...reading,
      path: '/payment-profiles/calculate-fee',
      summary: 'What a payment would cost at each profile',
      description:
        'Computed from the fees of the profiles, in the currency of each. A body with a list of ids is ' +
        'accepted too.',
      query: FeeQuery,
      response: Type.Array(FeePreview),
      errors: ['not_found'],
      handler: async (app, { query, reply }) => {
        const ids = query.ids?.split(',') ?? (await idsInBody(reply))
        const profiles = ids?.map((id) => wanted(app, id)) ?? app.profiles.filter(({ isActive }) => isActive)
        return profiles.map((profile) => feePreview(profile, query.amount))
      },
    }),
    appRoute({
      ...reading,
      path: '/payment-profiles/{paymentProfileId}/fee',
      summary: 'The fees of a provider profile',
      params: ProfileParams,
      response: ProfileFeeAnswer,
      errors: ['not_found'],
      handler: (app, { params }) => feesView(wanted(app, params.paymentProfileId)),
    }),
    methodsRoute(ctx),
    appRoute({
      ...reading,
      path: '/payment-profiles/{paymentProfileId}/bank-credential',
      summary: 'The settings of a provider profile, masked',
      params: ProfileParams,
      response: Type.String({
        description: 'JSON text: each setting that is set with at most its last four characters.',
      }),
      errors: ['not_found'],
      handler: (app, { params }) => {
        const masked = maskedSettings(ctx, wanted(app, params.paymentProfileId))
        return JSON.stringify(JSON.stringify(masked))
      },
    }),
  ]
}

const methodsRoute = (ctx: Context): Route =>
  appRoute({
    ...{ method: 'GET', tag: TAG, status: 200 },
    path: '/payment-profiles/{paymentProfileId}/methods',
    summary: 'The methods of a provider profile, and which of them the account has turned on',
    description:
      "The provider's own list is read again when it is older than six hours. If the provider does not " +
      'answer, the last list stays.',
    params: ProfileParams,
    response: Type.Array(MethodAnswer),
    errors: ['not_found'],
    handler: async (app, { params }) =>
      methodsAtProfile(ctx, await withAccountMethods(ctx, app, wanted(app, params.paymentProfileId))),
  })

/** More than any list of ids of an app has. */
const BODY_BYTES = 8_192

/** Existing clients send the ids in the body of a GET, which the server does not read. */
async function idsInBody({ request }: FastifyReply): Promise<(string | number)[] | undefined> {
  const { raw } = request
  if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
  let text = ''
  for await (const chunk of raw) {
    text += String(chunk)
    if (text.length > BODY_BYTES) throw badIds()
  }
  if (text.trim() === '') return undefined
  const ids = parsed(text)
  const isList = Array.isArray(ids) && ids.length <= LIMITS.profiles
  if (!isList || !ids.every((id) => typeof id === 'number' || typeof id === 'string')) throw badIds()
  return ids
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badIds()
  }
}

const badIds = () => invalid([wrongField('body', 'must be a list of profile ids')])
