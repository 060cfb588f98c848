import { notFound } from '../../../base/errors.ts'
import { eventIdOf, readEventId } from '../../../base/ids.ts'
import { readId } from '../../../http/wire.ts'
import { appNow } from '../../../merchants/app.ts'
import { eventBody, eventPage } from '../../../webhooks/lists/pages.ts'
import { cursorText, readCursor } from '../../../webhooks/view.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { JsonView } from '../../kit/html/text.tsx'
import { Filter, List } from '../../kit/list.tsx'
import { periodFields, periodOf } from '../../kit/period.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { textNamed } from '../../kit/texts/texts.ts'
import { renderTab } from './tabs.tsx'

const PAGE_SIZE = 30

/** An event that tries the address of the shop. It has a number of its own and no payment. */
const TEST = 'webhook.test'

/** Each change of a payment, the newest first. */
export async function showEvents(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { developers, frame } = texts
  const { from: since = new Date(0), to } = periodOf(request, appNow(ctx, app))
  const filter = {
    paymentId: readId(call.query.payment ?? ''),
    since,
    before: readCursor(call.query.cursor) ?? (to && { time: to, paymentId: 0, sequence: 0 }),
    limit: PAGE_SIZE,
  }
  const { items, hasNext } = await eventPage(ctx, app, filter)
  const last = items.at(-1)
  const idOf = ({ paymentId, sequence }: (typeof items)[number]) => eventIdOf(paymentId, sequence)
  const href = (event: (typeof items)[number]) => `${base}/developers/events/${idOf(event)}`
  return renderTab(request, {
    tab: 'events',
    children: (
      <>
        <Filter
          name="event"
          action={`${base}/developers/events`}
          fields={[{ name: 'payment', label: developers.payment, numeric: true }, ...periodFields(request)]}
          button={developers.filter}
        />
        <List
          caption={developers.tabs.events}
          items={items}
          href={href}
          empty={{ title: developers.noEvents, body: developers.noEventsBody }}
          next={hasNext && last ? cursorText(last) : undefined}
          columns={[
            { label: developers.time, cell: ({ time }) => <Time time={time} style="second" /> },
            { label: developers.event, cell: (event) => <a href={href(event)}>{idOf(event)}</a> },
            { label: developers.state, cell: ({ state }) => state && textNamed(frame.states, state) },
            {
              label: developers.payment,
              cell: ({ paymentId, type }) =>
                type === TEST ? (
                  <span class="muted">{developers.testEvent}</span>
                ) : (
                  <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>
                ),
            },
          ]}
        />
      </>
    ),
  })
}

export async function showEvent(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { developers } = texts
  const key = readEventId(call.params.eventId ?? '')
  const body = key && (await eventBody(ctx, app, key))
  if (!key || !body) throw notFound('The event')
  const eventId = eventIdOf(key.paymentId, key.sequence)
  const value = JSON.parse(body)
  return renderScreen(request, {
    name: 'developers',
    title: eventId,
    crumbs: [{ label: developers.tabs.events, href: `${base}/developers/events` }],
    children: (
      <>
        <p>
          {value.type === TEST ? (
            developers.testEvent
          ) : (
            <a href={`${base}/payments/${key.paymentId}`}>{`${developers.payment} ${key.paymentId}`}</a>
          )}{' '}
          · <a href={`${base}/developers/webhooks/${eventId}`}>{developers.deliveries}</a>
        </p>
        <JsonView value={value} label={eventId} />
      </>
    ),
  })
}
