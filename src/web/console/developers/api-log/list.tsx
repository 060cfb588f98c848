import { renderToString } from 'preact-render-to-string'
import type { ApiCall, ApiFilter, ApiPage } from '../../../../logs/api/call.ts'
import { apiHistogram, listApiCalls } from '../../../../logs/api/commands.ts'
import { cursorText, readCursor } from '../../../../logs/api/view.ts'
import { keyPage, type ShownKey } from '../../../../merchants/keys/commands.ts'
import type { PageAnswer } from '../../../kit/request/page-route.tsx'
import { Button, Field, Select } from '../../../kit/html/controls.tsx'
import { pageHeaders } from '../../../kit/html/headers.ts'
import { Card } from '../../../kit/html/layout.tsx'
import { NAME_SHOWN, shortText } from '../../../kit/format/short-text.ts'
import type { AppVisit } from '../../frame/visit.ts'
import { EmptyState, Pager, Table, withQuery } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { drawTab } from '../tabs.tsx'
import { Histogram } from './histogram.tsx'

const PAGE_SIZE = 50
const MOST_TEXT = 200

function filterOf({ call }: AppVisit): ApiFilter {
  const { query } = call
  const text = (name: string) => query[name]?.trim().slice(0, MOST_TEXT) || undefined
  return {
    since: undefined,
    until: undefined,
    statusClass: /^[2-5]$/.test(query.status ?? '') ? Number(query.status) : undefined,
    method: /^[A-Z]{3,6}$/.test(query.method ?? '') ? query.method : undefined,
    pathPrefix: text('path'),
    keyId: text('key'),
    requestId: text('request'),
    before: readCursor(query.cursor),
    limit: PAGE_SIZE,
  }
}

export async function showApiLog(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts } = visit
  const { developers } = texts
  const page = await listApiCalls(ctx, app, filterOf(visit))
  // Script asks for the list alone while it is live.
  if (call.query.part === 'list')
    return {
      html: renderToString(<Calls visit={visit} page={page} />),
      headers: { ...pageHeaders({}), 'cache-control': 'no-store' },
    }
  const [histogram, keys] = await Promise.all([apiHistogram(ctx, app, {}), keyPage(ctx, app, undefined)])
  const isLive = call.query.live === 'yes'
  return drawTab(visit, {
    tab: 'api-log',
    children: (
      <>
        <p class="muted">{developers.logIntro}</p>
        <Card title={developers.histogram}>
          <Histogram visit={visit} histogram={histogram} />
        </Card>
        <LogFilter visit={visit} keys={keys.items} />
        <LiveSwitch visit={visit} isLive={isLive} />
        <div data-poll={isLive ? withQuery(call.path, { part: 'list', cursor: undefined }) : undefined}>
          <Calls visit={visit} page={page} />
        </div>
        <Pager visit={visit} next={page.next && cursorText(page.next)} />
      </>
    ),
  })
}

/** Turns on that the list follows what happens. Without script, a link reads it again. */
function LiveSwitch({ visit, isLive }: { readonly visit: AppVisit; readonly isLive: boolean }) {
  const { call, texts } = visit
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

function Calls({ visit, page }: { readonly visit: AppVisit; readonly page: ApiPage }) {
  const { developers } = visit.texts
  if (page.calls.length === 0)
    return (
      <EmptyState title={developers.noCalls}>
        <p>{developers.noCallsBody}</p>
      </EmptyState>
    )
  return (
    <Table
      id="calls"
      caption={developers.tabs.apiLog}
      columns={[
        { label: developers.time },
        { label: developers.method },
        { label: developers.path },
        { label: developers.status },
        { label: developers.duration, end: true },
        { label: developers.by },
        { label: developers.requestId },
      ]}
      rows={page.calls.map((call) => rowOf(visit, call))}
    />
  )
}

/** The same for all requests of the list. */
const OF_APP = /^\/api\/(v1\/)?apps\/[^/]+(?=\/)/

function rowOf(visit: AppVisit, call: ApiCall) {
  const href = `${visit.base}/developers/api-log/${encodeURIComponent(call.requestId)}`
  return {
    href,
    cells: [
      <Time visit={visit} time={call.startTime} style="second" />,
      call.method,
      <a href={href}>
        <bdi>{call.path.replace(OF_APP, '')}</bdi>
      </a>,
      <span class={call.status < 400 ? undefined : 'bad'}>{call.status}</span>,
      `${call.ms} ms`,
      <bdi>{call.keyId ?? call.personId ?? ''}</bdi>,
      <code>{call.requestId}</code>,
    ],
  }
}

interface LogFilterProps {
  readonly visit: AppVisit
  readonly keys: readonly ShownKey['row'][]
}

function KeySelect({ visit, keys }: LogFilterProps) {
  const { developers } = visit.texts
  const { key = '' } = visit.call.query
  const options = keys.map(({ keyId, name, hint }) => ({
    value: keyId,
    label: `${shortText(name, NAME_SHOWN)} …${hint}`,
  }))
  // The list of keys is one page of them.
  const isOther = key !== '' && !options.some(({ value }) => value === key)
  return (
    <Select
      id="log-key"
      name="key"
      label={developers.key}
      value={key}
      options={[
        { value: '', label: developers.anyKey },
        ...options,
        ...(isOther ? [{ value: key, label: key.slice(0, NAME_SHOWN) }] : []),
      ]}
    />
  )
}

function LogFilter({ visit, keys }: LogFilterProps) {
  const { texts, call, base } = visit
  const { developers } = texts
  return (
    <form class="filter" method="get" action={`${base}/developers/api-log`}>
      {call.query.live === 'yes' && <input type="hidden" name="live" value="yes" />}
      <KeySelect visit={visit} keys={keys} />
      <Select
        id="log-status"
        name="status"
        label={developers.status}
        value={call.query.status ?? ''}
        options={[
          { value: '', label: developers.anyClass },
          ...['2', '4', '5'].map((value) => ({ value, label: `${value}xx` })),
        ]}
      />
      <Select
        id="log-method"
        name="method"
        label={developers.method}
        value={call.query.method ?? ''}
        options={[
          { value: '', label: developers.anyMethod },
          ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value })),
        ]}
      />
      <Field
        id="log-path"
        name="path"
        label={`${developers.path} (${developers.pathHint})`}
        value={call.query.path ?? ''}
        ltr
      />
      <Field
        id="log-request"
        name="request"
        label={developers.requestId}
        value={call.query.request ?? ''}
        ltr
      />
      <Button kind="quiet">{developers.filter}</Button>
    </form>
  )
}
