import { after, DAY } from '../../../base/clock.ts'
import { overview, type SeriesPoint } from '../../../insights/overview.ts'
import { type ProfileFigures, profileFigures } from '../../../insights/profiles.ts'
import { listProviderErrors } from '../../../logs/provider/commands.ts'
import type { ProviderError } from '../../../logs/provider/lines.ts'
import { appNow, type Profile } from '../../../merchants/app.ts'
import { Card, KeyValue, type Row } from '../../kit/html/layout.tsx'
import { moneyText } from '../../kit/format/money.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppVisit } from '../frame/visit.ts'
import { SeriesChart } from '../overview/chart.tsx'
import { numberText, percentText } from '../parts/numbers.ts'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

/** How the profiles did in the last days: from the rollups and the log of requests to providers. */

const PERIOD_MS = 7 * DAY
const ERRORS_SHOWN = 10
const CURRENCIES_SHOWN = 3

export interface Performance {
  /** Undefined for a profile without payments in the period. */
  readonly figures: ProfileFigures | undefined
  /** The newest first. */
  readonly errors: readonly ProviderError[]
}

const periodOf = ({ ctx, app }: AppVisit) => {
  const to = appNow(ctx, app)
  return { from: after(to, -PERIOD_MS), to }
}

const since = ({ ctx }: AppVisit): Date => after(ctx.clock.now(), -PERIOD_MS)

/** Of each profile of the app, with its last error. */
export async function performanceOfAll(visit: AppVisit): Promise<(profileId: number) => Performance> {
  const { ctx, app } = visit
  const profileIds = app.profiles.map(({ profileId }) => profileId)
  if (profileIds.length === 0) return () => ({ figures: undefined, errors: [] })
  const [shown, errors] = await Promise.all([
    overview(ctx, app, periodOf(visit)),
    listProviderErrors(ctx, app, { profileIds, since: since(visit), limit: 1 }),
  ])
  const figures = profileFigures(shown)
  return (id) => ({
    figures: figures.get(id),
    errors: errors.filter(({ profileId }) => profileId === id),
  })
}

/** The measures of a profile, as rows of facts. */
export function figureRows(visit: AppVisit, figures: ProfileFigures): Row[] {
  const { providers, overview: texts } = visit.texts
  const { approvalRate, p95Ms, fees } = figures
  const charged = fees.filter(({ feeMinor }) => feeMinor > 0n).slice(0, CURRENCIES_SHOWN)
  return [
    [providers.approval, percentText(visit, approvalRate)],
    [texts.latency, p95Ms === undefined ? '–' : texts.milliseconds(numberText(visit, p95Ms))],
    [
      texts.fees,
      charged.map(({ currency, feeMinor }) => moneyText(visit.language, feeMinor, currency)).join(', ') ||
        '–',
    ],
  ]
}

/** `HTTP 401`, or why there was no reply. */
const resultText = ({ texts }: AppVisit, { outcome, status }: ProviderError): string =>
  status === null ? texts.payment.items.outcomes[outcome] : `HTTP ${status}`

interface LastErrorProps {
  readonly visit: AppVisit
  readonly errors: readonly ProviderError[]
}

export function LastError({ visit, errors: [last] }: LastErrorProps) {
  if (!last) return null
  const { providers } = visit.texts
  return (
    <p class="small last-error">
      {`${providers.lastError}: ${resultText(visit, last)}, ${last.step}, `}
      <Time visit={visit} time={last.startTime} />
    </p>
  )
}

/** The cards of one profile: measures with the payments of each day, and its failed requests. */
export async function performanceCards(visit: AppVisit, { profileId }: Profile) {
  const { ctx, app } = visit
  const [shown, errors] = await Promise.all([
    overview(ctx, app, { ...periodOf(visit), profileId, granularity: 'day' }),
    listProviderErrors(ctx, app, { profileIds: [profileId], since: since(visit), limit: ERRORS_SHOWN }),
  ])
  const figures = profileFigures(shown).get(profileId)
  return {
    measures: <Measures visit={visit} figures={figures} series={shown.series} />,
    failures: <Errors visit={visit} errors={errors} />,
  }
}

interface MeasuresProps {
  readonly visit: AppVisit
  readonly figures: ProfileFigures | undefined
  readonly series: readonly SeriesPoint[]
}

function Measures({ visit, figures, series }: MeasuresProps) {
  const { providers } = visit.texts
  return (
    <Card title={providers.performance}>
      {figures ? (
        <>
          <KeyValue rows={figureRows(visit, figures)} />
          <SeriesChart visit={visit} series={series} />
        </>
      ) : (
        <p class="muted">{providers.noPayments}</p>
      )}
    </Card>
  )
}

function Errors({ visit, errors }: LastErrorProps) {
  const { providers } = visit.texts
  const { frame, overview: texts } = visit.texts
  const mayOpen = visit.can('PaymentRead')
  if (errors.length === 0)
    return (
      <Card title={providers.errors}>
        <p class="muted">{providers.noErrors}</p>
      </Card>
    )
  const paymentCell = (paymentId: number | null) => {
    if (paymentId === null) return frame.none
    return mayOpen ? <a href={`${visit.base}/payments/${paymentId}`}>{paymentId}</a> : paymentId
  }
  return (
    <Card title={providers.errors}>
      <Table
        caption={providers.errors}
        columns={[
          { label: texts.time },
          { label: providers.result },
          { label: providers.payment, end: true },
          { label: providers.request },
        ]}
        rows={errors.map((error) => ({
          cells: [
            <Time visit={visit} time={error.startTime} />,
            resultText(visit, error),
            paymentCell(error.paymentId),
            <code>{shortText(`${error.method} ${new URL(error.url).pathname}`, ENTRY_SHOWN)}</code>,
          ],
        }))}
      />
    </Card>
  )
}
