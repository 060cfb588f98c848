import { ApiError, notFound } from '../../base/errors.ts'
import { acting, type Context } from '../../context.ts'
import { toApiError } from '../../http/problem.ts'
import type { Route } from '../../http/route.ts'
import type { App } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { appIdsOfLicense } from '../../merchants/licenses/commands.ts'
import { newFormId, readFormId } from '../../pages/form-id.ts'
import { createPageRoutes, type PageAnswer, type PageCall, seeOther } from '../../pages/page-route.tsx'
import { permissionFor } from '../../people/access/table.ts'
import { cookieName } from '../../people/cookie.ts'
import { findSession } from '../../people/sessions/sessions.ts'
import { may, membershipOf, type SignedIn } from '../../people/signed-in.ts'
import { consoleLanguage } from '../texts/languages.ts'
import type { ConsoleAssets } from './assets.ts'
import { drawError } from './shell.tsx'
import type { AppVisit, OpenVisit, Visit } from './visit.ts'

type Method = 'GET' | 'POST'
type Answer = PageAnswer | Promise<PageAnswer>

/** Makes the routes of the console. Each kind checks before its handler runs. */
export interface Screens {
  /** For anyone, such as the sign-in page. The path is relative to `/console`. */
  open(method: Method, path: string, handler: (visit: OpenVisit) => Answer): Route
  /** For every person with a session, such as the profile. Relative to `/console`, or to another root. */
  person(method: Method, path: string, handler: (visit: Visit) => Answer, root?: '/auth'): Route
  /**
   * For members of the app's licence whose role has the permission that people/access/console.ts names.
   * Relative to `/console/{appId}`.
   */
  app(method: Method, path: string, handler: (visit: AppVisit) => Answer): Route
}

export function createScreens(ctx: Context, assets: ConsoleAssets): Screens {
  const page = createPageRoutes(ctx, assets, 'console')
  const make = (
    method: Method,
    path: string,
    handler: (call: PageCall) => Answer,
    root = '/console',
  ): Route => page({ method, path: root + path, summary: 'Console', handler: async (call) => handler(call) })

  const openVisit = (call: PageCall, person?: SignedIn): OpenVisit => {
    const language = consoleLanguage(person?.language, call.lang, call.acceptLanguage)
    return { ctx, call, assets, language, texts: language.texts, now: ctx.clock.now() }
  }

  /** The visit of a person, or the redirect to the sign-in page. */
  async function enter(call: PageCall): Promise<Visit | PageAnswer> {
    const person = await findSession(ctx, call.cookie(cookieName(ctx)))
    if (!person) return seeOther(signInUrl(call))
    call.admit(person.sessionId)
    const apps = await appsOf(ctx, person)
    const app = apps.find(({ appId }) => appId === call.params.appId) ?? apps[0]
    const actor = {
      kind: 'person',
      id: person.personId,
      name: person.email,
      address: call.address,
      requestId: call.requestId,
    } as const
    return {
      ...openVisit(call, person),
      ctx: acting(ctx, actor),
      person,
      formId: newFormId(ctx, formOwner(person)),
      app,
      apps,
      can: (permission) => app !== undefined && may(person, app.licenseId, permission),
    }
  }

  const guarded =
    (handler: (visit: Visit) => Answer) =>
    async (call: PageCall): Promise<PageAnswer> => {
      const visit = await enter(call)
      if (!('person' in visit)) return visit
      try {
        return await handler(visit)
      } catch (error) {
        return drawError(visit, toApiError(error, ctx.log, call.requestId))
      }
    }

  return {
    open: (method, path, handler) =>
      make(method, path, async (call) => {
        const visit = openVisit(call)
        try {
          return await handler(visit)
        } catch (error) {
          return drawError(visit, toApiError(error, ctx.log, call.requestId))
        }
      }),
    person: (method, path, handler, root) =>
      make(
        method,
        path,
        guarded((visit) => {
          checkForm(visit)
          return handler(visit)
        }),
        root,
      ),
    app: (method, path, handler) => {
      const permission = permissionFor(method, `/console/{appId}${path}`)
      if (!permission) throw new Error(`people/access/console.ts has no row for ${method} ${path}`)
      return make(
        method,
        `/{appId}${path}`,
        guarded((visit) => {
          const { app, person, call } = visit
          // The same answer for an app of others as for one that does not exist.
          if (app?.appId !== call.params.appId || !app) throw notFound('The app')
          if (!visit.can(permission)) throw new ApiError('forbidden', 'Your role does not allow this.')
          checkForm(visit)
          const role = membershipOf(person, app.licenseId)?.role ?? 'Viewer'
          return handler({ ...visit, app, role, base: `/console/${app.appId}` })
        }),
      )
    },
  }
}

/** Back to the requested page after the sign-in; a form is not repeated. */
function signInUrl({ isPost, path }: PageCall): string {
  if (isPost) return '/console/sign-in'
  const [base = '', query] = path.split('?')
  // Escaped in one way, whatever the client escaped: `nextPage` accepts few characters.
  const same = query === undefined ? '' : `?${new URLSearchParams(query)}`.replaceAll('*', '%2A')
  return `/console/sign-in?next=${encodeURIComponent(base + same)}`
}

const formOwner = ({ sessionId }: SignedIn): string => `console.${sessionId}`

function checkForm({ ctx, call, person }: Visit): void {
  if (!call.isPost) return
  const nonce = readFormId(ctx, formOwner(person), call.form.get('form') ?? '')
  if (nonce === undefined)
    throw new ApiError('forbidden', 'The form is out of date.', { members: { forged: true } })
}

async function appsOf(ctx: Context, { memberships }: SignedIn): Promise<App[]> {
  const ids = await Promise.all(memberships.map(({ licenseId }) => appIdsOfLicense(ctx, licenseId)))
  const apps = await Promise.all(ids.flat().map((appId) => loadApp(ctx, appId)))
  return apps.filter((app) => app !== undefined)
}
