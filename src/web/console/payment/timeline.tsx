import type { VNode } from 'preact'
import type { TimelineItem } from '../../../payments/history/timeline.ts'
import { STATES, type State } from '../../../payments/machine.ts'
import type { Payment } from '../../../payments/payment.ts'
import { deliveryProblem, providerName } from '../../kit/format/names.ts'
import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { timeIn } from '../../kit/format/time.tsx'
import { PostButton, QuestionButton } from '../../kit/html/forms.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { Tabs } from '../../kit/html/text.tsx'
import { withQuery } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { textNamed } from '../../kit/texts/texts.ts'
import { checkText } from '../fraud/words.ts'
import { Exchange, HttpStatus, headersOf } from './exchange.tsx'
import type { LoadedPayment } from './load.ts'
import { amountText, offsetText, problemText } from './words.ts'

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
const MAX_OPENED = 30

/** What happened, in order. Each tab has an address. */
export function TimelineCard({ page: { payment, timeline } }: { readonly page: LoadedPayment }) {
  const { texts, call } = useRequest()
  const { kinds, ...labels } = texts.payment
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
      <h2 id="timeline">{labels.timeline}</h2>
      <Tabs tabs={tabs} label={labels.filter} />
      {timeline.isCut && <p class="muted small">{labels.timelineCut}</p>}
      {items.length === 0 ? (
        <p class="muted">{labels.timelineEmpty}</p>
      ) : (
        <ol class="timeline">
          {items.map((item, place) => (
            <Item payment={payment} item={item} isOpened={place >= items.length - MAX_OPENED} />
          ))}
        </ol>
      )}
      <p class="muted small">{labels.timelineKept}</p>
    </section>
  )
}

function Item(props: Props<Kind>) {
  const request = useRequest()
  const { kind, time } = props.item
  return (
    <li class={`item ${kind}`}>
      <time datetime={time.toISOString()} title={timeIn(request, time, 'second')}>
        <bdi class="offset number" dir="ltr">
          {offsetText(request, time.getTime() - props.payment.createdTime.getTime())}
        </bdi>
        <span class="clock number">{timeIn(request, time, 'clock')}</span>
      </time>
      <span class="kind">{request.texts.payment.kinds[kind === 'person' ? 'people' : kind]}</span>
      <div class="says">
        <ItemBody {...props} />
      </div>
    </li>
  )
}

type Kind = TimelineItem['kind']

interface Props<One extends Kind> {
  readonly payment: Payment
  readonly item: Extract<TimelineItem, { kind: One }>
  /** Whether the details are drawn. */
  readonly isOpened: boolean
}

/** The text of an entry, by its kind. */
export function ItemBody(props: Props<Kind>) {
  const Body = BODIES[props.item.kind] as (props: Props<Kind>) => VNode
  return <Body {...props} />
}

/** What a person wrote, after the sentence. */
const Quoted = ({ text }: { readonly text: string | null }) => {
  const { frame } = useRequest().texts
  const shown = shortText(text ?? undefined, DESCRIPTION_SHOWN)
  if (!shown) return null
  return (
    <span class="muted">
      {' '}
      <bdi>{frame.quoted({ text: shown })}</bdi>
    </span>
  )
}

const Problem = ({ text }: { readonly text: string | null }) =>
  text && (
    <p class="problem">
      <bdi>{shortText(text, DESCRIPTION_SHOWN)}</bdi>
    </p>
  )

/** The status of an answer, with the time that it took. */
const Answered = ({ status, ms }: { readonly status: number | null; readonly ms: number | null }) => {
  const { items } = useRequest().texts.payment
  return (
    <span class="answered">
      {status !== null && <HttpStatus status={status} />}
      {ms !== null && <span class="muted number">{items.ms({ ms })}</span>}
    </span>
  )
}

const isState = (text: string): text is State => Object.hasOwn(STATES, text)

/** The rules that were violated. */
export const Reasons = ({ reasons }: { readonly reasons: readonly string[] }) => (
  <ul class="reasons">
    {reasons.map((reason) => (
      <li>{reason}</li>
    ))}
  </ul>
)

const BODIES: { readonly [One in Kind]: (props: Props<One>) => VNode } = {
  api({ payment, item }) {
    const { texts, base, can } = useRequest()
    const { items } = texts.payment
    const path = item.path.replace(/^\/api\/(v1\/)?apps\/[^/]+/, '')
    const who = item.keyId ? items.byKey : item.personId ? items.byPerson : undefined
    return (
      <>
        <p>
          <code>{`${item.method} ${path}`}</code> <Answered status={item.status} ms={item.ms} />
          {who && (
            <span class="muted">
              {' '}
              {who} {item.keyName && <bdi>{texts.frame.quoted({ text: item.keyName })}</bdi>}
            </span>
          )}
        </p>
        {item.error && <p class="problem">{items.error({ code: item.error })}</p>}
        {can('DeveloperRead') && (
          <QuestionButton
            href={`${base}/payments/${payment.paymentId}/requests/${encodeURIComponent(item.requestId)}`}
          >
            {items.showCall}
          </QuestionButton>
        )}
      </>
    )
  },

  page({ item }) {
    const { payment, payments } = useRequest().texts
    const { items } = payment
    const names: Readonly<Record<string, string>> = payments.methods
    const method = item.method && (names[item.method] ?? item.method)
    const facts = [method, item.language, item.country, items.devices[item.device]].filter(Boolean)
    return (
      <p>
        {items.page[item.step]} <span class="muted">{facts.join(' · ')}</span>
      </p>
    )
  },

  state({ item: { state, lastError } }) {
    const request = useRequest()
    return (
      <>
        <p>{isState(state) ? <StateBadge texts={request.texts} state={state} /> : state}</p>
        <Problem text={lastError && problemText(request, lastError)} />
      </>
    )
  },

  provider({ item, isOpened }) {
    const request = useRequest()
    const { items } = request.texts.payment
    const { requestHeaders, requestBody, method, url } = item
    return (
      <>
        <p>
          <bdi class="strong">
            {item.profileName ?? (item.provider ? providerName(request, item.provider) : item.profileId)}
          </bdi>{' '}
          <code>{item.step}</code>{' '}
          {item.outcome !== 'reply' && <span class="problem">{items.outcomes[item.outcome]} </span>}
          <Answered status={item.status} ms={item.ms} />
          {item.attempt !== null && item.attempt > 1 && (
            <span class="muted"> {items.attempt({ attempt: item.attempt })}</span>
          )}
        </p>
        {isOpened && (
          <details id={`call-${item.lineId}`}>
            <summary>{items.showCall}</summary>
            <Exchange
              address={url}
              request={{ method, url, headers: headersOf(requestHeaders), body: requestBody }}
              headers={requestHeaders}
              response={item.responseBody}
            />
          </details>
        )}
      </>
    )
  },

  fraud({ item }) {
    const request = useRequest()
    const { items } = request.texts.payment
    const name = shortText(item.policyName ?? undefined, DESCRIPTION_SHOWN) ?? String(item.policyId)
    const source = item.policyId === null ? request.texts.blocks.title : items.policy({ name })
    return (
      <>
        <p>
          {source}: <span class="strong">{textNamed(items.decisions, item.decision) ?? item.decision}</span>
        </p>
        {item.decisive.length === 0 ? (
          <p class="muted">{items.noneViolated}</p>
        ) : (
          <Reasons reasons={item.decisive.map((check) => checkText(request, check))} />
        )}
      </>
    )
  },

  webhook({ payment, item }) {
    const request = useRequest()
    const { texts, base, app, can } = request
    const { items } = texts.payment
    const url = item.endpoint || app.paymentWebhookUrl?.replace(/[?#].*$/s, '')
    const shown = shortText(url, DESCRIPTION_SHOWN) ?? items.webhookApp
    return (
      <>
        <p>
          <code>{item.eventId}</code> → <bdi>{shown}</bdi>{' '}
          {item.attempt === 0 ? (
            <span class="muted">{textNamed(items.webhookStatus, item.status) ?? items.webhookWaiting}</span>
          ) : (
            <>
              <Answered status={item.httpStatus} ms={item.latencyMs} />{' '}
              {item.attempt > 1 && <span class="muted">{items.webhookTry({ attempt: item.attempt })}</span>}
            </>
          )}
        </p>
        <Problem text={item.error && deliveryProblem(request, item.error)} />
        {can('DeveloperWrite') && (
          <PostButton
            action={`${base}/payments/${payment.paymentId}/resend`}
            hidden={{ sequence: String(item.sequence), endpoint: String(item.endpointId) }}
            about={item.eventId}
          >
            {items.resend}
          </PostButton>
        )}
      </>
    )
  },

  refund({ payment, item }) {
    const request = useRequest()
    const { payment: labels, lists } = request.texts
    const { items } = labels
    return (
      <p>
        {items.refundOf({ amount: amountText(request, item.amountMinor, payment) })}:{' '}
        <span class={item.state === 'failed' ? 'problem' : 'strong'}>{items.refundStates[item.state]}</span>
        {item.reason && <span class="muted"> {lists.refundReason.names[item.reason]}</span>}
        <Quoted text={item.description} />
      </p>
    )
  },

  undo({ item }) {
    const { items } = useRequest().texts.payment
    return (
      <p>
        <span class="muted">{items.attempt({ attempt: item.attempt })}: </span>
        {items.undo[item.result ?? (item.status === 'done' ? 'nothing' : item.status)]}
      </p>
    )
  },

  person({ item }) {
    const { people, secondFactor } = useRequest().texts.payment.items
    return (
      <p>
        <bdi class="strong">{item.actorName}</bdi> {textNamed(people, item.action) ?? item.action}
        <Quoted text={item.note} />
        {item.hasSecondFactor && <span class="muted"> ({secondFactor})</span>}
      </p>
    )
  },
}
