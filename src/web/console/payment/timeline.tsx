import type { TimelineItem } from '../../../payments/history/timeline.ts'
import type { Payment } from '../../../payments/payment.ts'
import { withQuery } from '../../kit/list.tsx'
import { Tabs } from '../../kit/html/text.tsx'
import { timeIn } from '../../kit/format/time.tsx'
import { ItemBody } from './items.tsx'
import type { LoadedPayment } from './load.ts'
import { offsetText } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'

/** The tabs, and the kinds of items that each shows. */
const TABS = {
  state: ['state', 'page', 'refund'],
  provider: ['provider', 'refund', 'undo'],
  webhook: ['webhook'],
  fraud: ['fraud'],
  api: ['api'],
  people: ['person'],
} as const satisfies Record<string, readonly TimelineItem['kind'][]>

type Tab = keyof typeof TABS

const isTab = (text: string | undefined): text is Tab => text !== undefined && Object.hasOwn(TABS, text)

/** Details of older requests are left out: a page must stay small. */
const MOST_OPENED = 30

interface TimelineProps {
  readonly page: LoadedPayment
}

/** What happened, in order. Each tab has an address. */
export function TimelineCard({ page }: TimelineProps) {
  const { texts, call } = useRequest()
  const { payment, timeline } = page
  const { kinds, ...says } = texts.payment
  const chosen = isTab(call.query.show) ? call.query.show : undefined
  const wanted: readonly string[] | undefined = chosen && TABS[chosen]
  const items = timeline.items.filter(({ kind }) => wanted?.includes(kind) ?? true)
  const tabs = (['all', ...Object.keys(TABS)] as ('all' | Tab)[]).map((tab) => ({
    label: kinds[tab],
    href: withQuery(call.path, { show: tab === 'all' ? undefined : tab, note: undefined }),
    isCurrent: tab === (chosen ?? 'all'),
  }))
  return (
    <section class="card timeline-card" aria-labelledby="timeline">
      <h2 id="timeline">{says.timeline}</h2>
      <Tabs tabs={tabs} label={says.filter} />
      {timeline.isCut && <p class="muted small">{says.timelineCut}</p>}
      {items.length === 0 ? (
        <p class="muted">{says.timelineEmpty}</p>
      ) : (
        <ol class="timeline">
          {items.map((item, place) => (
            <Item payment={payment} item={item} isOpened={place >= items.length - MOST_OPENED} />
          ))}
        </ol>
      )}
      <p class="muted small">{says.timelineKept}</p>
    </section>
  )
}

interface ItemProps {
  readonly payment: Payment
  readonly item: TimelineItem
  /** Whether the details of the item are drawn. */
  readonly isOpened: boolean
}

function Item({ item, ...rest }: ItemProps) {
  const request = useRequest()
  const { payment } = rest
  const { kinds } = request.texts.payment
  const offset = item.time.getTime() - payment.createdTime.getTime()
  return (
    <li class={`item ${item.kind}`}>
      <time datetime={item.time.toISOString()} title={timeIn(request, item.time, 'second')}>
        <bdi class="offset number" dir="ltr">
          {offsetText(offset)}
        </bdi>
        <span class="clock number">{timeIn(request, item.time, 'clock')}</span>
      </time>
      <span class="kind">{kinds[item.kind === 'person' ? 'people' : item.kind]}</span>
      <div class="says">
        <ItemBody item={item} {...rest} />
      </div>
    </li>
  )
}
