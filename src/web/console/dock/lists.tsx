import type { VNode } from 'preact'
import { eventIdOf } from '../../../base/ids.ts'
import { apiCallsOf, listApiCalls } from '../../../logs/api/commands.ts'
import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { getPayment } from '../../../payments/actions.ts'
import { timelineOf } from '../../../payments/history/timeline.ts'
import { paymentJson } from '../../../payments/view.ts'
import { deliveryPage, eventPage } from '../../../webhooks/lists/pages.ts'
import type { AppVisit } from '../frame/visit.ts'
import { Table, type TableRow } from '../parts/table.tsx'
import { JsonView } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { curlOf } from '../payment/curl.ts'
import { ItemBody } from '../payment/items.tsx'
import { peopleOf } from '../payment/load.ts'

/** Each list shows the newest of its kind, of the payment on screen or of the app. */

const MOST = 20

const OPEN_FILTER = { since: undefined, until: undefined, before: undefined, limit: MOST } as const

interface ListProps {
  readonly visit: AppVisit
  readonly title: string
  readonly labels: readonly string[]
  readonly rows: readonly TableRow[]
}

const List = ({ visit, title, labels, rows }: ListProps) =>
  rows.length === 0 ? (
    <p class="muted">{visit.texts.tools.dock.empty}</p>
  ) : (
    <Table caption={title} columns={labels.map((label) => ({ label }))} rows={rows} />
  )

export async function Calls(visit: AppVisit, paymentId: number | undefined): Promise<VNode> {
  const { ctx, app, texts } = visit
  const { dock } = texts.tools
  const all = { ...OPEN_FILTER, statusClass: undefined, method: undefined, pathPrefix: undefined } as const
  const calls =
    paymentId === undefined
      ? (await listApiCalls(ctx, app, { ...all, keyId: undefined, requestId: undefined })).calls
      : await apiCallsOf(ctx, app, { paymentId, limit: MOST })
  return (
    <List
      visit={visit}
      title={dock.tabs.logs}
      labels={[dock.time, dock.request, dock.status, dock.duration, dock.requestId]}
      rows={calls.map((call) => ({
        cells: [
          <Time visit={visit} time={call.startTime} style="second" />,
          <code>{`${call.method} ${shortText(call.path, DESCRIPTION_SHOWN)}`}</code>,
          <span class={call.status < 400 ? 'code good' : 'code bad'}>{call.status}</span>,
          texts.payment.items.ms(call.ms),
          <code>{call.requestId}</code>,
        ],
      }))}
    />
  )
}

const link = ({ base }: AppVisit, paymentId: number) => (
  <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>
)

export async function Deliveries(visit: AppVisit, paymentId: number | undefined): Promise<VNode> {
  const { dock } = visit.texts.tools
  const { items } = await deliveryPage(visit.ctx, visit.app, { ...OPEN_FILTER, paymentId, status: undefined })
  const { webhookStatus } = visit.texts.payment.items
  return (
    <List
      visit={visit}
      title={dock.tabs.webhooks}
      labels={[dock.time, dock.event, dock.payment, dock.address, dock.status]}
      rows={items.map((item) => ({
        cells: [
          <Time visit={visit} time={item.createdTime} style="second" />,
          <code>{item.type}</code>,
          item.state === null ? '' : link(visit, item.paymentId),
          <bdi>{shortText(item.endpoint, DESCRIPTION_SHOWN) ?? dock.appAddress}</bdi>,
          webhookStatus[item.status] ?? item.status,
        ],
      }))}
    />
  )
}

export async function Events(visit: AppVisit, paymentId: number | undefined): Promise<VNode> {
  const { dock } = visit.texts.tools
  const { items, pieces } = await eventPage(visit.ctx, visit.app, { ...OPEN_FILTER, paymentId })
  const types: string[] = []
  for await (const piece of pieces) types.push(...piece.map(typeOf))
  return (
    <List
      visit={visit}
      title={dock.tabs.events}
      labels={[dock.time, dock.event, dock.payment, texts(visit).id]}
      rows={items.map(({ time, paymentId: id, sequence }, place) => ({
        cells: [
          <Time visit={visit} time={time} style="second" />,
          <code>{types[place]}</code>,
          link(visit, id),
          <code>{eventIdOf(id, sequence)}</code>,
        ],
      }))}
    />
  )
}

const texts = (visit: AppVisit) => visit.texts.payment

const typeOf = (body: string): string => String((JSON.parse(body) as { type?: unknown }).type ?? '')

export async function DockTimeline(visit: AppVisit, paymentId: number | undefined): Promise<VNode> {
  const { ctx, app } = visit
  const payment = await getPayment(ctx, app, paymentId)
  const { items } = await timelineOf(ctx, app, payment.paymentId, peopleOf(ctx))
  const { dock } = visit.texts.tools
  return (
    <List
      visit={visit}
      title={dock.tabs.timeline}
      labels={[dock.time, dock.event, dock.says]}
      rows={items.slice(-MOST).map((item) => ({
        cells: [
          <Time visit={visit} time={item.time} style="second" />,
          texts(visit).kinds[item.kind === 'person' ? 'people' : item.kind],
          <div class="says">
            <ItemBody visit={visit} payment={payment} item={item} isOpened={false} />
          </div>,
        ],
      }))}
    />
  )
}

/** How a program reads what is on screen. */
export async function ApiExample(visit: AppVisit, paymentId: number | undefined): Promise<VNode> {
  const { ctx, app } = visit
  const { dock } = visit.texts.tools
  const { items } = texts(visit)
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
