import { after, DAY } from '../../../base/clock.ts'
import { overview } from '../../../insights/overview.ts'
import { type ProfileFigures, profileFigures } from '../../../insights/profiles.ts'
import { listProviderErrors } from '../../../logs/provider/commands.ts'
import type { ProviderError } from '../../../logs/provider/lines.ts'
import { appNow, type Profile } from '../../../merchants/app.ts'
import { moneyText } from '../../kit/format/money.tsx'
import { numberText, percentText } from '../../kit/format/numbers.ts'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time, timeZoneOf } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Card, KeyValue, type Row } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { CountChart } from '../overview/chart.tsx'
import { readRange } from '../overview/range.ts'

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

/** Reads the figures of these profiles, each with its last errors. */
async function read(request: AppRequest, profileIds: readonly number[], limit: number, more = {}) {
  const { ctx, app } = request
  const timeZone = timeZoneOf(request)
  const { from, to } = readRange({ range: '7d' }, appNow(ctx, app), { ...app, timeZone })
  const [shown, errors] = await Promise.all([
    overview(ctx, app, { from, to, timeZone, ...more }),
    listProviderErrors(ctx, app, { profileIds, since: after(ctx.clock.now(), -PERIOD_MS), limit }),
  ])
  const figures = profileFigures(shown)
  const performanceOf = (id: number): Performance => ({
    figures: figures.get(id),
    errors: errors.filter(({ profileId }) => profileId === id),
  })
  return { performanceOf, shown }
}

/** The performance of each profile of the app, with its last error. */
export async function performanceOfAll(request: AppRequest): Promise<(profileId: number) => Performance> {
  const profileIds = request.app.profiles.map(({ profileId }) => profileId)
  if (profileIds.length === 0) return () => ({ figures: undefined, errors: [] })
  return (await read(request, profileIds, 1)).performanceOf
}

/** The same of one profile, with the payments of each day. */
export async function performanceOf(request: AppRequest, { profileId }: Profile) {
  const { performanceOf, shown } = await read(request, [profileId], ERRORS_SHOWN, {
    profileId,
    granularity: 'day',
  })
  return { ...performanceOf(profileId), shown, profileId }
}

/** The measures of a profile, as rows of facts. */
export function figureRows(request: AppRequest, figures: ProfileFigures): Row[] {
  const { providers, overview: texts } = request.texts
  const { approvalRate, p95Ms, fees } = figures
  const charged = fees
    .filter(({ feeMinor }) => feeMinor > 0n)
    .slice(0, CURRENCIES_SHOWN)
    .map(({ currency, feeMinor }) => moneyText(request.language, feeMinor, currency))
  return [
    [providers.approval, percentText(request, approvalRate)],
    [texts.latency, p95Ms === undefined ? '–' : texts.milliseconds({ count: numberText(request, p95Ms) })],
    [texts.fees, charged.join(', ') || '–'],
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
      {`${providers.lastError}: ${resultText(request, last)}, `}
      <code>{last.step}</code>, <Time time={last.startTime} />
    </p>
  )
}

type OneProps = Awaited<ReturnType<typeof performanceOf>>

export function Measures({ figures, shown, profileId }: OneProps) {
  const request = useRequest()
  const { providers } = request.texts
  return (
    <Card title={providers.performance}>
      {figures ? (
        <>
          <KeyValue rows={figureRows(request, figures)} />
          <CountChart figures={shown} profileId={profileId} />
        </>
      ) : (
        <p class="muted">{providers.noPayments}</p>
      )}
    </Card>
  )
}

export function Errors({ errors }: Pick<Performance, 'errors'>) {
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
            { label: texts.time, isTime: true, cell: ({ startTime }) => <Time time={startTime} /> },
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
