import type { Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { botRoutes } from './bots.ts'
import { currentRoutes } from './current.ts'
import { PublicSettings } from './schema.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { teamRoutes } from './team.ts'

export const peopleRoutes = (ctx: Context): Route[] => [
  ...teamRoutes(ctx),
  ...botRoutes(ctx),
  ...currentRoutes(ctx),
  ...secondFactorRoutes(ctx),
  settingsRoute(),
]

const SETTINGS = {
  brand: 'Tender',
  signinImageUri: null,
  signinImageUri2: null,
  signinSlogan: null,
  isSupportSignupProcess: false,
  isSupportPaymentProfileEdit: true,
  isSupportLicenseManagement: false,
  isSupportCustomizeCheckout: true,
  signinTermsAndConditionUrl: null,
  signinPrivacyUrl: null,
  signinTermsAndCondition: null,
}

const settingsRoute = (): Route =>
  route({
    method: 'GET',
    path: '/api/settings',
    summary: 'What a console shows before the sign-in',
    tag: 'Team',
    auth: 'none',
    status: 200,
    response: PublicSettings,
    handler: () => SETTINGS,
  })
