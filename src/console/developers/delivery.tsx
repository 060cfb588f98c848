import { readEventId } from '../../base/ids.ts'
import { type PageAnswer, seeOther } from '../../pages/page-route.tsx'
import { getDelivery, resend } from '../../webhooks/commands.ts'
import { deliveryView } from '../../webhooks/view.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { PostButton } from '../parts/forms.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

export async function showDelivery(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = visit
  const { developers } = texts
  const delivery = await getDelivery(ctx, app, readEventId(call.params.eventId ?? ''))
  const view = deliveryView(app, delivery, { responses: true })
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
        <p>
          <a href={`${base}/developers/events/${view.eventId}`}>{developers.body}</a>
        </p>
      </>
    ),
  })
}

export async function postResend({ ctx, app, call, base }: AppVisit): Promise<PageAnswer> {
  const key = readEventId(call.params.eventId ?? '')
  await resend(ctx, app, key)
  return seeOther(`${base}/developers/webhooks/${call.params.eventId}?note=resent`)
}
