import { randomUUID } from 'node:crypto'
import { countOpen } from '../../../disputes/commands.ts'
import { goingLive, type ItemState, triedSteps } from '../../../going-live/going-live.ts'
import { overview } from '../../../insights/overview.ts'
import { appNow } from '../../../merchants/app.ts'
import { countOpenApprovals } from '../../../payments/approvals/commands.ts'
import { createPayment } from '../../../payments/create.ts'
import { countHeld, failedCharges } from '../../../payments/search/search.ts'
import { paymentLink } from '../../../payments/view.ts'
import { readCreation } from '../../../payments/wire/request.ts'
import { webhookHealth } from '../../../webhooks/commands.ts'
import { timeIn, timeZoneOf } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { renderPart, useRequest } from '../../kit/screen.tsx'
import { GoingLiveHint, GoingLiveList } from '../going-live/routes.tsx'
import { settlementAttention } from '../settlements/elsewhere.tsx'
import { Charges } from './charges.tsx'
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

/** The chosen period and its figures. */
async function readOverview(request: AppRequest) {
  const { ctx, app, call } = request
  const timeZone = timeZoneOf(request)
  const chosen = readRange(call.query, appNow(ctx, app), { ...app, timeZone })
  const period = { from: chosen.from, to: chosen.to }
  const [figures, charges] = await Promise.all([
    overview(ctx, app, { ...period, timeZone }),
    failedCharges(ctx, app, period),
  ])
  return { chosen, figures, charges }
}

/** What the app still needs: the first steps of a sandbox app, or the list of a live one. */
async function readSteps({ ctx, app }: AppRequest): Promise<Steps> {
  if (!app.isSandbox) return { items: await goingLive(ctx, app) }
  const tried = await triedSteps(ctx, app)
  const hasWebhook = app.firstWebhookTime !== null
  return { progress: { hasPayment: app.hasFirstCapture, hasWebhook, ...tried } }
}

type Steps = { readonly progress: SetupProgress } | { readonly items: readonly ItemState[] }

const StepsCard = ({ steps }: { readonly steps: Steps }) =>
  'items' in steps ? <GoingLiveList items={steps.items} /> : <SetupSteps progress={steps.progress} />

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, texts } = request
  const [{ chosen, figures, charges }, steps, health, held, disputed, exceptions, refundsToApprove] =
    await Promise.all([
      readOverview(request),
      readSteps(request),
      webhookHealth(ctx, app),
      countHeld(ctx, app),
      countOpen(ctx, app),
      settlementAttention(request),
      request.can('PaymentRefund') ? countOpenApprovals(ctx, app) : 0,
    ])
  return renderScreen(request, {
    name: 'overview',
    title: texts.overview.title,
    children: figures.isEmpty ? (
      // With script they follow what happens in another tab. Only while the app is empty: it is cheap then.
      <div data-poll={`${base}/overview/steps`}>
        <StepsCard steps={steps} />
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
          exceptions={exceptions}
        />
        <Figures figures={figures} />
        <Charges charges={charges} period={chosen} />
        {'items' in steps && <GoingLiveHint items={steps.items} />}
        {'progress' in steps && !isComplete(steps.progress) && <StepsCard steps={steps} />}
      </>
    ),
  })
}

/** The steps alone: script asks for them again while they are open. */
async function showSteps(request: AppRequest): Promise<PageAnswer> {
  return renderPart(request, <StepsCard steps={await readSteps(request)} />)
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
