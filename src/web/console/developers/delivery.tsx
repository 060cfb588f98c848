import { SECOND } from '../../../base/clock.ts'
import { readEventId } from '../../../base/ids.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { getDelivery, resend } from '../../../webhooks/commands.ts'
import { eventBody } from '../../../webhooks/lists/pages.ts'
import { deliveryView } from '../../../webhooks/view.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { PostButton } from '../parts/forms.tsx'
import { Table } from '../parts/table.tsx'
import { JsonView } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'

export async function showDelivery(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = visit
  const { developers } = texts
  const key = readEventId(call.params.eventId ?? '')
  const delivery = await getDelivery(ctx, app, key)
  const view = deliveryView(app, delivery, { responses: true })
  const body = key && (await eventBody(ctx, app, key))
  const last = delivery.attempts.at(-1)?.startTime
  return drawScreen(visit, {
    name: 'developers',
    title: view.eventId,
    crumbs: [{ label: developers.tabs.webhooks, href: `${base}/developers/webhooks` }],
    flash: call.query.note === 'resent' ? { kind: 'ok', text: developers.resent } : undefined,
    actions: visit.can('DeveloperWrite') && (
      <PostButton visit={visit} action={`${base}/developers/webhooks/${view.eventId}/resend`} kind="primary">
        {developers.resend}
      </PostButton>
    ),
    children: (
      <>
        <p>
          <span data-status={delivery.status}>{developers.statuses[delivery.status]}</span> ·{' '}
          <bdi>{view.url ?? texts.frame.none}</bdi>
        </p>
        <Table
          caption={developers.attempts}
          columns={[
            { label: developers.time },
            { label: developers.http },
            { label: developers.duration, end: true },
            { label: developers.error },
            { label: developers.response },
          ]}
          rows={delivery.attempts.map((attempt) => ({
            cells: [
              <Time visit={visit} time={attempt.startTime} style="second" />,
              attempt.httpStatus ?? '–',
              `${attempt.latencyMs} ms`,
              <bdi>{attempt.error ?? ''}</bdi>,
              <code>{(attempt.response ?? '').slice(0, 500)}</code>,
            ],
          }))}
        />
        <Sent visit={visit} url={view.url} eventId={view.eventId} last={last} body={body} />
      </>
    ),
  })
}

interface SentProps {
  readonly visit: AppVisit
  readonly url: string | null
  readonly eventId: string
  /** Time of the last try. */
  readonly last: Date | undefined
  readonly body: string | undefined
}

/** The request of a try. Headers are not stored: these follow from the settings of the app, masked. */
function Sent({ visit, url, eventId, last, body }: SentProps) {
  const { items } = visit.texts.payment
  return (
    <>
      <h2>{items.request}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="json" aria-label={items.headers} tabIndex={0}>
        <pre>{[`POST ${url ?? ''}`, ...headerLines(visit, eventId, last)].join('\n')}</pre>
      </section>
      {body && <JsonView value={JSON.parse(body)} label={eventId} />}
    </>
  )
}

function headerLines({ app }: AppVisit, eventId: string, last: Date | undefined): string[] {
  const { webhookAuthScheme, webhookAuthParameter } = app
  const authorization = [webhookAuthScheme, webhookAuthParameter && '***'].filter(Boolean).join(' ')
  return [
    'content-type: application/json',
    `webhook-id: ${eventId}`,
    ...(last ? [`webhook-timestamp: ${Math.floor(last.getTime() / SECOND)}`] : []),
    ...(app.isSigningEnabled ? ['webhook-signature: v1,***'] : []),
    ...(authorization ? [`authorization: ${authorization}`] : []),
  ]
}

export async function postResend({ ctx, app, call, base }: AppVisit): Promise<PageAnswer> {
  const key = readEventId(call.params.eventId ?? '')
  await resend(ctx, app, key)
  return seeOther(`${base}/developers/webhooks/${call.params.eventId}?note=resent`)
}
