import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import type { AnsweredRequest } from '../../http/answered.ts'
import type { App } from '../../merchants/app.ts'
import type { Masking } from '../mask.ts'
import { logs } from '../state.ts'
import { type ApiLine, lineOf, maskedBody, SECRET_ANSWER, showsBodies } from './lines.ts'

type Ctx = Pick<Context, 'node' | 'config' | 'providers' | 'log'>

/**
 * Adds a request of an app to the log. Requests that the guard refused belong to no app: anyone could fill
 * the log of an app with them. Never throws.
 */
export function recordApiCall(ctx: Ctx, request: AnsweredRequest): void {
  if (ctx.config.apiLog === false || !isApp(request.caller)) return
  try {
    record(ctx, request.caller, request)
  } catch (error) {
    ctx.log.error('api_log.failed', errorData(error))
  }
}

/** The guards of other routes return no object. */
const isApp = (caller: unknown): caller is App =>
  typeof caller === 'object' && caller !== null && 'appId' in caller && 'isSandbox' in caller

function record(ctx: Ctx, app: App, request: AnsweredRequest): void {
  const state = logs(ctx)
  const { status, ms } = request
  const startTime = new Date(request.startedMs + app.clockOffsetMs)
  const isAdmitted = state.api.share.admit(app.appId, status < 400)
  const isLeftOut = !isAdmitted || !enqueue(ctx, app, request, startTime)
  state.api.minutes.add(app.appId, startTime, { status, ms, isLeftOut })
  if (isLeftOut) state.leftOut++
}

function enqueue(ctx: Ctx, app: App, request: AnsweredRequest, startTime: Date): boolean {
  const { queue, share } = logs(ctx).api
  // Lines about a payment are erased with its customer; lines about customers hold nothing to erase.
  const isPersonal = !app.isSandbox || request.route.includes('/customers')
  const masking = { names: secretSettings(ctx), isPersonal }
  const bodies = bodiesOf(app, request, masking)
  const bytes = (bodies.requestBody?.length ?? 0) + (bodies.answerBody?.length ?? 0)
  const shown = bytes === 0 || share.admitBytes(app.appId, bytes) ? bodies : NO_BODIES
  return queue.add({ ...lineOf(request, app, startTime, masking), ...shown }, LINE_BYTES + bytes)
}

/** About the size of a line without bodies. */
const LINE_BYTES = 500

type Bodies = Pick<ApiLine, 'requestBody' | 'answerBody'>
const NO_BODIES: Bodies = { requestBody: null, answerBody: null }

function bodiesOf(app: App, request: AnsweredRequest, masking: Masking): Bodies {
  if (!showsBodies(app, request.status)) return NO_BODIES
  const { requestBody, answer, isSecret } = request
  return {
    requestBody: maskedBody(requestBody, masking),
    answerBody: isSecret && request.status < 400 ? SECRET_ANSWER : maskedBody(answer, masking),
  }
}

const names = new WeakMap<Ctx['providers'], ReadonlySet<string>>()

/** Names of the secret settings of all providers, in lower case. */
function secretSettings({ providers }: Ctx): ReadonlySet<string> {
  const known = names.get(providers)
  if (known) return known
  const found = [...providers.values()].flatMap(({ manifest }) =>
    manifest.settings.fields.filter(({ secret }) => secret).map(({ name }) => name.toLowerCase()),
  )
  const set = new Set(found)
  names.set(providers, set)
  return set
}
