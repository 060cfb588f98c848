import { changeProfile } from '../../../merchants/profiles/commands.ts'
import { profileArrivals } from '../../../notifications/arrivals.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { METHOD_KINDS, type MethodKind } from '../../../providers/outcome.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { NO_ERRORS, readRefusal } from '../../kit/refusal.ts'
import { Question } from '../../kit/html/forms.tsx'
import { renderDetail, usesOf } from './detail.tsx'
import { checkDraft, readCodes, readDraft, requestedProfile } from './draft.ts'
import { readFees } from './fees.tsx'
import { ArrivalText, nameOf } from './parts.tsx'
import { checkOf, crumbsOf, renderCredentials, profilePath } from './setup.tsx'
import { renderPart } from '../../kit/screen.tsx'

/** Changes of one provider, each by its own form. */

export const showDetail = (request: AppRequest): Promise<PageAnswer> => renderDetail(request, {})

export async function changeGeneral(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const profile = requestedProfile(request)
  const { name, currency } = readDraft(request)
  try {
    checkDraft(request, { name, currency, methods: profile.methods })
    const currencies = readCodes(call.form.get('currencies') ?? '')
    await changeProfile(ctx, app, profile.profileId, { name, currency, currencies })
  } catch (error) {
    return renderDetail(request, { errors: readRefusal(request, error) })
  }
  return seeOther(`${profilePath(request, profile)}?note=saved`)
}

export async function changeFees(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app } = request
  const profile = requestedProfile(request)
  try {
    await changeProfile(ctx, app, profile.profileId, { fees: readFees(request) })
  } catch (error) {
    return renderDetail(request, { errors: readRefusal(request, error) })
  }
  return seeOther(`${profilePath(request, profile)}?note=saved`)
}

export async function changeMethods(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const profile = requestedProfile(request)
  const [act = '', kind] = (call.form.get('act') ?? '').split(':')
  const method = METHOD_KINDS.find((one) => one === kind)
  try {
    const methods = method ? rearranged(profile.methods, act, method) : profile.methods
    await changeProfile(ctx, app, profile.profileId, { methods })
  } catch (error) {
    return renderDetail(request, { errors: readRefusal(request, error) })
  }
  return seeOther(`${profilePath(request, profile)}?note=saved${method ? `#method-${method}` : ''}`)
}

/** An act that is not possible, as on an outdated page, changes nothing. */
function rearranged(methods: readonly MethodKind[], act: string, method: MethodKind): readonly MethodKind[] {
  const place = methods.indexOf(method)
  if (act === 'add') return place < 0 ? [...methods, method] : methods
  const others = methods.filter((one) => one !== method)
  if (place < 0 || others.length === 0) return methods
  if (act === 'remove') return others
  return act === 'up' || act === 'down'
    ? others.toSpliced(Math.max(0, act === 'up' ? place - 1 : place + 1), 0, method)
    : methods
}

/** A read at the provider without side effects; a refresh of the page repeats it. */
export async function showCheck(request: AppRequest): Promise<PageAnswer> {
  const check = await checkOf(request, requestedProfile(request))
  return request.call.query.from === 'setup'
    ? renderCredentials(request, NO_ERRORS, check)
    : renderDetail(request, { check })
}

export async function askDisable(request: AppRequest): Promise<PageAnswer> {
  const { texts, app } = request
  const { providers } = texts
  const profile = requestedProfile(request)
  const { routes, stored } = await usesOf(request, profile)
  const path = profilePath(request, profile)
  const isLast = app.profiles.every((one) => one.profileId === profile.profileId || !one.isActive)
  return renderScreen(request, {
    name: 'providers',
    title: providers.disableTitle(nameOf(profile)),
    crumbs: crumbsOf(request),
    children: (
      <Question
        action={`${path}/disable`}
        button={providers.disableOne(nameOf(profile))}
        kind="danger"
        back={path}
      >
        <p>{providers.disableBody}</p>
        {isLast && <p>{providers.disableLast}</p>}
        {stored.count > 0 && <p>{providers.disableMethods(stored.count, stored.count >= stored.most)}</p>}
        {routes > 0 && <p>{providers.disableRoutes(routes)}</p>}
        {stored.count === 0 && routes === 0 && <p>{providers.disableNothing}</p>}
      </Question>
    ),
  })
}

const switching =
  (isActive: boolean) =>
  async (request: AppRequest): Promise<PageAnswer> => {
    const profile = requestedProfile(request)
    try {
      await changeProfile(request.ctx, request.app, profile.profileId, { isActive })
    } catch (error) {
      return renderDetail(request, { errors: readRefusal(request, error) })
    }
    return seeOther(`${profilePath(request, profile)}?note=${isActive ? 'enabled' : 'disabled'}`)
  }

export const enable = switching(true)
export const disable = switching(false)

/** The part of the page that tells whether notifications arrive, for the script that asks again. */
export async function showArrivals(request: AppRequest): Promise<PageAnswer> {
  const profile = requestedProfile(request)
  const arrivals = await profileArrivals(request.ctx, request.app, profile.profileId)
  const path = profilePath(request, profile)
  const page = request.call.query.page === `${path}/connect` ? `${path}/connect` : path
  const part = <ArrivalText profile={profile} arrivals={arrivals} page={page} />
  return renderPart(request, part)
}
