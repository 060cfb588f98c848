import { after, DAY } from '../../../base/clock.ts'
import { overview, type SeriesPoint } from '../../../insights/overview.ts'
import { type ProfileFigures, profileFigures } from '../../../insights/profiles.ts'
import { listProviderErrors } from '../../../logs/provider/commands.ts'
import type { ProviderError } from '../../../logs/provider/lines.ts'
import { appNow, type Profile } from '../../../merchants/app.ts'
import { Card, KeyValue, type Row } from '../../kit/html/layout.tsx'
import { moneyText } from '../../kit/format/money.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { SeriesChart } from '../overview/chart.tsx'
import { numberText, percentText } from '../../kit/format/numbers.ts'
import { List } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { useRequest } from '../../kit/screen.tsx'

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

const periodOf = ({ ctx, app }: AppRequest) => {
  const to = appNow(ctx, app)
  return { from: after(to, -PERIOD_MS), to }
}

const since = ({ ctx }: AppRequest): Date => after(ctx.clock.now(), -PERIOD_MS)

/** Of each profile of the app, with its last error. */
export async function performanceOfAll(request: AppRequest): Promise<(profileId: number) => Performance> {
  const { ctx, app } = request
  const profileIds = app.profiles.map(({ profileId }) => profileId)
  if (profileIds.length === 0) return () => ({ figures: undefined, errors: [] })
  const [shown, errors] = await Promise.all([
    overview(ctx, app, periodOf(request)),
    listProviderErrors(ctx, app, { profileIds, since: since(request), limit: 1 }),
  ])
  const figures = profileFigures(shown)
  return (id) => ({
    figures: figures.get(id),
    errors: errors.filter(({ profileId }) => profileId === id),
  })
}

/** The measures of a profile, as rows of facts. */
export function figureRows(request: AppRequest, figures: ProfileFigures): Row[] {
  const { providers, overview: texts } = request.texts
  const { approvalRate, p95Ms, fees } = figures
  const charged = fees.filter(({ feeMinor }) => feeMinor > 0n).slice(0, CURRENCIES_SHOWN)
  return [
    [providers.approval, percentText(request, approvalRate)],
    [texts.latency, p95Ms === undefined ? '–' : texts.milliseconds(numberText(request, p95Ms))],
    [
      texts.fees,
      charged.map(({ currency, feeMinor }) => moneyText(request.language, feeMinor, currency)).join(', ') ||
        '–',
    ],
  ]
}

/** `HTTP 401`, or why there was no reply. */
const resultText = ({ texts }: AppRequest, { outcome, status }: ProviderError): string =>
  status === null ? texts.payment.items.outcomes[outcome] : `HTTP ${status}`

export function LastError({ errors: [last] }: Pick<Performance, 'errors'>) {
  const request = useRequest()
  if (!last) return null
  const { providers } = request.texts
  return (
    <p class="small last-error">
      {`${providers.lastError}: ${resultText(request, last)}, ${last.step}, `}
      <Time time={last.startTime} />
    </p>
  )
}

/** The cards of one profile: measures with the payments of each day, and its failed requests. */
export async function performanceCards(request: AppRequest, { profileId }: Profile) {
  const { ctx, app } = request
  const [shown, errors] = await Promise.all([
    overview(ctx, app, { ...periodOf(request), profileId, granularity: 'day' }),
    listProviderErrors(ctx, app, { profileIds: [profileId], since: since(request), limit: ERRORS_SHOWN }),
  ])
  const figures = profileFigures(shown).get(profileId)
  return {
    measures: <Measures figures={figures} series={shown.series} />,
    failures: <Errors errors={errors} />,
  }
}

interface MeasuresProps {
  readonly figures: ProfileFigures | undefined
  readonly series: readonly SeriesPoint[]
}

function Measures({ figures, series }: MeasuresProps) {
  const request = useRequest()
  const { providers } = request.texts
  return (
    <Card title={providers.performance}>
      {figures ? (
        <>
          <KeyValue rows={figureRows(request, figures)} />
          <SeriesChart series={series} />
        </>
      ) : (
        <p class="muted">{providers.noPayments}</p>
      )}
    </Card>
  )
}

function Errors({ errors }: Pick<Performance, 'errors'>) {
  const request = useRequest()
  const { providers, frame, overview: texts } = request.texts
  const paymentCell = ({ paymentId }: ProviderError) => {
    if (paymentId === null) return frame.none
    if (!request.can('PaymentRead')) return paymentId
    return <a href={`${request.base}/payments/${paymentId}`}>{paymentId}</a>
  }
  const pathOf = ({ method, url }: ProviderError) => `${method} ${new URL(url).pathname}`
  return (
    <Card title={providers.errors}>
      {errors.length === 0 ? (
        <p class="muted">{providers.noErrors}</p>
      ) : (
        <List
          caption={providers.errors}
          items={errors}
          columns={[
            { label: texts.time, cell: ({ startTime }) => <Time time={startTime} /> },
            { label: providers.result, cell: (error) => resultText(request, error) },
            { label: providers.payment, end: true, cell: paymentCell },
            {
              label: providers.request,
              cell: (error) => <code>{shortText(pathOf(error), ENTRY_SHOWN)}</code>,
            },
          ]}
        />
      )}
    </Card>
  )
}
