import { ApiError } from '../../../base/errors.ts'
import { eventIdOf } from '../../../base/ids.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import type { State } from '../../../payments/machine.ts'
import {
  deliveredShare,
  resendFailed,
  rotateSigningSecret,
  sendTest,
  webhookHealth,
  withAttempts,
} from '../../../webhooks/commands.ts'
import { deliveryPage } from '../../../webhooks/lists/pages.ts'
import { MOST_TRIES } from '../../../webhooks/schedule.ts'
import { cursorText, readCursor } from '../../../webhooks/view.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { checked } from '../../kit/form.tsx'
import { Question, AskButton, PostButton } from '../../kit/html/forms.tsx'
import { EmptyState, Pager, Table } from '../../kit/list.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { Time } from '../../kit/format/time.tsx'
import { renderTab } from './tabs.tsx'
import { AddressForm, Share, Signing } from './webhook-forms.tsx'
import { useRequest } from '../../kit/screen.tsx'

const STATUSES = ['pending', 'delivered', 'exhausted', 'dropped'] as const
type Status = (typeof STATUSES)[number]
const PAGE_SIZE = 30

const isStatus = (text: string | undefined): text is Status =>
  (STATUSES as readonly (string | undefined)[]).includes(text)

export async function showWebhooks(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { developers } = texts
  const status = isStatus(call.query.status) ? call.query.status : undefined
  const filter = {
    paymentId: undefined,
    since: new Date(0),
    before: readCursor(call.query.cursor),
    limit: PAGE_SIZE,
    status,
  }
  const [page, health, share] = await Promise.all([
    deliveryPage(ctx, app, filter),
    webhookHealth(ctx, app),
    deliveredShare(ctx, app),
  ])
  const deliveries = await withAttempts(ctx, app, page.items, { responses: false })
  const last = page.items.at(-1)
  const next = page.hasNext && last ? cursorText({ ...last, time: last.queuedTime }) : undefined
  return renderTab(request, {
    tab: 'webhooks',
    status: problem?.status ?? 200,
    flash: flashOf(request, problem),
    actions: request.can('DeveloperWrite') && (
      <AskButton href={`${base}/developers/webhooks/resend-failed`}>{developers.resendAll}</AskButton>
    ),
    children: (
      <>
        {health.endpoints.slice(0, 5).map(({ url, lastError }) => (
          <Notice kind="bad" title={developers.failing(url ?? '', lastError)} />
        ))}
        <div class="columns">
          <AddressForm problem={problem} />
          <Signing />
        </div>
        <Share share={share} />
        <StatusFilter status={status} />
        {page.items.length === 0 ? (
          <EmptyState title={developers.noDeliveries}>
            <p>{developers.noDeliveriesBody}</p>
          </EmptyState>
        ) : (
          <Deliveries deliveries={deliveries} />
        )}
        <Pager next={next} />
      </>
    ),
  })
}

function flashOf({ call, texts }: AppRequest, problem: ApiError | undefined) {
  const { developers } = texts
  if (problem) return { kind: 'bad', text: problem.message } as const
  const { note, status = '', ms = '', count = '' } = call.query
  const shown = (text: string) => text.replace(/\D/g, '').slice(0, 9)
  const notes: Readonly<Record<string, string>> = {
    saved: developers.addressSaved,
    tested: developers.testOk(shown(status), shown(ms)),
    resent: developers.resent,
    'resent-all': developers.resentAll(shown(count)),
  }
  const text = notes[note ?? '']
  return text ? ({ kind: 'ok', text } as const) : undefined
}

type Listed = Awaited<ReturnType<typeof withAttempts>>

function Deliveries({ deliveries }: { readonly deliveries: Listed }) {
  const request = useRequest()
  const { texts, base } = request
  const { developers } = texts
  return (
    <Table
      id="deliveries"
      caption={developers.deliveries}
      columns={[
        { label: developers.time },
        { label: developers.event },
        { label: developers.payment },
        { label: developers.state },
        { label: developers.attempts, end: true },
        { label: developers.http, end: true },
        { label: developers.duration, end: true },
        { label: developers.next },
        { label: developers.resend, isQuiet: true },
      ]}
      rows={deliveries.map((delivery) => {
        const eventId = eventIdOf(delivery.paymentId, delivery.sequence)
        const href = `${base}/developers/webhooks/${eventId}`
        const last = delivery.attempts.at(-1)
        return {
          href,
          cells: [
            <Time time={delivery.queuedTime} style="second" />,
            <a href={href}>{delivery.state ? texts.frame.states[delivery.state as State] : delivery.type}</a>,
            delivery.state !== null && (
              <a href={`${base}/payments/${delivery.paymentId}`}>{delivery.paymentId}</a>
            ),
            <span data-status={delivery.status}>{developers.statuses[delivery.status]}</span>,
            `${delivery.tries}/${MOST_TRIES}`,
            last?.httpStatus,
            last && texts.payment.items.ms(last.latencyMs),
            delivery.dueTime && <Time time={delivery.dueTime} style="second" />,
            request.can('DeveloperWrite') && (
              <PostButton action={`${href}/resend`} about={eventId}>
                {developers.resend}
              </PostButton>
            ),
          ],
        }
      })}
    />
  )
}

function StatusFilter({ status }: { readonly status: string | undefined }) {
  const request = useRequest()
  const { developers } = request.texts
  return (
    <form class="filter" method="get" action={`${request.base}/developers/webhooks`}>
      <Select
        id="status"
        name="status"
        label={developers.deliveries}
        value={status ?? ''}
        options={[
          { value: '', label: developers.anyStatus },
          ...STATUSES.map((value) => ({ value, label: developers.statuses[value] })),
        ]}
      />
      <Button kind="quiet">{developers.filter}</Button>
    </form>
  )
}

/** Shows the form again when the work is refused. */
async function orShow(request: AppRequest, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return showWebhooks(request, error)
    throw error
  }
}

export const postAddress = (request: AppRequest): Promise<PageAnswer> =>
  orShow(request, async () => {
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
  orShow(request, async () => {
    const { ctx, app, base, texts } = request
    const { attempts } = await sendTest(ctx, app)
    const last = attempts.at(-1)
    const isOk = last?.httpStatus && last.httpStatus >= 200 && last.httpStatus < 300
    if (!isOk)
      throw new ApiError(
        'not_possible',
        texts.developers.testBad(last?.error ?? String(last?.httpStatus ?? '')),
      )
    return seeOther(`${base}/developers/webhooks?note=tested&status=${last.httpStatus}&ms=${last.latencyMs}`)
  })

export function askSecret(request: AppRequest): PageAnswer {
  const { texts, base } = request
  const { developers } = texts
  return renderScreen(request, {
    name: 'developers',
    title: developers.rotateSecretTitle,
    crumbs: [{ label: developers.tabs.webhooks, href: `${base}/developers/webhooks` }],
    children: (
      <Question
        action={`${base}/developers/webhooks/secret`}
        button={developers.rotateSecret}
        back={`${base}/developers/webhooks`}
      >
        <p>{developers.rotateSecretBody}</p>
      </Question>
    ),
  })
}

export async function postSecret(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, texts, base } = request
  const { developers } = texts
  const { webhookSecret } = await rotateSigningSecret(ctx, app)
  return renderScreen(request, {
    name: 'developers',
    title: developers.secretShown,
    crumbs: [{ label: developers.tabs.webhooks, href: `${base}/developers/webhooks` }],
    children: (
      <section class="card form-card stack">
        <p>{developers.keyShownBody}</p>
        <CopyText text={webhookSecret} label={developers.secretShown} />
        <form method="get" action={`${base}/developers/webhooks`}>
          <Button>{developers.keyStored}</Button>
        </form>
      </section>
    ),
  })
}

export function askResendFailed(request: AppRequest): PageAnswer {
  const { texts, base } = request
  const { developers } = texts
  return renderScreen(request, {
    name: 'developers',
    title: developers.resendAllTitle,
    crumbs: [{ label: developers.tabs.webhooks, href: `${base}/developers/webhooks` }],
    children: (
      <Question
        action={`${base}/developers/webhooks/resend-failed`}
        button={developers.resendAll}
        back={`${base}/developers/webhooks`}
      >
        <p>{developers.resendAllBody}</p>
        <Field id="since" name="since" type="date" label={developers.since} />
      </Question>
    ),
  })
}

export async function postResendFailed({ ctx, app, call, base }: AppRequest): Promise<PageAnswer> {
  const day = call.form.get('since') ?? ''
  const since = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined
  const count = await resendFailed(ctx, app, since)
  return seeOther(`${base}/developers/webhooks?note=resent-all&count=${count}`)
}
