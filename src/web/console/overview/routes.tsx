import { randomUUID } from 'node:crypto'
import { overview } from '../../../insights/overview.ts'
import { appNow } from '../../../merchants/app.ts'
import { countOpenApprovals } from '../../../payments/approvals/commands.ts'
import { createPayment } from '../../../payments/create.ts'
import { countDisputed, countHeld } from '../../../payments/search/search.ts'
import { paymentLink } from '../../../payments/view.ts'
import { readCreation } from '../../../payments/wire/request.ts'
import { hasDelivered, webhookHealth } from '../../../webhooks/commands.ts'
import { timeIn, timeZoneOf } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { renderPart, useRequest } from '../../kit/screen.tsx'
import { Figures, NeedsAttention } from './figures.tsx'
import { type ChosenRange, RANGES, rangeFilter, readRange } from './range.ts'
import { isComplete, type SetupProgress, SetupSteps } from './steps.tsx'

export function overviewScreens(): ScreenRoute[] {
  return [
    app('GET', '/overview', 'DashboardRead', show),
    app('GET', '/overview/steps', 'DashboardRead', showSteps),
    app('POST', '/overview/test-payment', 'PaymentWrite', makeTestPayment),
  ]
}

/** The chosen period, its figures, and what has been tried in the app so far. */
async function readOverview(request: AppRequest) {
  const { ctx, app, call } = request
  const timeZone = timeZoneOf(request)
  const chosen = readRange(call.query, appNow(ctx, app), timeZone)
  const [figures, hasWebhook] = await Promise.all([
    overview(ctx, app, { from: chosen.from, to: chosen.to, timeZone }),
    hasDelivered(ctx, app),
  ])
  const { kpi } = figures
  const progress: SetupProgress = {
    hasPayment: app.hasFirstCapture,
    hasWebhook,
    hasProvider: app.profiles.some(({ provider }) => provider !== 'sandbox'),
    hasRefund: kpi.refundedCount > 0,
    hasDecline: kpi.declinedCount > 0,
  }
  return { chosen, figures, progress }
}

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, texts } = request
  const [{ chosen, figures, progress }, health, held, disputed, refundsToApprove] = await Promise.all([
    readOverview(request),
    webhookHealth(ctx, app),
    countHeld(ctx, app),
    countDisputed(ctx, app),
    request.can('PaymentRefund') ? countOpenApprovals(ctx, app) : 0,
  ])
  return renderScreen(request, {
    name: 'overview',
    title: texts.overview.title,
    children: figures.isEmpty ? (
      // With script they follow what happens in another tab. Only while the app is empty: it is cheap then.
      <div data-poll={`${base}/overview/steps`}>
        <SetupSteps progress={progress} />
      </div>
    ) : (
      <>
        <RangeForm chosen={chosen} />
        <NeedsAttention
          disputed={disputed}
          held={held}
          refundsToApprove={refundsToApprove}
          failingEndpoints={health.endpoints.length}
          exhaustedWebhooks={health.exhaustedCount}
        />
        <Figures figures={figures} />
        {app.isSandbox && !isComplete(progress) && <SetupSteps progress={progress} />}
      </>
    ),
  })
}

/** The steps alone: script asks for them again while they are open. */
async function showSteps(request: AppRequest): Promise<PageAnswer> {
  const { progress } = await readOverview(request)
  return renderPart(request, <SetupSteps progress={progress} />)
}

function RangeForm({ chosen }: { readonly chosen: ChosenRange }) {
  const request = useRequest()
  const { base, texts } = request
  const { overview: words } = texts
  const days = rangeFilter(chosen, timeZoneOf(request))
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
            {words.from} <input type="date" name="from" value={days.from} required />
          </label>
          <label>
            {words.to} <input type="date" name="to" value={days.to} required />
          </label>
          <button class="button quiet" type="submit">
            {words.show}
          </button>
        </form>
      </details>
      <p class="muted small">
        {words.period({ from: timeIn(request, chosen.from, 'day'), to: timeIn(request, last, 'day') })}
      </p>
    </div>
  )
}

/** A payment of the sandbox, to be paid in the new tab that the form opens. */
async function makeTestPayment(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, texts, person } = request
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
