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
import { checkText } from '../fraud/words.ts'
import { AskButton, PostButton } from '../../kit/html/forms.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { curlOf, headersOf } from './curl.ts'
import { Exchange } from './exchange.tsx'
import { amountText, problemText } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'
import { providerName } from '../../kit/format/names.ts'

interface Props<Item> {
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

function PersonBody({ item }: Props<PersonItem>) {
  const request = useRequest()
  const { people, secondFactor } = request.texts.payment.items
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
const Answered = ({ status, ms }: { status: number | null; ms: number | null }) => {
  const request = useRequest()
  return (
    <span class="answered">
      {status !== null && <span class={status < 400 ? 'code good' : 'code bad'}>{status}</span>}
      {ms !== null && <span class="muted number">{request.texts.payment.items.ms(ms)}</span>}
    </span>
  )
}

function ApiBody({ payment, item }: Props<ApiItem>) {
  const request = useRequest()
  const { items } = request.texts.payment
  const requestId = encodeURIComponent(item.requestId)
  const path = item.path.replace(/^\/api\/(v1\/)?apps\/[^/]+/, '')
  const who = item.keyId ? items.byKey : item.personId ? items.byPerson : undefined
  return (
    <>
      <p>
        <code>{`${item.method} ${path}`}</code> <Answered status={item.status} ms={item.ms} />
        {who && (
          <span class="muted">
            {' '}
            {who} {item.keyName && <bdi>“{item.keyName}”</bdi>}
          </span>
        )}
      </p>
      {item.error && <p class="problem">{items.error(item.error)}</p>}
      {request.can('DeveloperRead') && (
        <AskButton href={`${request.base}/payments/${payment.paymentId}/requests/${requestId}`}>
          {items.showCall}
        </AskButton>
      )}
    </>
  )
}

function PageBody({ item }: Props<PageItem>) {
  const request = useRequest()
  const { items, methods } = request.texts.payment
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

function StateBody({ item }: Props<StateItem>) {
  const request = useRequest()
  const error = shortText(
    item.lastError ? problemText(request, item.lastError) : undefined,
    DESCRIPTION_SHOWN,
  )
  return (
    <>
      <p>{isState(item.state) ? <StateBadge texts={request.texts} state={item.state} /> : item.state}</p>
      {error && (
        <p class="problem">
          <bdi>{error}</bdi>
        </p>
      )}
    </>
  )
}

function ProviderBody({ item, isOpened }: Props<ProviderItem>) {
  const request = useRequest()
  const { items } = request.texts.payment
  const { requestHeaders, requestBody, responseBody, method, url } = item
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
          <span class="muted"> {items.attempt(item.attempt)}</span>
        )}
      </p>
      {isOpened && (
        <details id={`call-${item.lineId}`}>
          <summary>{items.showCall}</summary>
          <Exchange
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

function FraudBody({ item }: Props<FraudItem>) {
  const request = useRequest()
  const { items } = request.texts.payment
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
            <li>{checkText(request, check)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function WebhookBody({ payment, item }: Props<WebhookItem>) {
  const request = useRequest()
  const { items } = request.texts.payment
  const isTried = item.attempt > 0
  const url = item.endpoint || request.app.paymentWebhookUrl?.replace(/[?#].*$/s, '')
  const endpoint = shortText(url, DESCRIPTION_SHOWN) ?? items.webhookApp
  return (
    <>
      <p>
        <code>{item.eventId}</code> → <bdi>{endpoint}</bdi>{' '}
        {isTried ? (
          <>
            <Answered status={item.httpStatus} ms={item.latencyMs} />{' '}
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
      {request.can('DeveloperWrite') && (
        <PostButton
          action={`${request.base}/payments/${payment.paymentId}/resend`}
          hidden={{ sequence: String(item.sequence) }}
          about={item.eventId}
        >
          {items.resend}
        </PostButton>
      )}
    </>
  )
}

function RefundBody({ payment, item }: Props<RefundItem>) {
  const request = useRequest()
  const { items } = request.texts.payment
  const reason = shortText(item.description ?? undefined, DESCRIPTION_SHOWN)
  return (
    <p>
      {items.refundOf(amountText(request, item.amountMinor, payment))}:{' '}
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

function UndoBody({ item }: Props<UndoItem>) {
  const request = useRequest()
  const { items } = request.texts.payment
  return (
    <p>
      <span class="muted">{items.attempt(item.attempt)}: </span>
      {items.undo[item.result ?? (item.status === 'done' ? 'nothing' : item.status)]}
    </p>
  )
}
