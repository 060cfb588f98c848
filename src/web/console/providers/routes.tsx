import { LIMITS } from '../../../base/limits.ts'
import type { Route } from '../../../http/route.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import type { Manifest } from '../../../providers/port.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { GetButton } from '../parts/forms.tsx'
import {
  askDisable,
  changeFees,
  changeGeneral,
  changeMethods,
  disable,
  enable,
  showArrivals,
  showCheck,
  showDetail,
} from './change.tsx'
import { connect, showConnect, showReview } from './connect.tsx'
import { isUsable, methodsOf } from './draft.ts'
import { performanceOfAll } from './figures.tsx'
import { Choose, ProviderCards } from './list.tsx'
import { addProfile, changeCredentials, crumbsOf, noteOf, showCredentials, showNew } from './setup.tsx'

export function providersScreens({ app }: Screens): Route[] {
  const one = '/providers/{profileId}'
  const long = { formBytes: LIMITS.longFormBytes }
  return [
    app('GET', '/providers', showList),
    app('GET', '/providers/add', showChoices),
    app('GET', '/providers/add/{provider}', showNew),
    app('POST', '/providers/add/{provider}', addProfile, long),
    app('GET', one, showDetail),
    app('POST', one, changeGeneral),
    app('POST', `${one}/methods`, changeMethods),
    app('POST', `${one}/fees`, changeFees),
    app('GET', `${one}/credentials`, showCredentials),
    app('POST', `${one}/credentials`, changeCredentials, long),
    app('GET', `${one}/check`, showCheck),
    app('GET', `${one}/connect`, showConnect),
    app('POST', `${one}/connect`, connect),
    app('GET', `${one}/review`, showReview),
    app('GET', `${one}/arrivals`, showArrivals),
    app('GET', `${one}/disable`, askDisable),
    app('POST', `${one}/disable`, disable),
    app('POST', `${one}/enable`, enable),
  ]
}

async function showList(visit: AppVisit): Promise<PageAnswer> {
  const { texts, base } = visit
  return drawScreen(visit, {
    name: 'providers',
    title: texts.providers.title,
    flash: noteOf(visit),
    actions: visit.can('PaymentProfileWrite') && (
      <GetButton href={`${base}/providers/add`} kind="primary">
        {texts.providers.add}
      </GetButton>
    ),
    children: <ProviderCards visit={visit} performanceOf={await performanceOfAll(visit)} />,
  })
}

function showChoices(visit: AppVisit): PageAnswer {
  const { ctx, app, texts, call } = visit
  const words = (call.query.q ?? '').trim().toLowerCase().split(/\s+/).filter(Boolean)
  const manifests = [...ctx.providers.values()]
    .map(({ manifest }) => manifest)
    .filter((manifest) => isUsable(manifest, app.isSandbox))
    .filter((manifest) => words.every((word) => searchText(visit, manifest).includes(word)))
    .sort((a, b) => a.name.localeCompare(b.name))
  return drawScreen(visit, {
    name: 'providers',
    title: texts.providers.chooseTitle,
    crumbs: crumbsOf(visit),
    children: <Choose visit={visit} manifests={manifests} />,
  })
}

function searchText({ texts }: AppVisit, manifest: Manifest): string {
  const methods = methodsOf(manifest).map((kind) => texts.providers.methodNames[kind])
  return [manifest.name, manifest.id, ...methods].join(' ').toLowerCase()
}
