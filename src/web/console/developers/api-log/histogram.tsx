import type { ApiHistogram } from '../../../../logs/api/commands.ts'
import { timeIn } from '../../../kit/format/time.tsx'
import { useRequest } from '../../../kit/screen.tsx'

const WIDTH = 720
const HEIGHT = 90

/** Requests of the last day: succeeded, refused and failed, one bar for each hour. */
export function Histogram({ histogram }: { readonly histogram: ApiHistogram }) {
  const request = useRequest()
  const { developers } = request.texts
  const { from, to, buckets } = histogram
  const span = Math.max(1, to.getTime() - from.getTime())
  const most = Math.max(1, ...buckets.map(({ succeeded, refused, failed }) => succeeded + refused + failed))
  const width = WIDTH / 26
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={developers.histogram}>
      {buckets.map(({ time, succeeded, refused, failed }) => {
        const x = ((time.getTime() - from.getTime()) / span) * (WIDTH - width)
        const all = succeeded + refused + failed
        const bad = refused + failed
        const heightOf = (count: number) => (count / most) * HEIGHT
        return (
          <g>
            <title>
              {`${timeIn(request, time)}: ${developers.succeeded} ${succeeded}, `}
              {`${developers.refused} ${refused}, ${developers.failed} ${failed}`}
            </title>
            <rect
              class="bar-ok"
              x={x}
              width={width * 0.8}
              y={HEIGHT - heightOf(all)}
              height={heightOf(succeeded)}
            />
            <rect
              class="bar-bad"
              x={x}
              width={width * 0.8}
              y={HEIGHT - heightOf(bad)}
              height={heightOf(bad)}
            />
          </g>
        )
      })}
    </svg>
  )
}
