import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type {
  ApiItem,
  FraudItem,
  PageItem,
  PersonItem,
  ProviderItem,
  RefundItem,
  StateItem,
  TimelineItem,
  UndoItem,
  WebhookItem,
} from '../../../payments/history/timeline.ts'
import { STATES, type State } from '../../../payments/machine.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { AppVisit } from '../frame/visit.ts'
import { checkText } from '../fraud/words.ts'
import { AskButton, PostButton } from '../parts/forms.tsx'
import { StateBadge } from '../parts/state.tsx'
import { providerName } from '../payments/names.ts'
import { curlOf, headersOf } from './curl.ts'
import { Exchange } from './exchange.tsx'
import { amountText, problemText } from './words.ts'

interface Props<Item> {
  readonly visit: AppVisit
  readonly payment: Payment
  readonly item: Item
  readonly isOpened: boolean
}

/** The text of an entry, by its kind. */
export function ItemBody({ item, ...rest }: Props<TimelineItem>) {
  switch (item.kind) {
    case 'api':
      return <ApiBody item={item} {...rest} />
    case 'page':
      return <PageBody item={item} {...rest} />
    case 'state':
      return <StateBody item={item} {...rest} />
    case 'provider':
      return <ProviderBody item={item} {...rest} />
    case 'fraud':
      return <FraudBody item={item} {...rest} />
    case 'webhook':
      return <WebhookBody item={item} {...rest} />
    case 'refund':
      return <RefundBody item={item} {...rest} />
    case 'undo':
      return <UndoBody item={item} {...rest} />
    case 'person':
      return <PersonBody item={item} {...rest} />
  }
}

function PersonBody({ visit, item }: Props<PersonItem>) {
  const { people, secondFactor } = visit.texts.payment.items
  const note = shortText(item.note ?? undefined, DESCRIPTION_SHOWN)
  return (
    <p>
      <bdi class="strong">{item.actorName}</bdi> {people[item.action] ?? item.action}
      {note && (
        <span class="muted">
          {' '}
          <bdi>“{note}”</bdi>
        </span>
      )}
      {item.hasSecondFactor && <span class="muted"> ({secondFactor})</span>}
    </p>
  )
}

/** A status of HTTP, coloured, with the time that it took. */
const Answered = ({ status, ms, visit }: { status: number | null; ms: number | null; visit: AppVisit }) => (
  <span class="answered">
    {status !== null && <span class={status < 400 ? 'code good' : 'code bad'}>{status}</span>}
    {ms !== null && <span class="muted number">{visit.texts.payment.items.ms(ms)}</span>}
  </span>
)

function ApiBody({ visit, payment, item }: Props<ApiItem>) {
  const { items } = visit.texts.payment
  const path = item.path.replace(/^\/api\/(v1\/)?apps\/[^/]+/, '')
  const who = item.keyId ? items.byKey : item.personId ? items.byPerson : undefined
  return (
    <>
      <p>
        <code>{`${item.method} ${path}`}</code> <Answered visit={visit} status={item.status} ms={item.ms} />
        {who && (
          <span class="muted">
            {' '}
            {who} {item.keyName && <bdi>“{item.keyName}”</bdi>}
          </span>
        )}
      </p>
      {item.error && <p class="problem">{items.error(item.error)}</p>}
      {visit.can('DeveloperRead') && (
        <AskButton
          href={`${visit.base}/payments/${payment.paymentId}/requests/${encodeURIComponent(item.requestId)}`}
        >
          {items.showCall}
        </AskButton>
      )}
    </>
  )
}

function PageBody({ visit, item }: Props<PageItem>) {
  const { items, methods } = visit.texts.payment
  const method =
    item.method && item.method in methods ? methods[item.method as keyof typeof methods] : item.method
  const facts = [method, item.language, item.country, items.devices[item.device]].filter(Boolean)
  return (
    <p>
      {items.page[item.step]} <span class="muted">{facts.join(' · ')}</span>
    </p>
  )
}

const isState = (text: string): text is State => Object.hasOwn(STATES, text)

function StateBody({ visit, item }: Props<StateItem>) {
  const error = shortText(item.lastError ? problemText(visit, item.lastError) : undefined, DESCRIPTION_SHOWN)
  return (
    <>
      <p>{isState(item.state) ? <StateBadge texts={visit.texts} state={item.state} /> : item.state}</p>
      {error && (
        <p class="problem">
          <bdi>{error}</bdi>
        </p>
      )}
    </>
  )
}

function ProviderBody({ visit, item, isOpened }: Props<ProviderItem>) {
  const { items } = visit.texts.payment
  const { requestHeaders, requestBody, responseBody, method, url } = item
  return (
    <>
      <p>
        <bdi class="strong">
          {item.profileName ?? (item.provider ? providerName(visit, item.provider) : item.profileId)}
        </bdi>{' '}
        <code>{item.step}</code>{' '}
        {item.outcome !== 'reply' && <span class="problem">{items.outcomes[item.outcome]} </span>}
        <Answered visit={visit} status={item.status} ms={item.ms} />
        {item.attempt !== null && item.attempt > 1 && (
          <span class="muted"> {items.attempt(item.attempt)}</span>
        )}
      </p>
      {isOpened && (
        <details id={`call-${item.lineId}`}>
          <summary>{items.showCall}</summary>
          <Exchange
            visit={visit}
            line={`${method} ${url}`}
            headers={requestHeaders}
            request={requestBody}
            response={responseBody}
            curl={curlOf({ method, url, headers: headersOf(requestHeaders), body: requestBody })}
          />
        </details>
      )}
    </>
  )
}

function FraudBody({ visit, item }: Props<FraudItem>) {
  const { items } = visit.texts.payment
  const policy = shortText(item.policyName ?? undefined, DESCRIPTION_SHOWN) ?? String(item.policyId)
  return (
    <>
      <p>
        {items.policy(policy)}: <span class="strong">{items.decisions[item.decision] ?? item.decision}</span>
      </p>
      {item.violated.length === 0 ? (
        <p class="muted">{items.noneViolated}</p>
      ) : (
        <ul class="reasons">
          {item.violated.map((check) => (
            <li>{checkText(visit, check)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function WebhookBody({ visit, payment, item }: Props<WebhookItem>) {
  const { items } = visit.texts.payment
  const isTried = item.attempt > 0
  const url = item.endpoint || visit.app.paymentWebhookUrl?.replace(/[?#].*$/s, '')
  const endpoint = shortText(url, DESCRIPTION_SHOWN) ?? items.webhookApp
  return (
    <>
      <p>
        <code>{item.eventId}</code> → <bdi>{endpoint}</bdi>{' '}
        {isTried ? (
          <>
            <Answered visit={visit} status={item.httpStatus} ms={item.latencyMs} />{' '}
            {item.attempt > 1 && <span class="muted">{items.webhookTry(item.attempt)}</span>}
          </>
        ) : (
          <span class="muted">{items.webhookStatus[item.status] ?? items.webhookWaiting}</span>
        )}
      </p>
      {item.error && (
        <p class="problem">
          <bdi>{shortText(item.error, DESCRIPTION_SHOWN)}</bdi>
        </p>
      )}
      {visit.can('DeveloperWrite') && (
        <PostButton
          visit={visit}
          action={`${visit.base}/payments/${payment.paymentId}/resend`}
          hidden={{ sequence: String(item.sequence) }}
          about={item.eventId}
        >
          {items.resend}
        </PostButton>
      )}
    </>
  )
}

function RefundBody({ visit, payment, item }: Props<RefundItem>) {
  const { items } = visit.texts.payment
  const reason = shortText(item.description ?? undefined, DESCRIPTION_SHOWN)
  return (
    <p>
      {items.refundOf(amountText(visit, item.amountMinor, payment))}:{' '}
      <span class={item.state === 'failed' ? 'problem' : 'strong'}>{items.refundStates[item.state]}</span>
      {reason && (
        <span class="muted">
          {' '}
          <bdi>“{reason}”</bdi>
        </span>
      )}
    </p>
  )
}

function UndoBody({ visit, item }: Props<UndoItem>) {
  const { items } = visit.texts.payment
  return (
    <p>
      <span class="muted">{items.attempt(item.attempt)}: </span>
      {items.undo[item.result ?? (item.status === 'done' ? 'nothing' : item.status)]}
    </p>
  )
}
