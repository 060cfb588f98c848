import { ApiError } from '../../base/errors.ts'
import { eventIdOf, readEventId } from '../../base/ids.ts'
import { changeApp } from '../../merchants/apps/commands.ts'
import { AppPatch } from '../../merchants/apps/schema.ts'
import { type PageAnswer, seeOther } from '../../pages/page-route.tsx'
import { Button, Field, Select } from '../../pages/ui/controls.tsx'
import { Card, Notice } from '../../pages/ui/layout.tsx'
import {
  getDelivery,
  resend,
  resendFailed,
  rotateSigningSecret,
  sendTest,
  webhookHealth,
} from '../../webhooks/commands.ts'
import { deliveryPage } from '../../webhooks/lists/pages.ts'
import { cursorText, deliveryView, readCursor } from '../../webhooks/view.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { checked } from '../parts/checked.ts'
import { errorsByField } from '../parts/errors.ts'
import { Ask, AskButton, Form, PostButton } from '../parts/forms.tsx'
import { EmptyState, Pager, Table } from '../parts/table.tsx'
import { CopyText } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { drawTab } from './tabs.tsx'

const STATUSES = ['pending', 'delivered', 'exhausted', 'dropped'] as const
type Status = (typeof STATUSES)[number]
const PAGE_SIZE = 30

const isStatus = (text: string | undefined): text is Status =>
  (STATUSES as readonly (string | undefined)[]).includes(text)

export async function showWebhooks(visit: AppVisit, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = visit
  const { developers } = texts
  const status = isStatus(call.query.status) ? call.query.status : undefined
  const filter = {
    paymentId: undefined,
    since: new Date(0),
    before: readCursor(call.query.cursor),
    limit: PAGE_SIZE,
    status,
  }
  const [page, health] = await Promise.all([deliveryPage(ctx, app, filter), webhookHealth(ctx, app)])
  const last = page.items.at(-1)
  const next = page.hasNext && last ? cursorText({ ...last, time: last.queuedTime }) : undefined
  return drawTab(visit, {
    tab: 'webhooks',
    status: problem?.status ?? 200,
    flash: flashOf(visit, problem),
    actions: visit.can('DeveloperWrite') && (
      <AskButton href={`${base}/developers/webhooks/resend-failed`}>{developers.resendAll}</AskButton>
    ),
    children: (
      <>
        {health.endpoints.slice(0, 5).map(({ url, lastError }) => (
          <Notice kind="bad" title={developers.failing(url ?? '', lastError)} />
        ))}
        <div class="columns">
          <AddressForm visit={visit} problem={problem} />
          <Signing visit={visit} />
        </div>
        <StatusFilter visit={visit} status={status} />
        {page.items.length === 0 ? (
          <EmptyState title={developers.noDeliveries}>
            <p>{developers.noDeliveriesBody}</p>
          </EmptyState>
        ) : (
          <Deliveries visit={visit} deliveries={page.items} />
        )}
        <Pager visit={visit} next={next} />
      </>
    ),
  })
}

function flashOf({ call, texts }: AppVisit, problem: ApiError | undefined) {
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

type Listed = Awaited<ReturnType<typeof deliveryPage>>['items']

function Deliveries({ visit, deliveries }: { readonly visit: AppVisit; readonly deliveries: Listed }) {
  const { texts, base } = visit
  const { developers } = texts
  return (
    <Table
      caption={developers.deliveries}
      columns={[
        { label: developers.time },
        { label: developers.event },
        { label: developers.payment },
        { label: developers.state },
        { label: developers.next },
        { label: developers.resend, isQuiet: true },
      ]}
      rows={deliveries.map((delivery) => {
        const eventId = eventIdOf(delivery.paymentId, delivery.sequence)
        const href = `${base}/developers/webhooks/${eventId}`
        return {
          href,
          cells: [
            <Time visit={visit} time={delivery.queuedTime} style="second" />,
            <a href={href}>{`${delivery.type} ${delivery.state ?? ''}`}</a>,
            delivery.state !== null && (
              <a href={`${base}/payments/${delivery.paymentId}`}>{delivery.paymentId}</a>
            ),
            <span data-status={delivery.status}>{developers.statuses[delivery.status]}</span>,
            delivery.dueTime && <Time visit={visit} time={delivery.dueTime} style="second" />,
            visit.can('DeveloperWrite') && (
              <PostButton visit={visit} action={`${href}/resend`} label={`${developers.resend} ${eventId}`}>
                {developers.resend}
              </PostButton>
            ),
          ],
        }
      })}
    />
  )
}

function StatusFilter({ visit, status }: { readonly visit: AppVisit; readonly status: string | undefined }) {
  const { developers } = visit.texts
  return (
    <form class="filter" method="get" action={`${visit.base}/developers/webhooks`}>
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

function AddressForm({
  visit,
  problem,
}: {
  readonly visit: AppVisit
  readonly problem?: ApiError | undefined
}) {
  const { app, texts, base, call } = visit
  const { developers } = texts
  const wrong = errorsByField(problem)
  const kept = (name: string, stored: string | null) => call.form.get(name) ?? stored ?? ''
  const mayChange = visit.can('AppSettingWrite')
  return (
    <Card title={developers.address}>
      <Form visit={visit} action={`${base}/developers/webhooks`}>
        <Field
          id="webhook-url"
          name="url"
          type="url"
          label={developers.address}
          hint={developers.addressHint}
          value={kept('url', app.paymentWebhookUrl)}
          ltr
          {...wrong.of('paymentWebhookUrl')}
        />
        <Field
          id="webhook-scheme"
          name="scheme"
          label={developers.authScheme}
          value={kept('scheme', app.webhookAuthScheme)}
          ltr
          {...wrong.of('webhookAuthorizationHeaderScheme')}
        />
        <Field
          id="webhook-parameter"
          name="parameter"
          type="password"
          label={developers.authParameter}
          {...(app.webhookAuthParameter ? { hint: developers.authKept } : {})}
          ltr
          {...wrong.of('webhookAuthorizationHeaderParameter')}
        />
        {mayChange && (
          <div class="buttons">
            <Button>{developers.saveAddress}</Button>
          </div>
        )}
      </Form>
      {visit.can('DeveloperWrite') && (
        <PostButton visit={visit} action={`${base}/developers/webhooks/test`}>
          {developers.sendTest}
        </PostButton>
      )}
    </Card>
  )
}

function Signing({ visit }: { readonly visit: AppVisit }) {
  const { texts, base } = visit
  const { developers } = texts
  return (
    <Card title={developers.signing}>
      <p>{developers.signingBody}</p>
      {visit.can('DeveloperWrite') && (
        <AskButton href={`${base}/developers/webhooks/secret`}>{developers.rotateSecret}</AskButton>
      )}
    </Card>
  )
}

/** Shows the form again when the work is refused. */
async function orShow(visit: AppVisit, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return showWebhooks(visit, error)
    throw error
  }
}

export const postAddress = (visit: AppVisit): Promise<PageAnswer> =>
  orShow(visit, async () => {
    const { ctx, app, call, base } = visit
    const field = (name: string) => (call.form.get(name) ?? '').trim()
    const patch = checked(AppPatch, {
      paymentWebhookUrl: { value: field('url') || null },
      webhookAuthorizationHeaderScheme: { value: field('scheme') || null },
      ...(field('parameter') ? { webhookAuthorizationHeaderParameter: { value: field('parameter') } } : {}),
    })
    await changeApp(ctx, app, patch, {})
    return seeOther(`${base}/developers/webhooks?note=saved`)
  })

export const postTest = (visit: AppVisit): Promise<PageAnswer> =>
  orShow(visit, async () => {
    const { ctx, app, base, texts } = visit
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

export function askSecret(visit: AppVisit): PageAnswer {
  const { texts, base } = visit
  const { developers } = texts
  return drawScreen(visit, {
    name: 'developers',
    title: developers.rotateSecretTitle,
    crumbs: [{ label: developers.tabs.webhooks, href: `${base}/developers/webhooks` }],
    children: (
      <Ask
        visit={visit}
        action={`${base}/developers/webhooks/secret`}
        button={developers.rotateSecret}
        back={`${base}/developers/webhooks`}
      >
        <p>{developers.rotateSecretBody}</p>
      </Ask>
    ),
  })
}

export async function postSecret(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, texts, base } = visit
  const { developers } = texts
  const { webhookSecret } = await rotateSigningSecret(ctx, app)
  return drawScreen(visit, {
    name: 'developers',
    title: developers.secretShown,
    crumbs: [{ label: developers.tabs.webhooks, href: `${base}/developers/webhooks` }],
    children: (
      <section class="card form-card stack">
        <p>{developers.keyShownBody}</p>
        <CopyText visit={visit} text={webhookSecret} label={developers.secretShown} />
        <form method="get" action={`${base}/developers/webhooks`}>
          <Button>{developers.keyStored}</Button>
        </form>
      </section>
    ),
  })
}

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

export function askResendFailed(visit: AppVisit): PageAnswer {
  const { texts, base } = visit
  const { developers } = texts
  return drawScreen(visit, {
    name: 'developers',
    title: developers.resendAllTitle,
    crumbs: [{ label: developers.tabs.webhooks, href: `${base}/developers/webhooks` }],
    children: (
      <Ask
        visit={visit}
        action={`${base}/developers/webhooks/resend-failed`}
        button={developers.resendAll}
        back={`${base}/developers/webhooks`}
      >
        <p>{developers.resendAllBody}</p>
        <Field id="since" name="since" type="date" label={developers.since} />
      </Ask>
    ),
  })
}

export async function postResendFailed({ ctx, app, call, base }: AppVisit): Promise<PageAnswer> {
  const day = call.form.get('since') ?? ''
  const since = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined
  const count = await resendFailed(ctx, app, since)
  return seeOther(`${base}/developers/webhooks?note=resent-all&count=${count}`)
}
