import Type from 'typebox'
import { renderSVG } from 'uqr'
import { acting, type Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { sessionCookie } from '../cookie.ts'
import type { SignedIn } from '../signed-in.ts'
import { activateTotp, deactivateTotp, prepareSecondFactor } from '../totp/commands.ts'
import { MaybeOtpQuery, OtpQuery, SecondFactorState } from './schema.ts'

const BASE = '/api/apps/{appId}/twofactor'
const COMMON = { tag: 'Team', auth: 'person', status: 200, method: 'POST' } as const

/** The second factor of the person of the session. It is the same for all apps. */
export const secondFactorRoutes = (ctx: Context): Route[] => [
  route({
    ...COMMON,
    path: `${BASE}/qr-code`,
    summary: 'Begin to set up a second factor: a QR code for an authenticator app',
    response: Type.String({ description: 'A data URI of an SVG image.' }),
    errors: ['forbidden', 'otp_required', 'not_possible'],
    secret: true,
    handler: async (person: SignedIn) => {
      const { uri } = await prepareSecondFactor(ctx, person)
      const image = Buffer.from(renderSVG(uri)).toString('base64')
      return JSON.stringify(`data:image/svg+xml;base64,${image}`)
    },
  }),
  route({
    ...COMMON,
    path: `${BASE}/activate`,
    summary: 'Turn the second factor on with its first code',
    description: 'The session gets a new cookie, and all other sessions of the person end.',
    query: OtpQuery,
    response: SecondFactorState,
    errors: ['forbidden', 'otp_required', 'not_possible'],
    secret: true,
    handler: async (person: SignedIn, { query, actor, reply }) => {
      const { token, recoveryCodes } = await activateTotp(acting(ctx, actor), person, query.otpCode)
      reply.header('set-cookie', sessionCookie(ctx, token))
      return { isActive: true, recoveryCodes }
    },
  }),
  route({
    ...COMMON,
    path: `${BASE}/deactivate`,
    summary: 'Turn the second factor off',
    description: 'Needs `otpCode`, unless the person gave a proof within the last five minutes.',
    query: MaybeOtpQuery,
    response: SecondFactorState,
    errors: ['forbidden', 'otp_required', 'otp_invalid'],
    handler: async (person: SignedIn, { actor }) => {
      await deactivateTotp(acting(ctx, actor), person)
      return { isActive: false }
    },
  }),
]
