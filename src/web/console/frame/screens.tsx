import { ApiError, notFound } from '../../../base/errors.ts'
import { acting, type Context } from '../../../context.ts'
import { toApiError } from '../../../http/problem.ts'
import type { Route } from '../../../http/route.ts'
import type { App } from '../../../merchants/app.ts'
import { loadApp } from '../../../merchants/directory.ts'
import { appIdsOfLicense } from '../../../merchants/licenses/commands.ts'
import { newFormId, readFormId } from '../../kit/request/form-id.ts'
import type { LiveStreams } from '../../kit/request/live-streams.ts'
import { createPageRoutes, type PageAnswer, type PageCall, seeOther } from '../../kit/request/page-route.tsx'
import { countHeld } from '../../../payments/search/search.ts'
import type { AppRule, SessionRule } from '../../../people/access/rule.ts'
import { grantsIn } from '../../../people/access/scopes.ts'
import { personRuleFor, ruleFor } from '../../../people/access/table.ts'
import { cookieName } from '../../../people/cookie.ts'
import { codeOf, findSession } from '../../../people/sessions/sessions.ts'
import { may, membershipOf, type SignedIn } from '../../../people/signed-in.ts'
import { consoleLanguage } from '../texts/languages.ts'
import type { ConsoleAssets } from './assets.ts'
import { missingProof, sameAddress } from './proof.ts'
import { drawError } from './shell.tsx'
import type { AppVisit, OpenVisit, Visit } from './visit.ts'

type Method = 'GET' | 'POST'
type Answer = PageAnswer | Promise<PageAnswer>

/** Makes the routes of the console. Each kind checks before its handler runs. */
export interface Screens {
  /** For anyone, such as the sign-in page. The path is relative to `/console`. */
  open(method: Method, path: string, handler: (visit: OpenVisit) => Answer): Route
  /**
   * For every person with a session, such as the profile. Relative to `/console`, or to another root. Some
   * ask for a fresh proof: people/access/person.ts names them.
   */
  person(method: Method, path: string, handler: (visit: Visit) => Answer, root?: '/console' | '/auth'): Route
  /**
   * For members of the app's licence whose role has the permission that people/access/console.ts names, with
   * a fresh proof where it asks for one. Relative to `/console/{appId}`.
   */
  app(method: Method, path: string, handler: (visit: AppVisit) => Answer, form?: FormSize): Route
  readonly streams: LiveStreams
}

/** Of a form that has files, or more than 16 KiB. */
interface FormSize {
  readonly formBytes: number
  readonly takesFiles?: true
}

export interface ScreensOptions {
  readonly assets: ConsoleAssets
  readonly streams: LiveStreams
}

export function createScreens(ctx: Context, { assets, streams }: ScreensOptions): Screens {
  const page = createPageRoutes(ctx, assets, 'console')
  const make = (
    method: Method,
    path: string,
    handler: (call: PageCall) => Answer,
    form: Partial<FormSize> = {},
  ): Route => page({ method, path, summary: 'Console', ...form, handler: async (call) => handler(call) })

  /** Draws an error page when the handler throws. */
  async function orError<V extends OpenVisit>(visit: V, handler: (visit: V) => Answer): Promise<PageAnswer> {
    try {
      return await handler(visit)
    } catch (error) {
      return drawError(visit, toApiError(error, ctx.log, visit.call.requestId))
    }
  }

  /** Runs the handler for a person with a session; others are led to the sign-in page. */
  const guarded = (handler: (visit: Visit) => Answer) => async (call: PageCall) => {
    const visit = await enter(ctx, assets, call)
    return 'person' in visit ? orError(visit, handler) : visit
  }

  return {
    open: (method, path, handler) =>
      make(method, `/console${path}`, (call) => orError(openVisit(ctx, assets, call), handler)),
    person: (method, path, handler, root = '/console') => {
      const rule = personRuleFor(method, root + path)
      return make(
        method,
        root + path,
        guarded((visit) => enterPerson(visit, rule, root) ?? handler(visit)),
      )
    },
    app: (method, path, handler, form) => {
      const rule = ruleFor(method, `/console/{appId}${path}`)
      if (!rule) throw new Error(`people/access/console.ts has no row for ${method} ${path}`)
      return make(
        method,
        `/console/{appId}${path}`,
        guarded(async (visit) => {
          const entered = await enterApp(visit, rule)
          return 'person' in entered ? handler(entered) : entered
        }),
        form,
      )
    },
    streams,
  }
}

function openVisit(ctx: Context, assets: ConsoleAssets, call: PageCall, person?: SignedIn): OpenVisit {
  const language = consoleLanguage(person?.language, call.lang, call.acceptLanguage)
  return { ctx, call, assets, language, texts: language.texts, now: ctx.clock.now() }
}

/** The visit of a person, or the redirect to the sign-in page. */
async function enter(ctx: Context, assets: ConsoleAssets, call: PageCall): Promise<Visit | PageAnswer> {
  const person = await findSession(ctx, call.cookie(cookieName(ctx)))
  if (!person) return seeOther(signInUrl(call))
  call.admit(person.sessionId)
  const apps = await appsOf(ctx, person)
  const app = apps.find(({ appId }) => appId === call.params.appId) ?? apps[0]
  const { address, requestId } = call
  const actor = {
    kind: 'person',
    id: person.personId,
    name: person.email,
    address,
    requestId,
    code: codeOf(person, ctx.clock.now()),
    grants: app ? grantsIn(person, app.licenseId) : [],
  } as const
  return {
    ...openVisit(ctx, assets, call, person),
    ctx: acting(ctx, actor),
    person,
    formId: newFormId(ctx, formOwner(person)),
    app,
    apps,
    badges: {},
    can: (permission) => app !== undefined && may(person, app.licenseId, permission),
  }
}

/** The redirect to the page that asks for a proof; undefined when the handler may run. */
function enterPerson(visit: Visit, rule: SessionRule, root: string): PageAnswer | undefined {
  // Others get the answer of a page that does not exist, before they are asked for anything.
  if (rule.operator && !visit.person.isOperator) throw notFound('The page')
  const proof = missingProof(visit, rule, root)
  if (proof !== undefined) return seeOther(proof)
  checkForm(visit)
  return undefined
}

/**
 * The visit of a member to a page of the app, or the redirect to the page that asks for a proof. The
 * permission is checked before the proof, and both before the form.
 */
async function enterApp(visit: Visit, rule: AppRule): Promise<AppVisit | PageAnswer> {
  const { app, person, call } = visit
  // The same answer for an app of others as for one that does not exist.
  if (app?.appId !== call.params.appId || !app) throw notFound('The app')
  if (!visit.can(rule.permission)) throw new ApiError('forbidden', 'Your role does not allow this.')
  const base = `/console/${app.appId}`
  const proof = missingProof(visit, rule, base)
  if (proof !== undefined) return seeOther(proof)
  checkForm(visit)
  const role = membershipOf(person, app.licenseId)?.role ?? 'Viewer'
  return { ...visit, app, role, badges: await badgesOf(visit, app), base }
}

/** Back to the requested page after the sign-in; a form is not repeated. */
const signInUrl = (call: PageCall): string =>
  call.isPost ? '/console/sign-in' : `/console/sign-in?next=${encodeURIComponent(sameAddress(call))}`

/** Held payments, for people who review them. */
async function badgesOf({ ctx, call, can }: Visit, app: App): Promise<Visit['badges']> {
  if (call.wantsJson || !can('PaymentReview')) return {}
  return { reviews: await countHeld(ctx, app) }
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
