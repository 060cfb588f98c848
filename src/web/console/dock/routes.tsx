import type { VNode } from 'preact'
import { ApiError, notFound } from '../../../base/errors.ts'
import { readId } from '../../../http/wire.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { DOCK_TABS, type DockTab, mayOpenTab } from '../../kit/frame/dock.tsx'
import { app, type ScreenRoute } from '../../kit/route.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { ApiExample, Calls, Deliveries, DockTimeline, Events } from './lists.tsx'
import { renderPart } from '../../kit/screen.tsx'

export const dockScreens = (): ScreenRoute[] => [app('GET', '/dock', 'PaymentRead', show)]

/** A list as a fragment of a page, for script. */
async function show(request: AppRequest): Promise<PageAnswer> {
  const { query } = request.call
  const tab = DOCK_TABS.find((each) => each === query.tab)
  if (!tab) throw notFound('The tab')
  if (!mayOpenTab(request, tab, query.for)) throw new ApiError('forbidden', 'Your role does not allow this.')
  // Of an object that has no lists of its own, those of the app are shown.
  const paymentId = query.for?.startsWith('payment:') ? readId(query.for.slice('payment:'.length)) : undefined
  return renderPart(request, await CONTENTS[tab](request, paymentId))
}

type Content = (request: AppRequest, paymentId: number | undefined) => Promise<VNode>

const CONTENTS: Readonly<Record<DockTab, Content>> = {
  logs: Calls,
  webhooks: Deliveries,
  events: Events,
  timeline: DockTimeline,
  api: ApiExample,
}
