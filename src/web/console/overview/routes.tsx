import { randomUUID } from 'node:crypto'
import { renderToString } from 'preact-render-to-string'
import type { Route } from '../../../http/route.ts'
import { type Overview, overview } from '../../../insights/overview.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { pageHeaders } from '../../kit/html/headers.ts'
import { createPayment } from '../../../payments/create.ts'
import { paymentLink } from '../../../payments/view.ts'
import { readCreation } from '../../../payments/wire/request.ts'
import { hasDelivered, webhookHealth } from '../../../webhooks/commands.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { timeIn } from '../parts/time.tsx'
import { type Attention, NeedsAttention } from './attention.tsx'
import { Figures } from './figures.tsx'
import { type ChosenRange, RANGES, readRange } from './range.ts'
import { isComplete, type SetupProgress, SetupSteps } from './steps.tsx'

export function overviewScreens({ app }: Screens): Route[] {
  return [
    app('GET', '/overview', show),
    app('GET', '/overview/steps', showSteps),
    app('POST', '/overview/test-payment', makeTestPayment),
  ]
}

async function show(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, now, person, texts } = visit
  const timeZone = person.timeZone ?? 'UTC'
  const chosen = readRange(call.query, now, timeZone)
  const [figures, health, hasWebhook] = await Promise.all([
    overview(ctx, app, { from: chosen.from, to: chosen.to, timeZone }),
    webhookHealth(ctx, app),
    hasDelivered(ctx, app),
  ])
  const progress = progressOf(visit, figures, hasWebhook)
  const attention: Attention = {
    held: figures.kpi.heldCount,
    failingEndpoints: health.endpoints.length,
    exhaustedWebhooks: health.exhaustedCount,
  }
  return drawScreen(visit, {
    name: 'overview',
    title: texts.overview.title,
    children: figures.isEmpty ? (
      <LiveSteps visit={visit} progress={progress} />
    ) : (
      <>
        <RangeForm visit={visit} chosen={chosen} />
        <NeedsAttention visit={visit} attention={attention} />
        <Figures visit={visit} figures={figures} />
        {app.isSandbox && !isComplete(progress) && <SetupSteps visit={visit} progress={progress} />}
      </>
    ),
  })
}

const progressOf = ({ app }: AppVisit, { kpi }: Overview, hasWebhook: boolean): SetupProgress => ({
  hasPayment: app.hasFirstCapture,
  hasWebhook,
  hasProvider: app.profiles.some(({ provider }) => provider !== 'sandbox'),
  hasRefund: kpi.refundedCount > 0,
  hasDecline: kpi.declinedCount > 0,
})

/** The steps alone: script asks for them again while they are open. */
async function showSteps(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, now, person } = visit
  const timeZone = person.timeZone ?? 'UTC'
  const { from, to } = readRange(call.query, now, timeZone)
  const [figures, hasWebhook] = await Promise.all([
    overview(ctx, app, { from, to, timeZone }),
    hasDelivered(ctx, app),
  ])
  const part = <SetupSteps visit={visit} progress={progressOf(visit, figures, hasWebhook)} />
  return { html: renderToString(part), headers: { ...pageHeaders({}), 'cache-control': 'no-store' } }
}

/** With script they follow what happens in another tab. Only while the app is empty: it is cheap then. */
const LiveSteps = (props: { readonly visit: AppVisit; readonly progress: SetupProgress }) => (
  <div data-poll={`${props.visit.base}/overview/steps`}>
    <SetupSteps {...props} />
  </div>
)

function RangeForm({ visit, chosen }: { readonly visit: AppVisit; readonly chosen: ChosenRange }) {
  const { base, texts } = visit
  const { overview: words } = texts
  const isoDay = (time: Date) => time.toISOString().slice(0, 10)
  const last = new Date(chosen.to.getTime() - 1)
  return (
    <div class="ranges">
      <nav class="environments" aria-label={words.range}>
        {RANGES.map((range) => (
          <a
            href={`${base}/overview?range=${range}`}
            aria-current={range === chosen.range ? 'true' : undefined}
          >
            {words.ranges[range]}
          </a>
        ))}
      </nav>
      <details class="custom-range" open={chosen.range === 'custom'}>
        <summary>{words.ranges.custom}</summary>
        <form method="get" action={`${base}/overview`} class="actions">
          <input type="hidden" name="range" value="custom" />
          <label>
            {words.from} <input type="date" name="from" value={isoDay(chosen.from)} required />
          </label>
          <label>
            {words.to} <input type="date" name="to" value={isoDay(last)} required />
          </label>
          <button class="button quiet" type="submit">
            {words.show}
          </button>
        </form>
      </details>
      <p class="muted small">{words.period(timeIn(visit, chosen.from, 'day'), timeIn(visit, last, 'day'))}</p>
    </div>
  )
}

/** A payment of the sandbox, to be paid in the new tab that the form opens. */
async function makeTestPayment(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, base, texts, person } = visit
  if (!app.isSandbox) return seeOther(`${base}/overview`)
  const currency = app.profiles.find(({ isActive }) => isActive)?.currency ?? 'USD'
  const wanted = readCreation('HostedPage', {
    referenceId: `console-${randomUUID()}`,
    amount: 25,
    currency,
    returnUrl: `${ctx.config.publicUrl}${base}/overview`,
    autoCapture: true,
    showPayRecurringInCheckout: false,
    description: texts.overview.testItem,
    customerOrder: { customer: { customerId: `console-${person.personId}` } },
  } as Parameters<typeof readCreation>[1])
  const { payment } = await createPayment(ctx, app, wanted)
  return seeOther(paymentLink(ctx, payment))
}
