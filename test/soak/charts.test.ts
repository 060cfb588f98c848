import { expect, it } from 'vitest'
import { drawPage } from './charts.ts'

const samples = [10, 20, 30, 40].map((at) => ({
  at,
  values: { payments: at, 'worker MB': at === 30 ? Number.NaN : 100 + at, 'p99 ms': 2 * at },
  tables: { payments: at * 2 ** 20, events: 5 * 2 ** 20 },
}))
const page = {
  title: 'payments < 10/s & more',
  samples,
  faults: [{ name: 'worker killed', from: 12, to: Number.POSITIVE_INFINITY }],
  warmUp: 10,
  findings: [
    { name: 'files', ok: true, thirds: [1, 1, 1], text: 'open files: 1 → 1 → 1' },
    { name: 'lag', ok: false, thirds: [1, 2, 9], text: 'lag: 1 → 2 → 9 ms' },
  ],
  broken: ['payment 7 was <lost>'],
}

it('draws one chart for each figure, with the faults and what is wrong', () => {
  const svg = drawPage(page)
  expect(svg.match(/<g /g)).toHaveLength(8)
  expect(svg.match(/<title>worker killed<\/title>/g)).toHaveLength(8)
  expect(svg).toContain('✓ open files: 1 → 1 → 1')
  expect(svg).toContain('✗ lag: 1 → 2 → 9 ms')
  expect(svg).toContain('✗ payment 7 was &lt;lost&gt;')
  expect(svg).toContain('payments &lt; 10/s &amp; more')
  expect(svg).not.toMatch(/NaN|undefined|Infinity/)
})

it('leaves a gap where a value is missing', () => {
  const [path = ''] = /<path d="M[^"]*" fill="none" stroke="#c2410c"/.exec(drawPage(page)) ?? []
  expect([path.match(/M/g)?.length, path.match(/L/g)?.length]).toEqual([2, 1])
})

it('draws a page without samples', () => {
  expect(drawPage({ ...page, samples: [] })).not.toMatch(/NaN|undefined|Infinity/)
})
