import type { VNode } from 'preact'
import { ApiError, notFound } from '../../../base/errors.ts'
import { eventIdOf } from '../../../base/ids.ts'
import { readId } from '../../../http/wire.ts'
import { apiCallsOf, listApiCalls } from '../../../logs/api/commands.ts'
import { getPayment } from '../../../payments/actions.ts'
import { timelineOf } from '../../../payments/history/timeline.ts'
import { paymentJson } from '../../../payments/view.ts'
import { deliveryPage, eventPage } from '../../../webhooks/lists/pages.ts'
import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import { DOCK_TABS, type DockTab, mayOpenTab } from '../../kit/frame/dock.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { JsonView } from '../../kit/html/text.tsx'
import { List, type ListColumn } from '../../kit/list.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { renderPart } from '../../kit/screen.tsx'
import { CopyCurl, curlOf, HttpStatus } from '../payment/exchange.tsx'
import { peopleOf } from '../payment/load.ts'
import { ItemBody } from '../payment/timeline.tsx'

export const dockScreens = (): ScreenRoute[] => [app('GET', '/dock', 'PaymentRead', show)]

/** A list as a fragment of a page, for script. */
async function show(request: AppRequest): Promise<PageAnswer> {
  const { query } = request.call
  const tab = DOCK_TABS.find((each) => each === query.tab)
  if (!tab) throw notFound('The tab')
  if (!mayOpenTab(request, tab, query.for)) throw new ApiError('forbidden', 'Your role does not allow this.')
  // An object that has no lists of its own shows those of the app.
  const paymentId = query.for?.startsWith('payment:') ? readId(query.for.slice('payment:'.length)) : undefined
  return renderPart(request, await TABS[tab](request, paymentId))
}

/** Each list shows the newest of its kind, of the payment on screen or of the app. */
const TABS: Readonly<
  Record<DockTab, (request: AppRequest, paymentId: number | undefined) => Promise<VNode>>
> = { logs, webhooks, events, timeline, api }

const MOST = 20
const OPEN_FILTER = { since: undefined, until: undefined, before: undefined, limit: MOST } as const
const ALL_CALLS = {
  ...OPEN_FILTER,
  statusClass: undefined,
  method: undefined,
  pathPrefix: undefined,
  keyId: undefined,
  requestId: undefined,
} as const

function listOf<Item>(
  { texts }: AppRequest,
  tab: DockTab,
  items: readonly Item[],
  columns: readonly ListColumn<Item>[],
): VNode {
  const { dock } = texts.tools
  if (items.length === 0) return <p class="muted">{dock.empty}</p>
  return <List caption={dock.tabs[tab]} items={items} columns={columns} />
}

async function logs(request: AppRequest, paymentId: number | undefined): Promise<VNode> {
  const { ctx, app, texts } = request
  const { dock } = texts.tools
  const calls =
    paymentId === undefined
      ? (await listApiCalls(ctx, app, ALL_CALLS)).calls
      : await apiCallsOf(ctx, app, { paymentId, limit: MOST })
  return listOf(request, 'logs', calls, [
    { label: dock.time, cell: ({ startTime }) => <Time time={startTime} style="second" /> },
    {
      label: dock.request,
      cell: ({ method, path }) => <code>{`${method} ${shortText(path, DESCRIPTION_SHOWN)}`}</code>,
    },
    { label: dock.status, cell: ({ status }) => <HttpStatus status={status} /> },
    { label: dock.duration, cell: ({ ms }) => texts.payment.items.ms({ ms }) },
    { label: dock.requestId, cell: ({ requestId }) => <code>{requestId}</code> },
  ])
}

const linkTo = ({ base }: AppRequest, paymentId: number) => (
  <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>
)

async function webhooks(request: AppRequest, paymentId: number | undefined): Promise<VNode> {
  const { ctx, app, texts } = request
  const { dock } = texts.tools
  const { webhookStatus } = texts.payment.items
  const { items } = await deliveryPage(ctx, app, { ...OPEN_FILTER, paymentId, status: undefined })
  return listOf(request, 'webhooks', items, [
    { label: dock.time, cell: ({ createdTime }) => <Time time={createdTime} style="second" /> },
    { label: dock.event, cell: ({ type }) => <code>{type}</code> },
    {
      label: dock.payment,
      cell: (delivery) => (delivery.state === null ? '' : linkTo(request, delivery.paymentId)),
    },
    {
      label: dock.address,
      cell: ({ endpoint }) => <bdi>{shortText(endpoint, DESCRIPTION_SHOWN) ?? dock.appAddress}</bdi>,
    },
    { label: dock.status, cell: ({ status }) => webhookStatus[status] ?? status },
  ])
}

async function events(request: AppRequest, paymentId: number | undefined): Promise<VNode> {
  const { dock } = request.texts.tools
  const { items, pieces } = await eventPage(request.ctx, request.app, { ...OPEN_FILTER, paymentId })
  const bodies: string[] = []
  for await (const piece of pieces) bodies.push(...piece)
  const typed = items.map((event, place) => {
    const { type } = JSON.parse(bodies[place] ?? '{}') as { type?: unknown }
    return { ...event, type: String(type ?? '') }
  })
  return listOf(request, 'events', typed, [
    { label: dock.time, cell: ({ time }) => <Time time={time} style="second" /> },
    { label: dock.event, cell: ({ type }) => <code>{type}</code> },
    { label: dock.payment, cell: (event) => linkTo(request, event.paymentId) },
    {
      label: request.texts.payment.id,
      cell: (event) => <code>{eventIdOf(event.paymentId, event.sequence)}</code>,
    },
  ])
}

async function timeline(request: AppRequest, paymentId: number | undefined): Promise<VNode> {
  const { ctx, app, texts } = request
  const { dock } = texts.tools
  const payment = await getPayment(ctx, app, paymentId)
  const { items } = await timelineOf(ctx, app, payment.paymentId, peopleOf(ctx))
  return listOf(request, 'timeline', items.slice(-MOST), [
    { label: dock.time, cell: ({ time }) => <Time time={time} style="second" /> },
    { label: dock.event, cell: ({ kind }) => texts.payment.kinds[kind === 'person' ? 'people' : kind] },
    {
      label: dock.entry,
      cell: (item) => (
        <div class="says">
          <ItemBody payment={payment} item={item} isOpened={false} />
        </div>
      ),
    },
  ])
}

/** How a program reads what is on screen. */
async function api(request: AppRequest, paymentId: number | undefined): Promise<VNode> {
  const { ctx, app, texts } = request
  const { dock } = texts.tools
  const path = paymentId === undefined ? 'payments' : `payments/${paymentId}`
  const url = `${ctx.config.publicUrl}/api/apps/${app.appId}/${path}`
  const curl = curlOf({ method: 'GET', url, headers: { authorization: 'Bearer $TENDER_API_KEY' } })
  const payment = paymentId === undefined ? undefined : await getPayment(ctx, app, paymentId)
  return (
    <div class="stack">
      <p class="muted">{dock.byApi}</p>
      <div class="json">
        <pre>{curl}</pre>
      </div>
      <div class="buttons">
        <CopyCurl curl={curl} />
      </div>
      {payment && <JsonView label={dock.tabs.api} value={JSON.parse(paymentJson(ctx, app, payment))} />}
    </div>
  )
}
