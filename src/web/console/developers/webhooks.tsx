import { ApiError } from '../../../base/errors.ts'
import { eventIdOf } from '../../../base/ids.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import type { State } from '../../../payments/machine.ts'
import {
  type DeliveredShare,
  deliveredShare,
  healthOf,
  resendFailed,
  rotateSigningSecret,
  sendTest,
  withAttempts,
} from '../../../webhooks/commands.ts'
import { listEndpoints } from '../../../webhooks/endpoints/endpoints.ts'
import { deliveryPage } from '../../../webhooks/lists/pages.ts'
import { MAX_TRIES } from '../../../webhooks/schedule.ts'
import { cursorText, readCursor, urlOf } from '../../../webhooks/view.ts'
import { checked } from '../../kit/form.tsx'
import { deliveryProblem } from '../../kit/format/names.ts'
import { numberText, percentText } from '../../kit/format/numbers.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Field } from '../../kit/html/controls.tsx'
import { Form, PostButton, QuestionButton, SaveButton } from '../../kit/html/forms.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { Filter, List } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import { errorsByField, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { proof, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { renderSecret } from '../../kit/secret-page.tsx'
import { Endpoints, testProblem } from './endpoints.tsx'
import { renderTab } from './tabs.tsx'

const STATUSES = ['pending', 'delivered', 'exhausted', 'dropped'] as const
const PAGE_SIZE = 30
/** Failing endpoints that are named. */
const MAX_FAILING = 5

export async function showWebhooks(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { developers } = texts
  const filter = {
    paymentId: undefined,
    since: new Date(0),
    before: readCursor(call.query.cursor),
    limit: PAGE_SIZE,
    status: STATUSES.find((status) => status === call.query.status),
  }
  const [page, failing, share, endpoints] = await Promise.all([
    deliveryPage(ctx, app, filter),
    healthOf(ctx, app, MAX_FAILING),
    deliveredShare(ctx, app),
    listEndpoints(ctx, app),
  ])
  const deliveries = await withAttempts(ctx, app, page.items, { responses: false })
  const last = page.items.at(-1)
  const next = page.hasNext && last ? cursorText({ ...last, time: last.queuedTime }) : undefined
  return renderTab(request, {
    tab: 'webhooks',
    problem,
    actions: request.can('DeveloperWrite') && (
      <QuestionButton href={`${base}/developers/webhooks/resend-failed`}>
        {developers.resendAll}
      </QuestionButton>
    ),
    children: (
      <>
        <Failing endpoints={failing} />
        <div class="columns">
          <AddressForm problem={problem} />
          <Signing />
        </div>
        <Endpoints endpoints={endpoints} />
        <Share share={share} />
        <Filter
          name="deliveries"
          action={`${base}/developers/webhooks`}
          fields={[
            {
              id: 'status',
              name: 'status',
              label: developers.deliveries,
              value: filter.status ?? '',
              any: developers.anyStatus,
              options: STATUSES.map((value) => ({ value, label: developers.statuses[value] })),
            },
          ]}
          button={developers.filter}
        />
        <Deliveries deliveries={deliveries} next={next} isNamed={endpoints.length > 1} />
      </>
    ),
  })
}

interface FailingProps {
  readonly endpoints: Awaited<ReturnType<typeof healthOf>>
}

function Failing({ endpoints }: FailingProps) {
  const request = useRequest()
  const { failing } = request.texts.developers
  return (
    <>
      {endpoints.map(({ url, lastError }) => (
        <Notice kind="bad" title={failing({ url, problem: deliveryProblem(request, lastError) })} />
      ))}
    </>
  )
}

type Listed = Awaited<ReturnType<typeof withAttempts>>

interface DeliveriesProps {
  readonly deliveries: Listed
  readonly next: string | undefined
  /** Whether the app has more than one endpoint. */
  readonly isNamed: boolean
}

function Deliveries({ deliveries, next, isNamed }: DeliveriesProps) {
  const { texts, base, app } = useRequest()
  const { developers } = texts
  const href = (delivery: Listed[number]) =>
    `${base}/developers/webhooks/${idOf(delivery)}${endpointQuery(delivery)}`
  return (
    <List
      id="deliveries"
      caption={developers.deliveries}
      items={deliveries}
      href={href}
      empty={{ title: developers.noDeliveries, body: developers.noDeliveriesBody }}
      next={next}
      columns={[
        {
          label: developers.time,
          isTime: true,
          cell: ({ queuedTime }) => <Time time={queuedTime} style="clock" />,
        },
        {
          label: developers.event,
          cell: (delivery) => (
            <a href={href(delivery)}>
              {delivery.state ? texts.frame.states[delivery.state as State] : delivery.type}
            </a>
          ),
        },
        {
          label: developers.payment,
          cell: ({ state, paymentId }) =>
            state !== null && <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>,
        },
        isNamed && {
          label: texts.endpoints.name,
          cell: (delivery: Listed[number]) => <bdi>{hostOf(urlOf(app, delivery))}</bdi>,
        },
        {
          label: developers.state,
          cell: (delivery) => <Status of={delivery} />,
        },
        { label: developers.attempts, end: true, cell: ({ tries }) => `${tries}/${MAX_TRIES}` },
        {
          label: developers.http,
          end: true,
          cell: ({ attempts }) => <LastTry attempts={attempts} />,
        },
        { label: developers.resend, isQuiet: true, cell: (delivery) => <Resend of={delivery} /> },
      ]}
    />
  )
}

function Status({ of: { status, dueTime } }: { readonly of: Listed[number] }) {
  const { developers } = useRequest().texts
  return (
    <>
      <span data-status={status}>{developers.statuses[status]}</span>
      {dueTime && (
        <span class="muted small next-try">
          {`${developers.next}: `}
          <Time time={dueTime} style="clock" />
        </span>
      )}
    </>
  )
}

/** The answer of the last try, and how long it took. */
function LastTry({ attempts }: Pick<Listed[number], 'attempts'>) {
  const { items } = useRequest().texts.payment
  const last = attempts.at(-1)
  if (!last) return null
  return (
    <>
      {last.httpStatus} <span class="muted small">{items.ms({ ms: last.latencyMs })}</span>
    </>
  )
}

const idOf = ({ paymentId, sequence }: Listed[number]): string => eventIdOf(paymentId, sequence)

function Resend({ of: delivery }: { readonly of: Listed[number] }) {
  const { texts, base, can } = useRequest()
  if (!can('DeveloperWrite')) return null
  return (
    <PostButton
      action={`${base}/developers/webhooks/${idOf(delivery)}/resend`}
      hidden={{ endpoint: String(delivery.endpointId) }}
      about={idOf(delivery)}
    >
      {texts.developers.resend}
    </PostButton>
  )
}

/** Of a URL that may be cut. */
const hostOf = (url: string | null): string | undefined => url?.split('/')[2]

/** Names the endpoint where it is not the first one. */
const endpointQuery = ({ endpointId }: Listed[number]): string =>
  endpointId === 0 ? '' : `?endpoint=${endpointId}`

/** Shows the form again when the work is refused. */
const retry = (request: AppRequest, work: () => Promise<PageAnswer>): Promise<PageAnswer> =>
  retryForm(work, (problem) => showWebhooks(request, problem))

export const postAddress = (request: AppRequest): Promise<PageAnswer> =>
  retry(request, async () => {
    const { ctx, app, call, base } = request
    const field = (name: string) => (call.form.get(name) ?? '').trim()
    const patch = checked(AppPatch, {
      paymentWebhookUrl: { value: field('url') || null },
      webhookAuthorizationHeaderScheme: { value: field('scheme') || null },
      ...(field('parameter') ? { webhookAuthorizationHeaderParameter: { value: field('parameter') } } : {}),
    })
    await changeApp(ctx, app, patch, {})
    return seeOther(`${base}/developers/webhooks?note=saved`)
  })

export const postTest = (request: AppRequest): Promise<PageAnswer> =>
  retry(request, async () => {
    const { ctx, app, base, texts } = request
    const { attempts } = await sendTest(ctx, app)
    const last = attempts.at(-1)
    const isOk = last?.httpStatus && last.httpStatus >= 200 && last.httpStatus < 300
    if (!isOk)
      throw new ApiError('not_possible', texts.developers.testBad({ problem: testProblem(request, last) }), {
        isTranslated: true,
      })
    return seeOther(`${base}/developers/webhooks?note=tested&status=${last.httpStatus}&ms=${last.latencyMs}`)
  })

const OF_WEBHOOKS = {
  back: '/developers/webhooks',
  crumbs: ({ texts, base }: AppRequest) => [
    { label: texts.developers.tabs.webhooks, href: `${base}/developers/webhooks` },
  ],
}

export const webhookQuestions: readonly ScreenRoute[] = [
  ...question('/developers/webhooks/secret', proof('DeveloperWrite'), {
    ...OF_WEBHOOKS,
    texts: ({ developers }) => ({
      title: developers.rotateSecretTitle,
      body: developers.rotateSecretBody,
      button: developers.rotateSecret,
    }),
    run: async (request) => {
      const { developers } = request.texts
      const { webhookSecret } = await rotateSigningSecret(request.ctx, request.app)
      return renderSecret(request, {
        name: 'developers',
        title: developers.secretShown,
        crumbs: OF_WEBHOOKS.crumbs(request),
        intro: <p>{developers.keyShownBody}</p>,
        secret: webhookSecret,
        label: developers.secretShown,
        button: developers.keyStored,
        next: `${request.base}/developers/webhooks`,
      })
    },
  }),
  ...question('/developers/webhooks/resend-failed', 'DeveloperWrite', {
    ...OF_WEBHOOKS,
    texts: ({ developers }) => ({
      title: developers.resendAllTitle,
      body: developers.resendAllBody,
      button: developers.resendAll,
    }),
    fields: ({ texts }) => <Field id="since" name="since" type="date" label={texts.developers.since} />,
    run: async ({ ctx, app, call }) => {
      const day = call.form.get('since') ?? ''
      const since = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined
      return `resent-all&count=${await resendFailed(ctx, app, since)}`
    },
  }),
]

function AddressForm({ problem }: { readonly problem?: ApiError | undefined }) {
  const request = useRequest()
  const { app, texts, base, call } = request
  const { developers } = texts
  const errors = errorsByField(problem)
  const kept = (name: string, stored: string | null) => call.form.get(name) ?? stored ?? ''
  const mayChange = request.can('AppSettingWrite')
  return (
    <Card title={developers.address}>
      <Form action={`${base}/developers/webhooks`}>
        <Field
          id="webhook-url"
          name="url"
          type="url"
          label={developers.address}
          hint={developers.addressHint}
          value={kept('url', app.paymentWebhookUrl)}
          ltr
          {...errors.for('paymentWebhookUrl')}
        />
        <Field
          id="webhook-scheme"
          name="scheme"
          label={developers.authScheme}
          value={kept('scheme', app.webhookAuthScheme)}
          ltr
          {...errors.for('webhookAuthorizationHeaderScheme')}
        />
        <Field
          id="webhook-parameter"
          name="parameter"
          type="password"
          label={developers.authParameter}
          {...(app.webhookAuthParameter ? { hint: developers.authKept } : {})}
          ltr
          {...errors.for('webhookAuthorizationHeaderParameter')}
        />
        {mayChange && (
          <div class="buttons">
            <SaveButton page={`${base}/developers/webhooks`}>{developers.saveAddress}</SaveButton>
          </div>
        )}
      </Form>
      {request.can('DeveloperWrite') && (
        <PostButton action={`${base}/developers/webhooks/test`}>{developers.sendTest}</PostButton>
      )}
    </Card>
  )
}

const VERIFY = `import { verifyWebhook } from 'tender-sdk'

const event = await verifyWebhook(rawBody, headers, process.env.WEBHOOK_SECRET)`

function Signing() {
  const request = useRequest()
  const { texts, base } = request
  const { developers } = texts
  return (
    <Card title={developers.signing}>
      <p>{developers.signingBody}</p>
      <pre class="snippet">{VERIFY}</pre>
      {request.can('DeveloperWrite') && (
        <QuestionButton href={`${base}/developers/webhooks/secret`}>{developers.rotateSecret}</QuestionButton>
      )}
    </Card>
  )
}

/** The text says what the bar shows. */
function Share({ share }: { readonly share: DeliveredShare }) {
  const request = useRequest()
  const { developers } = request.texts
  const { tried, acknowledged, isWhole } = share
  const part = tried === 0 ? null : acknowledged / tried
  const counts = developers.acknowledged({
    count: numberText(request, acknowledged),
    all: numberText(request, tried),
  })
  return (
    <Card title={developers.lastDay}>
      {part === null ? (
        <p class="muted">{developers.noneTried}</p>
      ) : (
        <div class="share">
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect class="tone-bad" width={100} height={4} />
            <rect class="tone-ok" width={part * 100} height={4} />
          </svg>
          <p>
            <b>{percentText(request, part)}</b> {counts}
            {!isWhole && <span class="muted"> {developers.shareOfNewest}</span>}
          </p>
        </div>
      )}
    </Card>
  )
}
