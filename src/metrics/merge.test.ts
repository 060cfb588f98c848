import { expect, it } from 'vitest'
import { mergeMetrics } from './merge.ts'

const textOf = (worker: number, more = '') => `# HELP a_total The first.
# TYPE a_total counter
a_total{worker="${worker}"} ${worker}

# HELP b The second.
# TYPE b gauge
b{worker="${worker}"} 0
${more}`

it('keeps the series of each metric together, after one HELP and one TYPE', () => {
  const own = '\n# HELP c Of one process only.\n# TYPE c gauge\nc{worker="2"} 1\n'
  expect(mergeMetrics([textOf(1), textOf(2, own)])).toBe(`# HELP a_total The first.
# TYPE a_total counter
a_total{worker="1"} 1
a_total{worker="2"} 2

# HELP b The second.
# TYPE b gauge
b{worker="1"} 0
b{worker="2"} 0

# HELP c Of one process only.
# TYPE c gauge
c{worker="2"} 1
`)
})

it('is empty without any process', () => {
  expect(mergeMetrics([])).toBe('')
})
