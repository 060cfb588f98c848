import type { ComponentChildren } from 'preact'
import { List, type ListColumn } from '../list.tsx'
import { type ChartTone, type ChartValue, DrawnLink } from './columns.tsx'

/** A row of a table whose values are drawn as bars too. */
export interface BarRow extends ChartValue {
  readonly label: ComponentChildren
  /** The same of the period before. */
  readonly before?: ChartValue | undefined
}

interface BarsProps<Row extends BarRow> {
  readonly caption: string
  /** Above the names of the rows, and above their values. */
  readonly head: string
  readonly valueHead: string
  readonly rows: readonly Row[]
  readonly tone?: ChartTone
  /** The name of the values before; given when rows have them. */
  readonly before?: string | undefined
  readonly more?: readonly ListColumn<Row>[]
}

/** Parts of a whole as a table with bars: the same for the eye and for screen readers. */
export function Bars<Row extends BarRow>(props: BarsProps<Row>) {
  const { caption, head, valueHead, rows, tone = 'main', before, more = [] } = props
  const most = Math.max(...rows.flatMap((row) => [row.value, row.before?.value ?? 0]), 0) || 1
  const share = (value: number) => `${Math.max(0, Math.round((value / most) * 1_000) / 10)}%`
  return (
    <List
      isStacked
      caption={caption}
      items={rows}
      columns={[
        { label: head, cell: ({ label, href }) => (href ? <a href={href}>{label}</a> : label) },
        { label: valueHead, end: true, cell: ({ text }) => <span class="money">{text}</span> },
        {
          label: valueHead,
          isQuiet: true,
          cell: (row) => (
            <svg class="bar" width="100%" height={18} aria-hidden="true">
              <DrawnLink href={row.href}>
                <rect class={`tone-${tone}`} width={share(row.value)} y={2} height={before ? 9 : 14} rx={2} />
                {row.before && (
                  <rect class="tone-quiet" width={share(row.before.value)} y={13} height={4} rx={2} />
                )}
              </DrawnLink>
            </svg>
          ),
        },
        ...more,
        before !== undefined && {
          label: before,
          end: true,
          cell: (row: Row) => <span class="money muted">{row.before?.text ?? '–'}</span>,
        },
      ]}
    />
  )
}
