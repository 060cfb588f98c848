import Type from 'typebox'
import { ApiError, notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { BooleanText, readBoolean } from '../../http/wire.ts'
import { appView } from '../../merchants/apps/view.ts'
import { loadApp } from '../../merchants/directory.ts'
import { appIdsOfLicense, licensedApps, licenseName } from '../../merchants/licenses/commands.ts'
import { isOwnRole, ROLES, type Role } from '../access/roles.ts'
import { type Membership, may, type SignedIn } from '../signed-in.ts'

const LicensedApps = Type.Array(
  Type.Object({ isSandbox: Type.Boolean(), appId: Type.String(), authorizationCode: Type.String() }),
)

const License = Type.Object({
  licenseId: Type.String(),
  licenseName: Type.String(),
  apps: Type.Array(Type.Object({ appId: Type.String() }, { description: 'As `GET /api/apps/{appId}`.' })),
})

/** For clients that ask which licence to use instead of knowing its id. */
export const licenseRoutesOfPeople = (ctx: Context): Route[] => [
  route({
    method: 'GET',
    path: '/api/licenses/best-license',
    summary: 'The licence in which the signed-in person has the highest role',
    description:
      'With `generateBot=true` the answer is the list of its apps, each with a working API key, as with a ' +
      'licence code. That needs the permission to manage the licence.',
    tag: 'Licences',
    auth: 'person',
    status: 200,
    query: Type.Object({ generateBot: Type.Optional(BooleanText) }),
    response: Type.Union([License, LicensedApps]),
    errors: ['not_found', 'forbidden'],
    secret: true,
    handler: async (person: SignedIn, { query }) => {
      const licenseId = bestOf(person.memberships)?.licenseId
      if (licenseId === undefined) throw notFound('A licence')
      if (!readBoolean(query.generateBot)) return licenseView(ctx, licenseId)
      if (!may(person, licenseId, 'LicenseManagement'))
        throw new ApiError('forbidden', 'Your role does not allow this.')
      return licensedApps(ctx, licenseId)
    },
  }),
]

const bestOf = (memberships: readonly Membership[]): Membership | undefined =>
  [...memberships].sort((one, other) => placeOf(one) - placeOf(other))[0]

/** An own role stands after the built-in ones. */
const placeOf = ({ role }: Membership): number =>
  isOwnRole(role) ? ROLES.length : ROLES.indexOf(role as Role)

async function licenseView(ctx: Context, licenseId: string) {
  const ids = await appIdsOfLicense(ctx, licenseId)
  const apps = await Promise.all(ids.map((appId) => loadApp(ctx, appId)))
  return {
    licenseId,
    licenseName: (await licenseName(ctx, licenseId)) ?? '',
    apps: await Promise.all(apps.flatMap((app) => (app ? appView(ctx, app, {}) : []))),
  }
}
