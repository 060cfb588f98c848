import Type from 'typebox'
import { ApiError, notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { readPatch } from '../../http/wire.ts'
import { loadApp } from '../../merchants/directory.ts'
import { appIdsOfLicense } from '../../merchants/licenses/commands.ts'
import { changeSettings, findPerson } from '../accounts/settings.ts'
import type { Person } from '../person.ts'
import { membershipOf, permissionsIn, roleName, type SignedIn } from '../signed-in.ts'
import { CurrentUser, CurrentUserPatch, OwnApp } from './schema.ts'
import { personView } from './view.ts'

const COMMON = { tag: 'Team', auth: 'person', status: 200 } as const
const BASE = '/api/team/users/current'

/** The person of the session. */
export const currentRoutes = (ctx: Context): Route[] => [
  ...personRoutes(ctx, BASE),
  // Another address of the same, which existing clients use.
  ...personRoutes(ctx, `${BASE}/info`, { hidden: true }),
  ...appRoutes(ctx),
]

const personRoutes = (ctx: Context, path: string, more: { readonly hidden?: true } = {}): Route[] => [
  route({
    ...COMMON,
    ...more,
    method: 'GET',
    path,
    summary: 'The person of the session',
    response: CurrentUser,
    errors: ['forbidden'],
    handler: async ({ personId }: SignedIn) => {
      const person = await findPerson(ctx, personId)
      if (!person) throw notFound('The person')
      return currentView(person)
    },
  }),
  route({
    ...COMMON,
    ...more,
    method: 'PATCH',
    path,
    summary: 'Change time zone and theme of the person',
    body: CurrentUserPatch,
    response: CurrentUser,
    errors: ['forbidden'],
    examples: { body: { timeZone: { value: 'Europe/Vienna' }, theme: { value: 'dark' } } },
    handler: async ({ personId }: SignedIn, { body }) => {
      const theme = readPatch(body.theme)
      const changes = { timeZone: readPatch(body.timeZone), theme: theme === 'auto' ? null : theme }
      return currentView(await changeSettings(ctx, personId, changes))
    },
  }),
]

const appRoutes = (ctx: Context): Route[] => [
  route({
    ...COMMON,
    method: 'GET',
    path: `${BASE}/apps`,
    summary: 'The apps of the licences that the person is a member of',
    response: Type.Array(OwnApp),
    errors: ['forbidden'],
    handler: (person: SignedIn) => ownApps(ctx, person),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: `${BASE}/apps/{appId}/permissions`,
    summary: 'The permissions of the person in an app',
    params: Type.Object({ appId: Type.String() }),
    response: Type.Array(Type.String()),
    errors: ['forbidden'],
    handler: async (person: SignedIn, { params }) => {
      const app = await loadApp(ctx, params.appId)
      const membership = app && membershipOf(person, app.licenseId)
      // Same response whether the app exists or not.
      if (!membership) throw new ApiError('forbidden', 'You are not a member of this app.')
      return [...permissionsIn(membership)]
    },
  }),
]

const currentView = (person: Person) => ({
  ...personView(person),
  timeZone: person.timeZone,
  theme: person.theme,
  is2faActivate: person.hasTotp,
})

async function ownApps(ctx: Context, { memberships, hasSecondFactor }: SignedIn) {
  const all = await Promise.all(
    memberships.map(async (membership) => {
      const { licenseId } = membership
      const appIds = await appIdsOfLicense(ctx, licenseId)
      const apps = await Promise.all(appIds.map((appId) => loadApp(ctx, appId)))
      return apps.flatMap((app) => (app ? [{ app, role: roleName(membership) }] : []))
    }),
  )
  return all.flat().map(({ app, role }) => ({
    appId: app.appId,
    licenseId: app.licenseId,
    friendlyName: app.friendlyName,
    isSandbox: app.isSandbox,
    isActive: app.isActive,
    isSetupCompleted: app.profiles.some((profile) => profile.isActive),
    isConnectFirstGateway: app.profiles.length > 0,
    hasFirstCapturePayment: app.hasFirstCapture,
    roleName: role,
    is2faActivate: hasSecondFactor,
  }))
}
