import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { ApiError, notFound } from '../../../base/errors.ts'
import type { Route } from '../../../http/route.ts'
import { readId } from '../../../http/wire.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { pageHeaders } from '../../kit/html/headers.ts'
import { DOCK_TABS, type DockTab, mayOpenTab } from '../frame/dock.tsx'
import type { Screens } from '../frame/screens.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { ApiExample, Calls, Deliveries, DockTimeline, Events } from './lists.tsx'

export const dockScreens = (screens: Screens): Route[] => [screens.app('GET', '/dock', show)]

/** A list as a fragment of a page, for script. */
async function show(visit: AppVisit): Promise<PageAnswer> {
  const { query } = visit.call
  const tab = DOCK_TABS.find((each) => each === query.tab)
  if (!tab) throw notFound('The tab')
  if (!mayOpenTab(visit, tab, query.for)) throw new ApiError('forbidden', 'Your role does not allow this.')
  // Of an object that has no lists of its own, those of the app are shown.
  const paymentId = query.for?.startsWith('payment:') ? readId(query.for.slice('payment:'.length)) : undefined
  return { html: renderToString(await CONTENTS[tab](visit, paymentId)), headers: pageHeaders({}) }
}

type Content = (visit: AppVisit, paymentId: number | undefined) => Promise<VNode>

const CONTENTS: Readonly<Record<DockTab, Content>> = {
  logs: Calls,
  webhooks: Deliveries,
  events: Events,
  timeline: DockTimeline,
  api: ApiExample,
}
