import { HOUR } from '../../../../base/clock.ts'
import type { ApiCall, ApiFilter, ApiPage } from '../../../../logs/api/call.ts'
import { type ApiHistogram, apiHistogram, listApiCalls } from '../../../../logs/api/commands.ts'
import { cursorText, readCursor } from '../../../../logs/api/view.ts'
import { keyPage, type ShownKey } from '../../../../merchants/keys/commands.ts'
import { ColumnChart } from '../../../kit/chart/columns.tsx'
import { columnTexts, countValue } from '../../../kit/chart/texts.ts'
import { numberText } from '../../../kit/format/numbers.ts'
import { NAME_SHOWN, shortText } from '../../../kit/format/short-text.ts'
import { Time, timeZoneOf } from '../../../kit/format/time.tsx'
import type { AppRequest } from '../../../kit/frame/request.ts'
import { Card } from '../../../kit/html/layout.tsx'
import { Filter, List, Pager, withQuery } from '../../../kit/list.tsx'
import { periodFields, periodOf } from '../../../kit/period.ts'
import type { PageAnswer } from '../../../kit/request/answer.ts'
import { renderPart, useRequest } from '../../../kit/screen.tsx'
import { renderTab } from '../tabs.tsx'

const PAGE_SIZE = 50
const MAX_TEXT = 200

function filterOf(request: AppRequest): ApiFilter {
  const { query } = request.call
  const { from, to } = periodOf(request, request.now)
  const text = (name: string) => query[name]?.trim().slice(0, MAX_TEXT) || undefined
  return {
    since: from,
    until: to,
    statusClass: /^[2-5]$/.test(query.status ?? '') ? Number(query.status) : undefined,
    method: /^[A-Z]{3,6}$/.test(query.method ?? '') ? query.method : undefined,
    pathPrefix: text('path'),
    keyId: text('key'),
    requestId: text('request'),
    before: readCursor(query.cursor),
    limit: PAGE_SIZE,
  }
}

export async function showApiLog(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts } = request
  const { developers } = texts
  const page = await listApiCalls(ctx, app, filterOf(request))
  const keys = await keyPage(ctx, app, undefined)
  const calls = <Calls page={page} keys={keys.items} />
  // Script asks for the list alone while it is live.
  if (call.query.part === 'list') return renderPart(request, calls)
  const histogram = await apiHistogram(ctx, app, {})
  const isLive = call.query.live === 'yes'
  return renderTab(request, {
    tab: 'api-log',
    children: (
      <>
        <p class="muted">{developers.logIntro}</p>
        <Card title={developers.histogram}>
          <Histogram histogram={histogram} />
        </Card>
        <LogFilter keys={keys.items} />
        <LiveSwitch isLive={isLive} />
        <div data-poll={isLive ? withQuery(call.path, { part: 'list', cursor: undefined }) : undefined}>
          {calls}
        </div>
        <Pager next={page.next && cursorText(page.next)} />
      </>
    ),
  })
}

/** Turns on that the list follows what happens. Without script, a link reads it again. */
function LiveSwitch({ isLive }: { readonly isLive: boolean }) {
  const { call, texts } = useRequest()
  const { developers } = texts
  const address = (live: string | undefined) => withQuery(call.path, { live, cursor: undefined })
  return (
    <p class="live-switch">
      <a class="chip" href={address(isLive ? undefined : 'yes')}>
        {isLive ? developers.liveOff : developers.live}
      </a>
      {isLive && (
        <>
          <span class="muted">{developers.liveOn}</span>
          <noscript>
            <a href={address('yes')}>{developers.refresh}</a>
          </noscript>
        </>
      )}
    </p>
  )
}

/** The same for all requests of the list. */
const OF_APP = /^\/api\/(v1\/)?apps\/[^/]+(?=\/)/

interface CallsProps {
  readonly page: ApiPage
  readonly keys: readonly ShownKey['row'][]
}

function Calls({ page, keys }: CallsProps) {
  const { texts, base } = useRequest()
  const { developers } = texts
  const names = new Map(keyOptions(keys, '').map(({ value, label }) => [value, label]))
  const href = ({ requestId }: ApiCall) => `${base}/developers/api-log/${encodeURIComponent(requestId)}`
  return (
    <List
      id="calls"
      caption={developers.tabs.apiLog}
      items={page.calls}
      href={href}
      empty={{ title: developers.noCalls, body: developers.noCallsBody }}
      columns={[
        { label: developers.time, cell: ({ startTime }) => <Time time={startTime} style="second" /> },
        { label: developers.method, cell: ({ method }) => method },
        {
          label: developers.path,
          cell: (call) => (
            <a href={href(call)}>
              <bdi>{call.path.replace(OF_APP, '')}</bdi>
            </a>
          ),
        },
        {
          label: developers.status,
          cell: ({ status }) => <span class={status < 400 ? undefined : 'bad'}>{status}</span>,
        },
        { label: developers.duration, end: true, cell: ({ ms }) => `${ms} ms` },
        {
          label: developers.by,
          cell: ({ keyId, personId }) => <bdi>{names.get(keyId ?? '') ?? keyId ?? personId ?? ''}</bdi>,
        },
        { label: developers.requestId, cell: ({ requestId }) => <code>{requestId}</code> },
      ]}
    />
  )
}

function LogFilter({ keys }: { readonly keys: readonly ShownKey['row'][] }) {
  const request = useRequest()
  const { texts, call, base } = request
  const { developers } = texts
  return (
    <Filter
      name="log"
      action={`${base}/developers/api-log`}
      hidden={call.query.live === 'yes' ? { live: 'yes' } : {}}
      fields={[
        {
          name: 'key',
          label: developers.key,
          any: developers.anyKey,
          options: keyOptions(keys, call.query.key ?? ''),
        },
        {
          name: 'status',
          label: developers.status,
          any: developers.anyClass,
          options: ['2', '4', '5'].map((value) => ({ value, label: `${value}xx` })),
        },
        {
          name: 'method',
          label: developers.method,
          any: developers.anyMethod,
          options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value })),
        },
        { name: 'path', label: `${developers.path} (${developers.pathHint})`, ltr: true },
        { name: 'request', label: developers.requestId, ltr: true },
        ...periodFields(request),
      ]}
      button={developers.filter}
    />
  )
}

/** The keys of the first page, and the chosen one. */
function keyOptions(keys: readonly ShownKey['row'][], chosen: string) {
  const options = keys.map(({ keyId, name, hint }) => ({
    value: keyId,
    label: `${shortText(name, NAME_SHOWN)} …${hint}`,
  }))
  const isListed = chosen === '' || options.some(({ value }) => value === chosen)
  return isListed ? options : [...options, { value: chosen, label: chosen.slice(0, NAME_SHOWN) }]
}

/** Requests of the last day by hour: succeeded, refused and failed. */
function Histogram({ histogram }: { readonly histogram: ApiHistogram }) {
  const request = useRequest()
  const { developers } = request.texts
  const textsOf = columnTexts(request, 'hour', timeZoneOf(request))
  const known = new Map(histogram.buckets.map((bucket) => [bucket.time.getTime(), bucket]))
  const kinds = ['succeeded', 'refused', 'failed'] as const
  return (
    <ColumnChart
      caption={developers.histogram}
      head={developers.time}
      isStacked
      isWhole
      axisText={(value) => numberText(request, value)}
      series={[
        { label: developers.succeeded, tone: 'ok' },
        { label: developers.refused, tone: 'warn' },
        { label: developers.failed, tone: 'bad' },
      ]}
      columns={hoursOf(histogram).map((time) => ({
        ...textsOf(time),
        values: kinds.map((kind) => countValue(request, known.get(time.getTime())?.[kind] ?? 0)),
      }))}
    />
  )
}

/** Every hour of the period, those without a request too. */
function hoursOf({ from, to }: ApiHistogram): Date[] {
  const first = Math.floor(from.getTime() / HOUR)
  const count = Math.ceil(to.getTime() / HOUR) - first
  return Array.from({ length: count }, (_, place) => new Date((first + place) * HOUR))
}
