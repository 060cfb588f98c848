import { LISTED_BY, type Overview, type SeriesPoint } from '../../../insights/overview.ts'
import { ColumnChart } from '../../kit/chart/columns.tsx'
import { columnTexts, countValue, moneyValue } from '../../kit/chart/texts.ts'
import { shortMoneyText } from '../../kit/format/money.tsx'
import { numberText } from '../../kit/format/numbers.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { useRequest } from '../../kit/screen.tsx'
import { listOf, slotFilter } from './range.ts'

export type SeriesFigures = Pick<
  Overview,
  'series' | 'previousSeries' | 'from' | 'to' | 'granularity' | 'timeZone'
>

interface ChartProps {
  readonly figures: SeriesFigures
  /** Only payments of this profile are counted. */
  readonly profileId?: number
}

/** The columns of a series, with what each point has in it. */
function columnsOf(request: AppRequest, figures: SeriesFigures) {
  const texts = columnTexts(request, figures.granularity, figures.timeZone)
  return figures.series.map((point, place) => ({
    ...texts(point.startTime),
    point,
    before: figures.previousSeries[place],
    slot: slotFilter(figures, place),
  }))
}

/** Captured and declined payments. */
export function CountChart({ figures, profileId }: ChartProps) {
  const request = useRequest()
  const { overview } = request.texts
  const profile = profileId === undefined ? {} : { profile: String(profileId) }
  const ended = ({ captured, declined }: SeriesPoint) => captured + declined
  return (
    <>
      <ColumnChart
        caption={overview.series}
        head={overview.time}
        isStacked
        isWhole
        axisText={(value) => numberText(request, value)}
        series={[
          { label: overview.captured, tone: 'ok' },
          { label: overview.declined, tone: 'bad' },
        ]}
        before={overview.before}
        columns={columnsOf(request, figures).map(({ point, before, slot, label, title }) => ({
          ...{ label, title },
          values: (['captured', 'declined'] as const).map((name) =>
            countValue(
              request,
              point[name],
              listOf(request, { q: LISTED_BY[`${name}Count`], ...profile, ...slot }),
            ),
          ),
          before: before && countValue(request, ended(before)),
        }))}
      />
      <p class="muted small">{overview.seriesHint}</p>
    </>
  )
}

interface MoneyChartProps extends ChartProps {
  readonly currency: string
}

/** Captured and net money of one currency. */
export function MoneyChart({ figures, currency }: MoneyChartProps) {
  const request = useRequest()
  const { overview } = request.texts
  const moneyIn = (point: SeriesPoint | undefined) =>
    point?.money.find((sum) => sum.currency === currency) ?? { capturedMinor: 0n, netMinor: 0n }
  return (
    <ColumnChart
      caption={overview.moneySeries}
      head={overview.time}
      axisText={(value) => shortMoneyText(request.language, value, currency)}
      series={[
        { label: overview.captured, tone: 'ok' },
        { label: overview.net, tone: 'main' },
      ]}
      before={overview.before}
      columns={columnsOf(request, figures).map(({ point, before, slot, label, title }) => {
        const { capturedMinor, netMinor } = moneyIn(point)
        const href = listOf(request, { q: LISTED_BY.capturedCount, currency, ...slot })
        return {
          ...{ label, title },
          values: [
            moneyValue(request, capturedMinor, currency, href),
            moneyValue(request, netMinor, currency, href),
          ],
          before: before && moneyValue(request, moneyIn(before).capturedMinor, currency),
        }
      })}
    />
  )
}
