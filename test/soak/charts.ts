import { bytesIn, type FaultWindow, type Finding, type Sample } from './verdict.ts'

/** One page with the figures of a soak over time, as an SVG image. */

const WIDTH = 1_120
const HEAD = 28
const COLUMN = WIDTH / 2
const ROW = 210
/** The area of the lines inside of a chart. */
const PLOT = { left: 66, right: 16, top: 44, height: 120 }
const PLOT_WIDTH = COLUMN - PLOT.left - PLOT.right
const LINE = 18
const COLORS = ['#1f5fbf', '#c2410c', '#15803d', '#7e22ce', '#a16207', '#0e7490']
const LARGEST_TABLES = 5

type ValueOf = (sample: Sample) => number | undefined

interface Chart {
  readonly title: string
  readonly lines: Readonly<Record<string, ValueOf>>
}

const value =
  (key: string): ValueOf =>
  ({ values }) =>
    values[key]

const megabytes = (bytes: number | undefined) => bytes && bytes / 2 ** 20

function chartsOf(samples: readonly Sample[]): Chart[] {
  return [
    {
      title: 'Memory (RSS), MB',
      lines: {
        'first process': value('primary MB'),
        worker: value('worker MB'),
        'worker that is killed': value('killed worker MB'),
      },
    },
    { title: 'Memory of PostgreSQL without shared buffers, MB', lines: { all: value('postgres MB') } },
    { title: 'Time of requests, ms', lines: { p50: value('p50 ms'), p99: value('p99 ms') } },
    {
      title: 'Time until a webhook (p99) and of pages of the console (p50), ms',
      lines: { webhook: value('lag ms'), console: value('console ms') },
    },
    {
      title: 'Open files, and connections to PostgreSQL',
      lines: { files: value('files'), connections: value('connections') },
    },
    { title: 'Dead rows', lines: { 'all tables': value('dead rows') } },
    { title: 'Largest tables with their indexes, MB', lines: largestTables(samples) },
    { title: 'KB that a payment added, since the start', lines: { 'all tables': kbPerPayment(samples) } },
  ]
}

function largestTables(samples: readonly Sample[]): Chart['lines'] {
  const last = samples.findLast(({ tables }) => Object.keys(tables).length > 0)?.tables ?? {}
  const names = Object.entries(last).sort(([, a], [, b]) => b - a)
  return Object.fromEntries(
    names.slice(0, LARGEST_TABLES).map(([name]) => [name, ({ tables }: Sample) => megabytes(tables[name])]),
  )
}

function kbPerPayment(samples: readonly Sample[]): ValueOf {
  const [first] = samples
  return (sample) => {
    const payments = (sample.values.payments ?? 0) - (first?.values.payments ?? 0)
    if (!first || payments === 0 || Object.keys(sample.tables).length === 0) return undefined
    return (bytesIn(sample) - bytesIn(first)) / payments / 1_024
  }
}

interface Page {
  readonly title: string
  readonly samples: readonly Sample[]
  readonly faults: readonly FaultWindow[]
  readonly warmUp: number
  readonly findings: readonly Finding[]
  /** What was wrong besides the findings. */
  readonly broken: readonly string[]
}

export function drawPage({ title, samples, faults, warmUp, findings, broken }: Page): string {
  const lines = [
    ...findings.map(({ ok, text }) => ({ ok, text })),
    ...(broken.length === 0 ? [{ ok: true, text: 'all invariants hold' }] : []),
    ...broken.slice(0, 8).map((text) => ({ ok: false, text })),
  ]
  const charts = chartsOf(samples)
  const top = HEAD * 2 + Math.ceil(lines.length / 2) * LINE + 12
  const height = top + Math.ceil(charts.length / 2) * ROW
  const end = Math.max(60, samples.at(-1)?.at ?? 0)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}"`,
    ` font-family="system-ui, sans-serif" font-size="12" fill="#1f2937">`,
    `<title>${escaped(title)}</title>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    text(20, HEAD, title, 'font-size="15" font-weight="600"'),
    text(20, HEAD + LINE, legendOf(faults), 'fill="#6b7280"'),
    ...lines.map((line, n) => verdictLine(line, n)),
    ...charts.map((chart, n) => {
      const at = `translate(${(n % 2) * COLUMN} ${top + Math.floor(n / 2) * ROW})`
      return `<g transform="${at}">${drawChart(chart, { samples, faults, warmUp, end })}</g>`
    }),
    '</svg>',
  ].join('\n')
}

function verdictLine(line: { ok: boolean; text: string }, n: number): string {
  const [x, y] = [20 + (n % 2) * COLUMN, HEAD * 2 + 6 + Math.floor(n / 2) * LINE]
  return text(x, y, `${line.ok ? '✓' : '✗'} ${line.text}`, line.ok ? '' : 'fill="#b91c1c" font-weight="600"')
}

const namesOf = (faults: readonly FaultWindow[]): string[] => [...new Set(faults.map(({ name }) => name))]

function legendOf(faults: readonly FaultWindow[]): string {
  const numbered = namesOf(faults).map((name, n) => `${n + 1} ${name}`)
  return `Grey: warming up. Yellow: ${numbered.join(', ') || 'faults'}.`
}

interface Frame {
  readonly samples: readonly Sample[]
  readonly faults: readonly FaultWindow[]
  readonly warmUp: number
  readonly end: number
}

function drawChart({ title, lines }: Chart, { samples, faults, warmUp, end }: Frame): string {
  const series = Object.entries(lines).map(([name, read]) => ({ name, values: samples.map(read) }))
  const most = roundUp(Math.max(0, ...series.flatMap(({ values }) => values.filter(isNumber))))
  const x = (at: number) => PLOT.left + (Math.min(at, end) / end) * PLOT_WIDTH
  const y = (height: number) => PLOT.top + PLOT.height * (1 - height / most)
  const bottom = PLOT.top + PLOT.height
  return [
    text(PLOT.left, 18, title, 'font-weight="600"'),
    shade(x(0), x(warmUp), '#e5e7eb', 'warming up'),
    ...faults.map(
      ({ name, from, to }) =>
        shade(x(from), x(to), '#fde68a', name) +
        text(x(from) + 3, PLOT.top + 10, String(namesOf(faults).indexOf(name) + 1), 'font-size="9"'),
    ),
    ...[0, 0.5, 1].map(
      (part) =>
        `<path d="M${PLOT.left} ${y(most * part)}h${PLOT_WIDTH}" stroke="#d1d5db"/>` +
        text(PLOT.left - 8, y(most * part) + 4, short(most * part), 'text-anchor="end"'),
    ),
    ...[0, 0.25, 0.5, 0.75, 1].map((part) =>
      text(
        x(end * part),
        bottom + 16,
        `${short((end * part) / 60)} min`,
        `text-anchor="${part === 1 ? 'end' : 'middle'}" fill="#6b7280"`,
      ),
    ),
    ...series.map(({ values }, n) => drawLine({ values, n, samples, x, y })),
    `<text x="${PLOT.left}" y="34" font-size="11">`,
    ...series.map(({ name }, n) => inColor(name, n)),
    '</text>',
  ].join('')
}

/** The name of a line in its colour. */
const inColor = (name: string, n: number): string =>
  `<tspan dx="${n === 0 ? 0 : 12}" fill="${colorOf(n)}">${escaped(name)}</tspan>`

const colorOf = (n: number): string => COLORS[n % COLORS.length] ?? '#000'

interface Line {
  readonly values: readonly (number | undefined)[]
  readonly n: number
  readonly samples: readonly Sample[]
  readonly x: (at: number) => number
  readonly y: (value: number) => number
}

/** A gap where a value is missing. */
function drawLine({ values, n, samples, x, y }: Line): string {
  let isOpen = false
  const path = values.map((each, place) => {
    if (!isNumber(each)) {
      isOpen = false
      return ''
    }
    const move = `${isOpen ? 'L' : 'M'}${x(samples[place]?.at ?? 0).toFixed(1)} ${y(each).toFixed(1)}`
    isOpen = true
    return move
  })
  return `<path d="${path.join('')}" fill="none" stroke="${colorOf(n)}" stroke-width="1.5"/>`
}

const isNumber = (each: number | undefined): each is number => each !== undefined && Number.isFinite(each)

const shade = (from: number, to: number, color: string, name: string): string =>
  `<rect x="${from.toFixed(1)}" y="${PLOT.top}" width="${(to - from).toFixed(1)}" height="${PLOT.height}" ` +
  `fill="${color}" opacity="0.6"><title>${escaped(name)}</title></rect>`

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(content)}</text>`

const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** To 1, 2, 4, 6 or 8 of its power of ten: the half of it is a short number too. */
function roundUp(most: number): number {
  if (most <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return power * ([1, 2, 4, 6, 8, 10].find((step) => most <= step * power) ?? 10)
}

function short(number: number): string {
  if (number >= 10_000) return `${short(number / 1_000)}k`
  return String(Number(number.toPrecision(3)))
}
