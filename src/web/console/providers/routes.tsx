import { LIMITS } from '../../../base/limits.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import type { Manifest } from '../../../providers/port.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
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

export function providersScreens(): ScreenRoute[] {
  const one = '/providers/{profileId}'
  const long = { formBytes: LIMITS.longFormBytes }
  return [
    app('GET', '/providers', 'GatewayListRead', showList),
    app('GET', '/providers/add', 'PaymentProfileWrite', showChoices),
    app('GET', '/providers/add/{provider}', proof('PaymentProfileWrite'), showNew),
    app('POST', '/providers/add/{provider}', proof('PaymentProfileWrite'), addProfile, long),
    app('GET', one, 'GatewayListRead', showDetail),
    app('POST', one, proof('PaymentProfileWrite'), changeGeneral),
    app('POST', `${one}/methods`, proof('PaymentProfileWrite', '/providers/{profileId}'), changeMethods),
    app('POST', `${one}/fees`, proof('PaymentProfileWrite', '/providers/{profileId}'), changeFees),
    app('GET', `${one}/credentials`, proof('PaymentProfileWrite'), showCredentials),
    app('POST', `${one}/credentials`, proof('PaymentProfileWrite'), changeCredentials, long),
    app('GET', `${one}/check`, 'PaymentProfileWrite', showCheck),
    app('GET', `${one}/connect`, 'PaymentProfileWrite', showConnect),
    app('POST', `${one}/connect`, proof('PaymentProfileWrite'), connect),
    app('GET', `${one}/review`, 'PaymentProfileWrite', showReview),
    app('GET', `${one}/arrivals`, 'GatewayListRead', showArrivals),
    app('GET', `${one}/disable`, proof('PaymentProfileWrite'), askDisable),
    app('POST', `${one}/disable`, proof('PaymentProfileWrite'), disable),
    app('POST', `${one}/enable`, proof('PaymentProfileWrite', '/providers/{profileId}'), enable),
  ]
}

async function showList(request: AppRequest): Promise<PageAnswer> {
  const { texts, base } = request
  return renderScreen(request, {
    name: 'providers',
    title: texts.providers.title,
    flash: noteOf(request),
    actions: request.can('PaymentProfileWrite') && (
      <GetButton href={`${base}/providers/add`} kind="primary">
        {texts.providers.add}
      </GetButton>
    ),
    children: <ProviderCards performanceOf={await performanceOfAll(request)} />,
  })
}

function showChoices(request: AppRequest): PageAnswer {
  const { ctx, app, texts, call } = request
  const words = (call.query.q ?? '').trim().toLowerCase().split(/\s+/).filter(Boolean)
  const manifests = [...ctx.providers.values()]
    .map(({ manifest }) => manifest)
    .filter((manifest) => isUsable(manifest, app.isSandbox))
    .filter((manifest) => words.every((word) => searchText(request, manifest).includes(word)))
    .sort((a, b) => a.name.localeCompare(b.name))
  return renderScreen(request, {
    name: 'providers',
    title: texts.providers.chooseTitle,
    crumbs: crumbsOf(request),
    children: <Choose manifests={manifests} />,
  })
}

function searchText({ texts }: AppRequest, manifest: Manifest): string {
  const methods = methodsOf(manifest).map((kind) => texts.providers.methodNames[kind])
  return [manifest.name, manifest.id, ...methods].join(' ').toLowerCase()
}
