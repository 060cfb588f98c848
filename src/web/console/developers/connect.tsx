import { timeIn } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Icon } from '../../kit/html/icons.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { renderPart, useRequest } from '../../kit/screen.tsx'
import { CONNECTIONS, SHOP_SCOPES, type ShopConnection } from './connections.ts'
import { renderTab } from './tabs.tsx'

/** How a shop is connected, with the addresses of this installation. `with` names the shop or language. */
export async function showConnect(request: AppRequest): Promise<PageAnswer> {
  const { texts, base, call, ctx, app } = request
  const words = texts.connect
  const [first = ''] = Object.keys(CONNECTIONS)
  const chosen = Object.hasOwn(CONNECTIONS, call.query.with ?? '') ? (call.query.with ?? '') : first
  const connection = CONNECTIONS[chosen]
  return renderTab(request, {
    tab: 'connect',
    children: (
      <>
        <p>{words.intro}</p>
        <nav class="environments" aria-label={words.title}>
          {Object.entries(CONNECTIONS).map(([id, { name }]) => (
            <a
              href={`${base}/developers/connect?with=${id}`}
              aria-current={id === chosen ? 'true' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <Card title={connection?.name ?? ''}>
          <KeyValue
            rows={[
              [words.address, <CopyText text={ctx.config.publicUrl} label={words.address} />],
              [texts.developers.appId, <CopyText text={app.appId} label={texts.developers.appId} />],
            ]}
          />
          {connection && <Instructions connection={connection} />}
        </Card>
        <WebhookCard />
        <div data-poll={`${base}/developers/connect/arrived`}>
          <ArrivedCard arrived={arrivedIn(request)} />
        </div>
      </>
    ),
  })
}

/** What existing plugins of this API call: each has these in its code. */
const PLUGIN_ADDRESSES = [
  ['paymentsApi', '/api/v1'],
  ['appApi', '/api'],
  ['consentPage', '/auth/signin'],
] as const

function Instructions({ connection }: { readonly connection: ShopConnection }) {
  const { texts, ctx, app, base, can } = useRequest()
  const words = texts.connect
  const { publicUrl } = ctx.config
  if (connection.kind === 'plugin')
    return (
      <>
        <p>{words.consent({ name: connection.name })}</p>
        <KeyValue
          rows={PLUGIN_ADDRESSES.map(([name, path]) => [
            words[name],
            <CopyText text={`${publicUrl}${path}`} label={words[name]} />,
          ])}
        />
        <p>{words.noPluginNamed}</p>
      </>
    )
  const { install, example, isPlugin, scopes = SHOP_SCOPES } = connection
  const title = isPlugin ? words.pluginSettings : words.example
  const text = example({ url: publicUrl, app })
  return (
    <>
      <h3>{words.key}</h3>
      <p>
        {words.keyBody} <code>TENDER_KEY</code>.
      </p>
      {can('DeveloperWrite') && (
        <QuestionButton
          href={`${base}/developers/keys/new?scopes=${scopes}&name=${encodeURIComponent(words.keyName)}`}
        >
          {words.makeKey}
        </QuestionButton>
      )}
      {isPlugin && (
        <p>
          {words.secretBody} <code>TENDER_WEBHOOK_SECRET</code>.
        </p>
      )}
      {install && (
        <>
          <h3>{words.install}</h3>
          <CopyText text={install} label={words.install} />
        </>
      )}
      <h3>{title}</h3>
      <pre class="snippet">{text}</pre>
      <CopyText text={text} label={title}>
        {texts.frame.copy}
      </CopyText>
    </>
  )
}

function WebhookCard() {
  const { texts, app, base } = useRequest()
  const words = texts.connect
  const url = app.paymentWebhookUrl?.replace(/[?#].*$/s, '')
  return (
    <Card title={words.webhooks}>
      <p>{url === undefined ? words.noAddress : words.webhooksTo({ url })}</p>
      <GetButton href={`${base}/developers/webhooks`}>{words.webhooksLink}</GetButton>
    </Card>
  )
}

interface Arrived {
  readonly webhook: Date | null
  readonly payment: boolean
}

const arrivedIn = ({ app }: AppRequest): Arrived => ({
  webhook: app.firstWebhookTime,
  payment: app.hasFirstCapture,
})

/** The card alone: script asks for it again until both have come. */
export const showArrived = (request: AppRequest): PageAnswer =>
  renderPart(request, <ArrivedCard arrived={arrivedIn(request)} />)

function ArrivedCard({ arrived: { webhook, payment } }: { readonly arrived: Arrived }) {
  const request = useRequest()
  const { texts, base } = request
  const words = texts.connect
  return (
    <Card title={words.status}>
      <ul class="checklist" data-poll-done={webhook && payment ? 'yes' : undefined}>
        <li>
          <Icon name={webhook ? 'check' : 'info'} />{' '}
          {webhook ? words.firstWebhook({ time: timeIn(request, webhook) }) : words.noWebhook}
        </li>
        <li>
          <Icon name={payment ? 'check' : 'info'} /> {payment ? words.firstPayment : words.noPayment}
        </li>
      </ul>
      {!(webhook && payment) && <GetButton href={`${base}/developers/connect`}>{words.reload}</GetButton>}
    </Card>
  )
}
