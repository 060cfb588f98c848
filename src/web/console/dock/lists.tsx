import type { VNode } from 'preact'
import { eventIdOf } from '../../../base/ids.ts'
import { apiCallsOf, listApiCalls } from '../../../logs/api/commands.ts'
import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { getPayment } from '../../../payments/actions.ts'
import { timelineOf } from '../../../payments/history/timeline.ts'
import { paymentJson } from '../../../payments/view.ts'
import { deliveryPage, eventPage } from '../../../webhooks/lists/pages.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Table, type TableRow } from '../../kit/list.tsx'
import { JsonView } from '../../kit/html/text.tsx'
import { Time } from '../../kit/format/time.tsx'
import { curlOf } from '../payment/curl.ts'
import { ItemBody } from '../payment/items.tsx'
import { peopleOf } from '../payment/load.ts'
import { useRequest } from '../../kit/screen.tsx'

/** Each list shows the newest of its kind, of the payment on screen or of the app. */

const MOST = 20

const OPEN_FILTER = { since: undefined, until: undefined, before: undefined, limit: MOST } as const

interface ListProps {
  readonly title: string
  readonly labels: readonly string[]
  readonly rows: readonly TableRow[]
}

const List = ({ title, labels, rows }: ListProps) => {
  const request = useRequest()
  return rows.length === 0 ? (
    <p class="muted">{request.texts.tools.dock.empty}</p>
  ) : (
    <Table caption={title} columns={labels.map((label) => ({ label }))} rows={rows} />
  )
}

export async function Calls(request: AppRequest, paymentId: number | undefined): Promise<VNode> {
  const { ctx, app, texts } = request
  const { dock } = texts.tools
  const all = { ...OPEN_FILTER, statusClass: undefined, method: undefined, pathPrefix: undefined } as const
  const calls =
    paymentId === undefined
      ? (await listApiCalls(ctx, app, { ...all, keyId: undefined, requestId: undefined })).calls
      : await apiCallsOf(ctx, app, { paymentId, limit: MOST })
  return (
    <List
      title={dock.tabs.logs}
      labels={[dock.time, dock.request, dock.status, dock.duration, dock.requestId]}
      rows={calls.map((call) => ({
        cells: [
          <Time time={call.startTime} style="second" />,
          <code>{`${call.method} ${shortText(call.path, DESCRIPTION_SHOWN)}`}</code>,
          <span class={call.status < 400 ? 'code good' : 'code bad'}>{call.status}</span>,
          texts.payment.items.ms(call.ms),
          <code>{call.requestId}</code>,
        ],
      }))}
    />
  )
}

const link = ({ base }: AppRequest, paymentId: number) => (
  <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>
)

export async function Deliveries(request: AppRequest, paymentId: number | undefined): Promise<VNode> {
  const { dock } = request.texts.tools
  const { items } = await deliveryPage(request.ctx, request.app, {
    ...OPEN_FILTER,
    paymentId,
    status: undefined,
  })
  const { webhookStatus } = request.texts.payment.items
  return (
    <List
      title={dock.tabs.webhooks}
      labels={[dock.time, dock.event, dock.payment, dock.address, dock.status]}
      rows={items.map((item) => ({
        cells: [
          <Time time={item.createdTime} style="second" />,
          <code>{item.type}</code>,
          item.state === null ? '' : link(request, item.paymentId),
          <bdi>{shortText(item.endpoint, DESCRIPTION_SHOWN) ?? dock.appAddress}</bdi>,
          webhookStatus[item.status] ?? item.status,
        ],
      }))}
    />
  )
}

export async function Events(request: AppRequest, paymentId: number | undefined): Promise<VNode> {
  const { dock } = request.texts.tools
  const { items, pieces } = await eventPage(request.ctx, request.app, { ...OPEN_FILTER, paymentId })
  const types: string[] = []
  for await (const piece of pieces) types.push(...piece.map(typeOf))
  return (
    <List
      title={dock.tabs.events}
      labels={[dock.time, dock.event, dock.payment, texts(request).id]}
      rows={items.map(({ time, paymentId: id, sequence }, place) => ({
        cells: [
          <Time time={time} style="second" />,
          <code>{types[place]}</code>,
          link(request, id),
          <code>{eventIdOf(id, sequence)}</code>,
        ],
      }))}
    />
  )
}

const texts = (request: AppRequest) => request.texts.payment

const typeOf = (body: string): string => String((JSON.parse(body) as { type?: unknown }).type ?? '')

export async function DockTimeline(request: AppRequest, paymentId: number | undefined): Promise<VNode> {
  const { ctx, app } = request
  const payment = await getPayment(ctx, app, paymentId)
  const { items } = await timelineOf(ctx, app, payment.paymentId, peopleOf(ctx))
  const { dock } = request.texts.tools
  return (
    <List
      title={dock.tabs.timeline}
      labels={[dock.time, dock.event, dock.says]}
      rows={items.slice(-MOST).map((item) => ({
        cells: [
          <Time time={item.time} style="second" />,
          texts(request).kinds[item.kind === 'person' ? 'people' : item.kind],
          <div class="says">
            <ItemBody payment={payment} item={item} isOpened={false} />
          </div>,
        ],
      }))}
    />
  )
}

/** How a program reads what is on screen. */
export async function ApiExample(request: AppRequest, paymentId: number | undefined): Promise<VNode> {
  const { ctx, app } = request
  const { dock } = request.texts.tools
  const { items } = texts(request)
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
        <button class="button quiet" type="button" data-copy={curl} hidden>
          {items.copyCurl}
        </button>
      </div>
      {payment && <JsonView label={dock.tabs.api} value={JSON.parse(paymentJson(ctx, app, payment))} />}
    </div>
  )
}
