import Type from 'typebox'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { name } from '../../http/wire.ts'
import { createLicense, licensedApps } from './commands.ts'

const LicenseInput = Type.Object({ licenseName: name(LIMITS.nameLength) }, { title: 'LicenseInput' })

const License = Type.Object(
  {
    licenseId: Type.String(),
    licenseName: Type.String(),
    authorizationCode: Type.String({ description: 'Shown once. Opens GET /api/licenses/{licenseId}.' }),
    apps: Type.Array(
      Type.Object({
        appId: Type.String(),
        isSandbox: Type.Boolean(),
        friendlyName: Type.String(),
        apiKey: Type.String({ description: 'Shown once.' }),
        webhookSecret: Type.String({ description: 'Shown once. Signs the webhooks of the app.' }),
      }),
    ),
  },
  { title: 'License' },
)

const LicensedApp = Type.Object(
  {
    isSandbox: Type.Boolean(),
    appId: Type.String(),
    authorizationCode: Type.String({ description: 'An API key of this app.' }),
  },
  { title: 'LicensedApp' },
)

export function licenseRoutes(ctx: Context): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/licenses',
      summary: 'Create a licence: one merchant with a sandbox app and a live app',
      tag: 'Licences',
      auth: 'operator',
      status: 201,
      body: LicenseInput,
      response: License,
      errors: ['not_found'],
      examples: { body: { licenseName: 'Corner Bookshop' } },
      secret: true,
      handler: (_operator, { body }) => createLicense(ctx, body.licenseName),
    }),
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
