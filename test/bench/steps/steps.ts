import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Figure } from '../bench.ts'
import { shopsOf } from '../life.ts'
import { pause, type Rig, startRig } from '../rig.ts'
import { startCollector } from './collector.ts'
import { PARTS, type Part, partsOf, type Request, requestOf, totalOf, typicalOf } from './parts.ts'
import { type Drawn, drawSteps } from './picture.ts'
import { tracesIn } from './spans.ts'

const APPS = 24
const WARMING_SECONDS = 10
/** Spans are sent every five seconds. */
const EXPORT_MS = 7_000

const REQUESTS = {
  create: 'POST /api/apps/{appId}/payments/hosted-page',
  pay: 'POST /api/apps/{appId}/test-helpers/payments/{paymentId}/pay',
  capture: 'POST /api/apps/{appId}/payments/{paymentId}/capture',
} as const

const CASES = [
  { scenario: 'life', perSecond: 3, seconds: 20, title: 'one step, alone' },
  { scenario: 'life', perSecond: 20, seconds: 10, title: 'one step, 20/s' },
  { scenario: 'twoSteps', perSecond: 3, seconds: 20, title: 'two steps, alone' },
  { scenario: 'twoSteps', perSecond: 20, seconds: 10, title: 'two steps, 20/s' },
] as const

/**
 * What a payment waits for, step by step, at low load: the spans of its requests, all of them traced. Draws
 * bench-results/steps.svg. The times include what tracing costs.
 */
export const steps: Bench = {
  name: 'steps',
  onlyByName: true,
  async run({ root }, say) {
    const bodies: string[] = []
    const collector = await startCollector((body) => bodies.push(body))
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_TRACES_SAMPLER: 'always_on' }
    const rig = await startRig({ root, bankApart: true, env })
    try {
      const drawn = await measureAll(rig, bodies, say)
      mkdirSync(join(root, 'bench-results'), { recursive: true })
      writeFileSync(join(root, 'bench-results', 'steps.svg'), drawSteps(drawn))
      return drawn.map(figureOf)
    } finally {
      await rig.stop()
      collector.stop()
    }
  },
}

async function measureAll(rig: Rig, bodies: string[], say: (text: string) => void): Promise<Drawn[]> {
  const apps = await shopsOf(rig, APPS)
  const drawn: Drawn[] = []
  for (const [n, { title, ...load }] of CASES.entries()) {
    const from = n * 100_000 * APPS
    const plan = { scenario: load.scenario, apps, connections: 64 }
    await rig.load({ ...plan, from, seconds: WARMING_SECONDS })
    await pause(EXPORT_MS)
    bodies.length = 0
    await rig.load({ ...plan, ...load, from: from + 50_000 * APPS })
    await pause(EXPORT_MS)
    const traces = tracesIn(bodies)
    const requests = Object.entries(REQUESTS).flatMap(([name, route]) => {
      const all = traces.flatMap((spans) => requestOf(spans, route) ?? [])
      const typical = typicalOf(all)
      return typical ? [{ name, request: typical }] : []
    })
    drawn.push({ title, requests })
    say(`${title}: ${traces.length} traces`)
  }
  return drawn
}

function figureOf({ title, requests }: Drawn): Figure {
  const all = requests.map(({ request }) => request)
  const parts = partsOf(all)
  const names = (Object.keys(PARTS) as Part[]).filter((part) => parts[part] > 0)
  const total = all.reduce((sum, request) => sum + totalOf(request), 0)
  const webhookMs = Math.max(...all.map(afterAnswer))
  const told = names.map((part) => `${PARTS[part]} ${parts[part].toFixed(1)}`)
  return {
    what: title,
    value: `${total.toFixed(1)} ms: ${told.join(', ')}; webhooks ${webhookMs.toFixed(1)} after the answer`,
    numbers: { total, webhookMs, ...parts },
  }
}

/** How long after the answer the last webhook was acknowledged. */
const afterAnswer = (request: Request): number => Math.max(0, (request.webhooks?.to ?? 0) - totalOf(request))
