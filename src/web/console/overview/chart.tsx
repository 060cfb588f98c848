import type { SeriesPoint } from '../../../insights/overview.ts'
import { List } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'

const WIDTH = 720
const HEIGHT = 160
const GAP = 0.2

interface ChartProps {
  readonly series: readonly SeriesPoint[]
}

/** Bars of captured and declined payments, with the figures in a table behind "Show data". */
export function SeriesChart({ series }: ChartProps) {
  const { overview, frame } = useRequest().texts
  const most = Math.max(1, ...series.map(({ captured, declined }) => captured + declined))
  const width = WIDTH / Math.max(1, series.length)
  const heightOf = (count: number) => (count / most) * HEIGHT
  return (
    <>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={overview.series}>
        {series.map(({ key, captured, declined }, place) => {
          const x = place * width + (width * GAP) / 2
          const bar = { x, width: width * (1 - GAP) }
          return (
            <g>
              <title>{`${key}: ${overview.captured} ${captured}, ${overview.declined} ${declined}`}</title>
              <rect class="bar-ok" {...bar} y={HEIGHT - heightOf(captured)} height={heightOf(captured)} />
              <rect
                class="bar-bad"
                {...bar}
                y={HEIGHT - heightOf(captured + declined)}
                height={heightOf(declined)}
              />
            </g>
          )
        })}
      </svg>
      <Ends series={series} />
      <p class="legend small">
        <span class="legend-ok">{overview.captured}</span>
        <span class="legend-bad">{overview.declined}</span>
        <span class="muted">{overview.seriesHint}</span>
      </p>
      <details>
        <summary>{frame.showData}</summary>
        <List
          caption={overview.series}
          items={series}
          columns={[
            { label: overview.time, cell: timeOf },
            { label: overview.created, cell: ({ created }) => String(created), end: true },
            { label: overview.captured, cell: ({ captured }) => String(captured), end: true },
            { label: overview.declined, cell: ({ declined }) => String(declined), end: true },
          ]}
        />
      </details>
    </>
  )
}

/** `2026-11-15`, or `2026-11-15 12` for an hour. */
const timeOf = ({ key }: SeriesPoint): string => key.replace('T', ' ')

/** The first and the last time under the bars, which grow from left to right in every language. */
function Ends({ series }: Pick<ChartProps, 'series'>) {
  const [first] = series
  const last = series.at(-1)
  if (!first || !last) return null
  return (
    <p class="chart-ends muted small" dir="ltr" aria-hidden="true">
      <span>{timeOf(first)}</span>
      {last !== first && <span>{timeOf(last)}</span>}
    </p>
  )
}
