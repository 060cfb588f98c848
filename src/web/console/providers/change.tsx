import { renderToString } from 'preact-render-to-string'
import { changeProfile } from '../../../merchants/profiles/commands.ts'
import { profileArrivals } from '../../../notifications/arrivals.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { pageHeaders } from '../../kit/html/headers.ts'
import { METHOD_KINDS, type MethodKind } from '../../../providers/outcome.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { NO_ERRORS, readRefusal } from '../parts/form-errors.ts'
import { Ask } from '../parts/forms.tsx'
import { drawDetail, usesOf } from './detail.tsx'
import { checkDraft, readCodes, readDraft, requestedProfile } from './draft.ts'
import { readFees } from './fees.tsx'
import { ArrivalText, nameOf } from './parts.tsx'
import { checkOf, crumbsOf, drawCredentials, profilePath } from './setup.tsx'

/** Changes of one provider, each by its own form. */

export const showDetail = (visit: AppVisit): Promise<PageAnswer> => drawDetail(visit, {})

export async function changeGeneral(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const profile = requestedProfile(visit)
  const { name, currency } = readDraft(visit)
  try {
    checkDraft(visit, { name, currency, methods: profile.methods })
    const currencies = readCodes(call.form.get('currencies') ?? '')
    await changeProfile(ctx, app, profile.profileId, { name, currency, currencies })
  } catch (error) {
    return drawDetail(visit, { errors: readRefusal(visit, error) })
  }
  return seeOther(`${profilePath(visit, profile)}?note=saved`)
}

export async function changeFees(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app } = visit
  const profile = requestedProfile(visit)
  try {
    await changeProfile(ctx, app, profile.profileId, { fees: readFees(visit) })
  } catch (error) {
    return drawDetail(visit, { errors: readRefusal(visit, error) })
  }
  return seeOther(`${profilePath(visit, profile)}?note=saved`)
}

export async function changeMethods(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const profile = requestedProfile(visit)
  const [act = '', kind] = (call.form.get('act') ?? '').split(':')
  const method = METHOD_KINDS.find((one) => one === kind)
  try {
    const methods = method ? rearranged(profile.methods, act, method) : profile.methods
    await changeProfile(ctx, app, profile.profileId, { methods })
  } catch (error) {
    return drawDetail(visit, { errors: readRefusal(visit, error) })
  }
  return seeOther(`${profilePath(visit, profile)}?note=saved${method ? `#method-${method}` : ''}`)
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
export async function showCheck(visit: AppVisit): Promise<PageAnswer> {
  const check = await checkOf(visit, requestedProfile(visit))
  return visit.call.query.from === 'setup'
    ? drawCredentials(visit, NO_ERRORS, check)
    : drawDetail(visit, { check })
}

export async function askDisable(visit: AppVisit): Promise<PageAnswer> {
  const { texts, app } = visit
  const { providers } = texts
  const profile = requestedProfile(visit)
  const { routes, stored } = await usesOf(visit, profile)
  const path = profilePath(visit, profile)
  const isLast = app.profiles.every((one) => one.profileId === profile.profileId || !one.isActive)
  return drawScreen(visit, {
    name: 'providers',
    title: providers.disableTitle(nameOf(profile)),
    crumbs: crumbsOf(visit),
    children: (
      <Ask
        visit={visit}
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
      </Ask>
    ),
  })
}

const switching =
  (isActive: boolean) =>
  async (visit: AppVisit): Promise<PageAnswer> => {
    const profile = requestedProfile(visit)
    try {
      await changeProfile(visit.ctx, visit.app, profile.profileId, { isActive })
    } catch (error) {
      return drawDetail(visit, { errors: readRefusal(visit, error) })
    }
    return seeOther(`${profilePath(visit, profile)}?note=${isActive ? 'enabled' : 'disabled'}`)
  }

export const enable = switching(true)
export const disable = switching(false)

/** The part of the page that tells whether notifications arrive, for the script that asks again. */
export async function showArrivals(visit: AppVisit): Promise<PageAnswer> {
  const profile = requestedProfile(visit)
  const arrivals = await profileArrivals(visit.ctx, visit.app, profile.profileId)
  const path = profilePath(visit, profile)
  const page = visit.call.query.page === `${path}/connect` ? `${path}/connect` : path
  const part = <ArrivalText visit={visit} profile={profile} arrivals={arrivals} page={page} />
  return { html: renderToString(part), headers: { ...pageHeaders({}), 'cache-control': 'no-store' } }
}
