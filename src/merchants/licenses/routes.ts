import Type from 'typebox'
import type { Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { licensedApps } from './commands.ts'

const LicensedApp = Type.Object(
  {
    isSandbox: Type.Boolean(),
    appId: Type.String(),
    authorizationCode: Type.String({ description: 'An API key of this app.' }),
  },
  { title: 'LicensedApp' },
)

/** How the operator creates licences: people/licenses. */
export function licenseRoutes(ctx: Context): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/licenses/{licenseId}',
      summary: 'The apps of a licence, each with a working API key',
      tag: 'Licences',
      auth: 'license',
      status: 200,
      response: Type.Array(LicensedApp),
      handler: (licenseId: string) => licensedApps(ctx, licenseId),
    }),
  ]
}
