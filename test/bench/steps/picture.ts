import { PARTS, type Part, type Request, totalOf } from './parts.ts'

/** A payment's requests on one line, and below them their webhooks, as an SVG image. */
export interface Drawn {
  readonly title: string
  readonly requests: readonly { readonly name: string; readonly request: Request }[]
}

const WIDTH = 960
const LEFT = 130
const RIGHT = 90
const HEAD = 56
const ROW = 74
const BAR = 24
/** Between two requests of a payment, in pixels. */
const GAP = 14

const COLORS: Readonly<Record<Part | 'webhooks', readonly [light: string, dark: string]>> = {
  receive: ['#94a3b8', '#64748b'],
  authenticate: ['#a16207', '#facc15'],
  own: ['#334155', '#cbd5e1'],
  read: ['#0e7490', '#22d3ee'],
  write: ['#1d4ed8', '#60a5fa'],
  payer: ['#be185d', '#f472b6'],
  provider: ['#7e22ce', '#c084fc'],
  webhooks: ['#15803d', '#4ade80'],
}
const LEGEND = { ...PARTS, webhooks: 'webhooks, not waited for' } as const
const KEYS = Object.keys(COLORS) as (keyof typeof COLORS)[]

export function drawSteps(rows: readonly Drawn[]): string {
  const height = HEAD + rows.length * ROW
  const longest = Math.max(...rows.map(({ requests }) => widthOf(requests, 0)))
  const gaps = GAP * (Math.max(...rows.map(({ requests }) => requests.length)) - 1)
  const perMs = (WIDTH - LEFT - RIGHT - gaps) / longest
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}"`,
    ' role="img" aria-labelledby="t d">',
    '<title id="t">What a payment waits for</title>',
    `<desc id="d">${rows.map(told).join(' ')}</desc>`,
    `<style>${STYLE}</style>`,
    '<rect class="back" width="100%" height="100%"/>',
    ...KEYS.map((key, n) => {
      const [x, y] = [16 + (n % 4) * 230, 20 + Math.floor(n / 4) * 20]
      return `<rect class="${key}" ${place(x, y - 10, 12, 12)}/>${text(x + 18, y, LEGEND[key])}`
    }),
    ...rows.map((row, n) => `<g transform="translate(0 ${HEAD + n * ROW})">${drawRow(row, perMs)}</g>`),
    '</svg>\n',
  ].join('\n')
}

const STYLE = [
  'text{font:12px system-ui,sans-serif;fill:#1f2937}.back{fill:#fff}',
  ...KEYS.map((key) => `.${key}{fill:${COLORS[key][0]}}`),
  '@media(prefers-color-scheme:dark){text{fill:#e5e7eb}.back{fill:#111827}',
  ...KEYS.map((key) => `.${key}{fill:${COLORS[key][1]}}`),
  '}',
].join('')

/** What the requests take, with the webhooks of the last that go on after its answer. */
function widthOf(requests: Drawn['requests'], gap: number): number {
  const ends = requests.map(({ request }) => ({
    ms: totalOf(request),
    over: Math.max(0, (request.webhooks?.to ?? 0) - totalOf(request)),
  }))
  return ends.reduce((sum, { ms }) => sum + ms + gap, 0) + (ends.at(-1)?.over ?? 0)
}

function drawRow({ title, requests }: Drawn, perMs: number): string {
  let x = LEFT
  const total = requests.reduce((sum, { request }) => sum + totalOf(request), 0)
  const bars = requests.map(({ name, request }) => {
    const begin = x
    const parts = request.pieces.map(({ part, ms }) => {
      const bar = `<rect class="${part}" ${place(x, 26, ms * perMs, BAR)}>${hint(PARTS[part], ms)}</rect>`
      x += ms * perMs
      return bar
    })
    x += GAP
    const { from, to } = request.webhooks ?? { from: 0, to: 0 }
    const below = `${place(begin + from * perMs, 54, (to - from) * perMs, 6)}`
    const webhooks = to > from ? `<rect class="webhooks" ${below}>${hint('webhooks', to - from)}</rect>` : ''
    return text(begin, 18, `${name} ${totalOf(request).toFixed(1)}`) + parts.join('') + webhooks
  })
  return text(16, 42, title) + bars.join('') + text(x, 42, `${total.toFixed(1)} ms`)
}

const told = ({ title, requests }: Drawn): string =>
  `${title}: ${requests
    .map(({ name, request }) => {
      const pieces = request.pieces.map(({ part, ms }) => `${PARTS[part]} ${ms.toFixed(1)}`)
      return `${name} ${totalOf(request).toFixed(1)} ms (${pieces.join(', ')})`
    })
    .join(', ')}.`

const place = (x: number, y: number, width: number, height: number): string =>
  `x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${height}"`

const hint = (name: string, ms: number): string => `<title>${name} ${ms.toFixed(1)} ms</title>`

const text = (x: number, y: number, content: string): string =>
  `<text x="${x.toFixed(1)}" y="${y}">${content}</text>`
