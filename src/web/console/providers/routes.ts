import { LIMITS } from '../../../base/limits.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import {
  changeFees,
  changeGeneral,
  changeMethods,
  disableRoutes,
  enableRoutes,
  removeRoutes,
} from './change.tsx'
import { connect, showArrivals, showConnect, showReview } from './connect.tsx'
import { showCheck, showDetail } from './detail.tsx'
import { showChoices, showList } from './list.tsx'
import { addProfile, changeCredentials, showCredentials, showNew } from './setup.tsx'

export function providersScreens(): ScreenRoute[] {
  const one = '/providers/{profileId}'
  const change = proof('PaymentProfileWrite')
  const changeOnDetail = proof('PaymentProfileWrite', one)
  const long = { formBytes: LIMITS.longFormBytes }
  return [
    app('GET', '/providers', 'GatewayListRead', showList),
    app('GET', '/providers/add', 'PaymentProfileWrite', showChoices),
    app('GET', '/providers/add/{provider}', change, showNew),
    app('POST', '/providers/add/{provider}', change, addProfile, long),
    app('GET', one, 'GatewayListRead', showDetail),
    app('POST', one, change, changeGeneral),
    app('POST', `${one}/methods`, changeOnDetail, changeMethods),
    app('POST', `${one}/fees`, changeOnDetail, changeFees),
    app('GET', `${one}/credentials`, change, showCredentials),
    app('POST', `${one}/credentials`, change, changeCredentials, long),
    app('GET', `${one}/check`, 'PaymentProfileWrite', showCheck),
    app('GET', `${one}/connect`, 'PaymentProfileWrite', showConnect),
    app('POST', `${one}/connect`, change, connect),
    app('GET', `${one}/review`, 'PaymentProfileWrite', showReview),
    app('GET', `${one}/arrivals`, 'GatewayListRead', showArrivals),
    ...disableRoutes,
    ...enableRoutes,
    ...removeRoutes,
  ]
}
