import { SECOND } from '../../../base/clock.ts'
import { readEventId } from '../../../base/ids.ts'
import { readId } from '../../../http/wire.ts'
import type { App } from '../../../merchants/app.ts'
import { getDelivery, resend } from '../../../webhooks/commands.ts'
import { getEndpoint, type WebhookEndpoint } from '../../../webhooks/endpoints/endpoints.ts'
import { eventBody } from '../../../webhooks/lists/pages.ts'
import { deliveryView } from '../../../webhooks/view.ts'
import { deliveryProblem } from '../../kit/format/names.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { PostButton } from '../../kit/html/forms.tsx'
import { JsonView } from '../../kit/html/text.tsx'
import { List } from '../../kit/list.tsx'
import { ifFound } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'

export async function showDelivery(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { developers } = texts
  const { items } = texts.payment
  const key = readEventId(call.params.eventId ?? '')
  const delivery = await getDelivery(ctx, app, key, readId(call.query.endpoint ?? ''))
  const { endpointId: number, endpoint: name } = delivery
  const endpoint = number === 0 ? undefined : await ifFound(getEndpoint(ctx, app, name))
  const view = deliveryView(app, delivery, { responses: true })
  const body = key && (await eventBody(ctx, app, key))
  const last = delivery.attempts.at(-1)?.startTime
  const sent = sentHeaders(app, endpoint)
  return renderScreen(request, {
    name: 'developers',
    title: view.eventId,
    crumbs: [{ label: developers.tabs.webhooks, href: `${base}/developers/webhooks` }],
    actions: request.can('DeveloperWrite') && (
      <PostButton
        action={`${base}/developers/webhooks/${view.eventId}/resend`}
        hidden={{ endpoint: String(number) }}
        kind="primary"
      >
        {developers.resend}
      </PostButton>
    ),
    children: (
      <>
        <p>
          <span data-status={delivery.status}>{developers.statuses[delivery.status]}</span> ·{' '}
          <bdi>{view.url ?? texts.frame.none}</bdi>
        </p>
        <List
          caption={developers.attempts}
          items={delivery.attempts}
          columns={[
            { label: developers.time, cell: ({ startTime }) => <Time time={startTime} style="second" /> },
            { label: developers.http, cell: ({ httpStatus }) => httpStatus ?? '–' },
            { label: developers.duration, end: true, cell: ({ latencyMs }) => `${latencyMs} ms` },
            {
              label: developers.error,
              cell: ({ error }) => <bdi>{error && deliveryProblem(request, error)}</bdi>,
            },
            {
              label: developers.response,
              cell: ({ response }) => <code>{(response ?? '').slice(0, 500)}</code>,
            },
          ]}
        />
        <h2>{items.request}</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section class="json" aria-label={items.headers} tabIndex={0}>
          <pre>{[`POST ${view.url ?? ''}`, ...headerLines(view.eventId, last, sent)].join('\n')}</pre>
        </section>
        {body && <JsonView value={JSON.parse(body)} label={view.eventId} />}
      </>
    ),
  })
}

interface SentHeaders {
  readonly scheme: string | null
  readonly hasParameter: boolean
  readonly isSigned: boolean
}

function sentHeaders(app: App, further: WebhookEndpoint | undefined): SentHeaders {
  if (further) return { scheme: further.authScheme, hasParameter: further.hasAuthParameter, isSigned: true }
  const { webhookAuthScheme, webhookAuthParameter, isSigningEnabled } = app
  return {
    scheme: webhookAuthScheme,
    hasParameter: webhookAuthParameter !== null,
    isSigned: isSigningEnabled,
  }
}

/** Headers are not stored: these follow from the settings, masked. `last` is the last try. */
function headerLines(eventId: string, last: Date | undefined, sent: SentHeaders): string[] {
  const authorization = [sent.scheme, sent.hasParameter && '***'].filter(Boolean).join(' ')
  return [
    'content-type: application/json',
    `webhook-id: ${eventId}`,
    ...(last ? [`webhook-timestamp: ${Math.floor(last.getTime() / SECOND)}`] : []),
    ...(sent.isSigned ? ['webhook-signature: v1,***'] : []),
    ...(authorization ? [`authorization: ${authorization}`] : []),
  ]
}

export async function postResend({ ctx, app, call, base }: AppRequest): Promise<PageAnswer> {
  const key = readEventId(call.params.eventId ?? '')
  const endpointId = readId(call.form.get('endpoint') ?? '') ?? 0
  await resend(ctx, app, key, endpointId)
  const to = endpointId === 0 ? '' : `&endpoint=${endpointId}`
  return seeOther(`${base}/developers/webhooks/${call.params.eventId}?note=resent${to}`)
}
