import type { ApiCall, ApiFilter } from '../../logs/api/call.ts'
import { apiHistogram, getApiCall, listApiCalls } from '../../logs/api/commands.ts'
import { cursorText, readCursor } from '../../logs/api/view.ts'
import type { PageAnswer } from '../../pages/page-route.tsx'
import { Button, Field, Select } from '../../pages/ui/controls.tsx'
import { Card, KeyValue } from '../../pages/ui/layout.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { EmptyState, Pager, Table } from '../parts/table.tsx'
import { CopyText, JsonView } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { Histogram } from './histogram.tsx'
import { drawTab } from './tabs.tsx'

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
  const { ctx, app, texts } = visit
  const { developers } = texts
  const [page, histogram] = await Promise.all([
    listApiCalls(ctx, app, filterOf(visit)),
    apiHistogram(ctx, app, {}),
  ])
  return drawTab(visit, {
    tab: 'api-log',
    children: (
      <>
        <p class="muted">{developers.logIntro}</p>
        <Card title={developers.histogram}>
          <Histogram visit={visit} histogram={histogram} />
        </Card>
        <LogFilter visit={visit} />
        {page.calls.length === 0 ? (
          <EmptyState title={developers.noCalls}>
            <p>{developers.noCallsBody}</p>
          </EmptyState>
        ) : (
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
        )}
        <Pager visit={visit} next={page.next && cursorText(page.next)} />
      </>
    ),
  })
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

function LogFilter({ visit }: { readonly visit: AppVisit }) {
  const { texts, call, base } = visit
  const { developers } = texts
  return (
    <form class="filter" method="get" action={`${base}/developers/api-log`}>
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

export async function showApiCall(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = visit
  const { developers } = texts
  const found = await getApiCall(ctx, app, call.params.requestId ?? '')
  const { publicUrl } = ctx.config
  return drawScreen(visit, {
    name: 'developers',
    title: `${found.method} ${found.path}`,
    crumbs: [{ label: developers.tabs.apiLog, href: `${base}/developers/api-log` }],
    children: (
      <>
        <Card>
          <KeyValue
            rows={[
              [developers.status, String(found.status)],
              [developers.time, <Time visit={visit} time={found.startTime} style="second" />],
              [developers.duration, `${found.ms} ms`],
              [
                developers.requestId,
                <CopyText visit={visit} text={found.requestId} label={developers.requestId} />,
              ],
              [developers.by, <bdi>{found.keyId ?? found.personId ?? '–'}</bdi>],
              found.paymentId === null
                ? undefined
                : [developers.payment, <a href={`${base}/payments/${found.paymentId}`}>{found.paymentId}</a>],
            ]}
          />
          <CopyText visit={visit} text={curlOf(publicUrl, found)} label={developers.curl} />
        </Card>
        <Body title={developers.query} text={found.query} visit={visit} />
        <Body title={developers.request} text={found.requestBody} visit={visit} />
        <Body title={developers.answer} text={found.answerBody} visit={visit} />
      </>
    ),
  })
}

/** Bodies are masked, so the command needs its secrets and personal data filled in. */
function curlOf(
  publicUrl: string,
  call: { method: string; path: string; requestBody: string | null },
): string {
  const body = call.requestBody
    ? ` -H 'Content-Type: application/json' -d '${call.requestBody.replaceAll("'", "'\\''")}'`
    : ''
  return `curl -X ${call.method} '${publicUrl}${call.path}' -H "Authorization: Bearer $TENDER_KEY"${body}`
}

interface BodyProps {
  readonly visit: AppVisit
  readonly title: string
  readonly text: string | null
}

function Body({ visit, title, text }: BodyProps) {
  return (
    <Card title={title}>
      {text === null ? (
        <p class="muted">{visit.texts.developers.notKept}</p>
      ) : (
        <JsonView value={parsed(text)} label={title} />
      )}
    </Card>
  )
}

/** A body that was cut is no JSON; it is shown as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
