import type { ComponentChildren } from 'preact'
import { List } from '../list.tsx'
import { useOpenRequest } from '../screen.tsx'
import { labelledPlaces, type Scale, scaleOf } from './scale.ts'

/** The colour of a series, with its meaning. */
export type ChartTone = 'main' | 'ok' | 'bad' | 'warn' | 'quiet'

interface ChartSeries {
  readonly label: string
  readonly tone: ChartTone
}

/** The value of a series in one column. */
export interface ChartValue {
  readonly value: number
  /** As it is read: `€1,234.50`. */
  readonly text: string
  /** The list of what is counted. */
  readonly href?: string | undefined
}

interface ChartColumn {
  /** Below the column, short. */
  readonly label: string
  /** In the table and beside the pointer. */
  readonly title: string
  /** In the order of the series. */
  readonly values: readonly ChartValue[]
  /** The same column of the period before. */
  readonly before?: ChartValue | undefined
}

interface ColumnChartProps {
  readonly caption: string
  /** What the columns are, above their titles in the table. */
  readonly head: string
  readonly series: readonly ChartSeries[]
  readonly columns: readonly ChartColumn[]
  /** The values of a column are parts of a whole. Otherwise they stand side by side. */
  readonly isStacked?: boolean
  /** Counts have no fractions on the scale. */
  readonly isWhole?: boolean
  /** A value of the scale, short. */
  readonly axisText: (value: number) => string
  /** The name of the values before; given when columns have them. */
  readonly before?: string | undefined
}

/** In pixels: widths are shares of the room, so text keeps its size on every screen. Beside chart.css. */
const PLOT = 160
const ABOVE = 20
const BELOW = 22
const GAP = 0.24
const MOST_LABELS = 5
/** The room of a plot in pixels, on a phone and beside the menu; and of a digit. */
const NARROW = 280
const WIDE = 640
const DIGIT = 6.5

/**
 * Columns over time, drawn by the server. The drawing is for the eye and the pointer; keyboards and screen
 * readers have the table beneath it, with the same links.
 */
export function ColumnChart(props: ColumnChartProps) {
  const { columns, isStacked = false, isWhole = false, axisText } = props
  const values = columns.flatMap(({ values, before }) => [
    ...(isStacked ? [sumOf(values)] : values.map(({ value }) => value)),
    before?.value ?? 0,
  ])
  const scale = scaleOf(values, { isWhole })
  return (
    <figure class="chart" dir="ltr">
      <ol class="chart-axis" aria-hidden="true">
        {scale.steps.toReversed().map((step) => (
          <li>
            <span>{axisText(step)}</span>
          </li>
        ))}
      </ol>
      <svg class="chart-plot" width="100%" height={ABOVE + PLOT + BELOW} aria-hidden="true">
        {scale.steps.map((step) => (
          <line class={step === 0 ? 'chart-zero' : 'chart-grid'} x2="100%" {...level(scale, step)} />
        ))}
        <Columns {...props} scale={scale} />
      </svg>
      <Legend {...props} />
      <ChartTable {...props} />
    </figure>
  )
}

const sumOf = (values: readonly ChartValue[]): number => values.reduce((sum, { value }) => sum + value, 0)

const yOf = ({ top, bottom }: Scale, value: number): number =>
  Math.round(10 * (ABOVE + (PLOT * (top - value)) / (top - bottom))) / 10
const level = (scale: Scale, value: number) => ({ y1: yOf(scale, value), y2: yOf(scale, value) })
const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`

interface DrawnProps extends ColumnChartProps {
  readonly scale: Scale
}

function Columns(props: DrawnProps) {
  const { columns, scale, before } = props
  const labelled = labelledPlaces(columns.length, MOST_LABELS)
  const width = 1 / Math.max(1, columns.length)
  return (
    <>
      {columns.map((column, place) => {
        const middle = percent((place + 0.5) * width)
        const [left, right] = [percent((place + GAP / 4) * width), percent((place + 1 - GAP / 4) * width)]
        return (
          <>
            <Segments {...props} column={column} left={place * width} width={width} />
            {before && column.before && column.before.value !== 0 && (
              <line class="chart-before" x1={left} x2={right} {...level(scale, column.before.value)}>
                <title>{`${column.title}, ${before}: ${column.before.text}`}</title>
              </line>
            )}
            <Total {...props} column={column} middle={middle} />
            {labelled.has(place) && (
              <text class="chart-label" x={middle} y={ABOVE + PLOT + 16}>
                {column.label}
              </text>
            )}
          </>
        )
      })}
    </>
  )
}

interface SegmentsProps extends DrawnProps {
  readonly column: ChartColumn
  readonly left: number
  readonly width: number
}

function Segments({ series, column, scale, isStacked, left, width }: SegmentsProps) {
  const bars = isStacked ? 1 : series.length
  const bar = (width * (1 - GAP)) / bars
  let floor = 0
  return (
    <>
      {column.values.map(({ value, text, href }, place) => {
        const from = isStacked ? floor : 0
        floor += value
        if (value === 0) return null
        const x = left + (width * GAP) / 2 + (isStacked ? 0 : place * bar)
        const [high, low] = [
          yOf(scale, Math.max(from, from + value)),
          yOf(scale, Math.min(from, from + value)),
        ]
        // A value that is small beside the others can still be seen and clicked.
        const height = Math.max(1.5, Math.round(10 * (low - high)) / 10)
        const { label = '', tone = 'main' } = series[place] ?? {}
        return (
          <DrawnLink href={href}>
            <title>{`${column.title}, ${label}: ${text}`}</title>
            <rect class={`tone-${tone}`} x={percent(x)} width={percent(bar)} y={high} height={height} />
          </DrawnLink>
        )
      })}
    </>
  )
}

interface LinkProps {
  readonly href: string | undefined
  readonly children: ComponentChildren
}

/** A part of a drawing that opens a list. Keyboards have the link of the table instead. */
export const DrawnLink = ({ href, children }: LinkProps) =>
  href ? (
    <a href={href} tabIndex={-1}>
      {children}
    </a>
  ) : (
    <g>{children}</g>
  )

interface TotalProps extends DrawnProps {
  readonly column: ChartColumn
  readonly middle: string
}

/** The value above its column, where all values of the chart have room. */
function Total({ columns, column, scale, isStacked, axisText, middle }: TotalProps) {
  const value = isStacked ? sumOf(column.values) : (column.values[0]?.value ?? 0)
  const highest = isStacked ? value : Math.max(0, ...column.values.map((each) => each.value))
  const room = Math.max(1, axisText(scale.top).length + 1) * DIGIT * columns.length
  if (value === 0 || room > WIDE) return null
  return (
    <text class={room > NARROW ? 'chart-value wide' : 'chart-value'} x={middle} y={yOf(scale, highest) - 5}>
      {axisText(value)}
    </text>
  )
}

function Legend({ series, before }: ColumnChartProps) {
  return (
    <ul class="chart-legend small" aria-hidden="true">
      {series.map(({ label, tone }) => (
        <li class={`legend-${tone}`}>{label}</li>
      ))}
      {before && <li class="legend-before">{before}</li>}
    </ul>
  )
}

function ChartTable({ caption, head, series, columns, before }: ColumnChartProps) {
  const { frame } = useOpenRequest().texts
  const linked = (value: ChartValue | undefined) =>
    value?.href ? <a href={value.href}>{value.text}</a> : (value?.text ?? '–')
  return (
    <details class="chart-data">
      <summary>{frame.showData}</summary>
      <List
        caption={caption}
        items={columns}
        columns={[
          { label: head, cell: ({ title }) => title },
          ...series.map(({ label }, place) => ({
            label,
            end: true,
            cell: ({ values }: ChartColumn) => linked(values[place]),
          })),
          before !== undefined && {
            label: before,
            end: true,
            cell: (column: ChartColumn) => linked(column.before),
          },
        ]}
      />
    </details>
  )
}
