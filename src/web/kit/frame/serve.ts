import { ApiError, notFound } from '../../../base/errors.ts'
import { isTimeZone } from '../../../base/time/zone.ts'
import { acting, type Context } from '../../../context.ts'
import { countOpen } from '../../../disputes/commands.ts'
import { readCookie } from '../../../http/client/cookie.ts'
import { toApiError } from '../../../http/problem.ts'
import type { Call, LargeBodySender, Route } from '../../../http/route.ts'
import type { App } from '../../../merchants/app.ts'
import { loadApp } from '../../../merchants/directory.ts'
import { appIdsOfLicense } from '../../../merchants/licenses/commands.ts'
import { countNotices } from '../../../notices/notices.ts'
import { countHeld } from '../../../payments/search/search.ts'
import type { Permission } from '../../../people/access/roles.ts'
import type { AppRule } from '../../../people/access/rule.ts'
import { grantsIn } from '../../../people/access/scopes.ts'
import { cookieName } from '../../../people/cookie.ts'
import { codeOf, findSession } from '../../../people/sessions/sessions.ts'
import { may, membershipOf, type SignedIn } from '../../../people/signed-in.ts'
import { type PageAnswer, seeOther } from '../request/answer.ts'
import type { PageCall } from '../request/call.ts'
import { newFormId, readFormId } from '../request/form-id.ts'
import { createPageRoutes } from '../request/page-route.ts'
import { APP, CONSOLE, type ScreenRoute } from '../route.ts'
import { consoleLanguage } from '../texts/languages.ts'
import type { ConsoleAssets } from './assets.ts'
import { noticeReader } from './bell.tsx'
import { missingProof, sameAddress } from './proof.ts'
import type { AppRequest, OpenRequest, PersonRequest } from './request.ts'
import { renderError } from './shell.tsx'

export interface ScreensOptions {
  readonly assets: ConsoleAssets
  readonly routes: readonly ScreenRoute[]
}

/** Serves the routes of the console. Each kind of route checks before its handler runs. */
export function serveScreens(ctx: Context, { assets, routes }: ScreensOptions): Route[] {
  const page = createPageRoutes(ctx, assets, 'console')
  const rules = new Map(
    routes.map((route) => [`${route.method} ${route.path}`, route.kind === 'app' ? route.rule : undefined]),
  )
  const entrance: Entrance = { ctx, assets, ruleFor: (name) => rules.get(name) }
  return routes.map((route) => ({
    ...page({
      method: route.method,
      path: route.path,
      summary: 'Console',
      ...route.form,
      largeBody: ({ headers }) => senderOf(ctx, headers),
      handler: (call) => answer(entrance, route, call),
    }),
    ...(route.kind !== 'open' && { access: route.rule }),
  }))
}

/** A file is read for people with a session only: others are led to the sign-in page before. */
async function senderOf(ctx: Context, headers: Call['headers']): Promise<LargeBodySender> {
  const person = await findSession(ctx, readCookie(headers, cookieName(ctx)))
  return person ? { subject: person.personId } : { location: '/console/sign-in' }
}

interface Entrance {
  readonly ctx: Context
  readonly assets: ConsoleAssets
  /** The rule of a route of an app. */
  ruleFor(route: string): AppRule | undefined
}

/** The only place that lets a request in. People without a session are led to the sign-in page. */
async function answer(entrance: Entrance, route: ScreenRoute, call: PageCall): Promise<PageAnswer> {
  if (route.kind === 'open') return orError(openRequest(entrance, call), route.handler)
  const request = await enter(entrance, call)
  if (!('person' in request)) return request
  return orError(request, async () => {
    if (route.kind === 'person') return enterPerson(request, route) ?? route.handler(request)
    const entered = await enterApp(request, route.rule)
    return 'person' in entered ? route.handler(entered) : entered
  })
}

/** The error page where the handler throws. */
async function orError<R extends OpenRequest>(
  request: R,
  handler: (request: R) => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await handler(request)
  } catch (error) {
    return renderError(request, toApiError(error, request.ctx.log, request.call.requestId))
  }
}

function openRequest({ ctx, assets }: Entrance, call: PageCall, person?: SignedIn): OpenRequest {
  const language = consoleLanguage(person?.language, call.lang, call.acceptLanguage)
  return { ctx, call, assets, language, texts: language.texts, now: ctx.clock.now() }
}

/** The time zone of the browser, from the cookie that the script sets. */
export function seenZone(call: PageCall): string | undefined {
  const zone = call.cookie('tender_zone')?.replaceAll('.', '/')
  return zone && isTimeZone(zone) ? zone : undefined
}

/** The request of a person, or the redirect to the sign-in page. */
async function enter(entrance: Entrance, call: PageCall): Promise<PersonRequest | PageAnswer> {
  const { ctx } = entrance
  const person = await findSession(ctx, call.cookie(cookieName(ctx)))
  if (!person) return seeOther(signInUrl(call))
  call.admit(person.sessionId)
  const apps = await appsOf(ctx, person)
  const app = apps.find(({ appId }) => appId === call.params.appId) ?? apps[0]
  const can = (permission: Permission) => app !== undefined && may(person, app.licenseId, permission)
  const { address, requestId } = call
  const actor = {
    kind: 'person',
    id: person.personId,
    name: person.email,
    address,
    requestId,
    code: codeOf(person, ctx.clock.now()),
    grants: app ? grantsIn(person, app.licenseId) : [],
    may: (permission: string) => can(permission as Permission),
  } as const
  return {
    ...openRequest(entrance, call, person),
    ctx: acting(ctx, actor),
    person: { ...person, timeZone: person.timeZone ?? seenZone(call) ?? app?.timeZone ?? null },
    formId: newFormId(ctx, formOwner(person)),
    app,
    apps,
    badges: {},
    can,
    mayUse: (method, path) => {
      const rule = entrance.ruleFor(`${method} ${APP}${path}`)
      return rule !== undefined && can(rule.permission)
    },
  }
}

type PersonRoute = Extract<ScreenRoute, { kind: 'person' }>

/** The redirect to the page that asks for a proof; undefined when the handler may run. */
function enterPerson(request: PersonRequest, { path, rule }: PersonRoute): PageAnswer | undefined {
  // Others get the answer of a page that does not exist, before they are asked for anything.
  if (rule.operator && !request.person.isOperator) throw notFound('The page')
  const proof = missingProof(request, rule, path.startsWith(CONSOLE) ? CONSOLE : '/auth')
  if (proof !== undefined) return seeOther(proof)
  checkForm(request)
  return undefined
}

/**
 * The request of a member for a page of the app, or the redirect to the page that asks for a proof. The
 * permission is checked before the proof, and both before the form.
 */
async function enterApp(request: PersonRequest, rule: AppRule): Promise<AppRequest | PageAnswer> {
  const { app, person, call } = request
  // The same answer for an app of others as for one that does not exist.
  if (app?.appId !== call.params.appId || !app) throw notFound('The app')
  if (!request.can(rule.permission)) throw new ApiError('forbidden', 'Your role does not allow this.')
  const base = `/console/${app.appId}`
  const proof = missingProof(request, rule, base)
  if (proof !== undefined) return seeOther(proof)
  checkForm(request)
  const role = membershipOf(person, app.licenseId)?.role ?? 'Viewer'
  return { ...request, app, role, badges: await badgesOf(request, app), base }
}

/** Back to the requested page after the sign-in; a form is not repeated. */
const signInUrl = (call: PageCall): string =>
  call.isPost ? '/console/sign-in' : `/console/sign-in?next=${encodeURIComponent(sameAddress(call))}`

/** Held payments and open disputes, for people who act on them, and unread notices. */
async function badgesOf(request: PersonRequest, app: App): Promise<PersonRequest['badges']> {
  const { ctx, call, can } = request
  if (call.wantsJson) return {}
  const [reviews, disputes, notices] = await Promise.all([
    can('PaymentReview') ? countHeld(ctx, app) : 0,
    can('PaymentWrite') ? countOpen(ctx, app) : 0,
    call.isPost ? 0 : countNotices(ctx, noticeReader(request, app)),
  ])
  return { reviews, disputes, notices }
}

const formOwner = ({ sessionId }: SignedIn): string => `console.${sessionId}`

function checkForm({ ctx, call, person }: PersonRequest): void {
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
