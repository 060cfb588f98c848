import type { Bench, Figure } from './bench.ts'
import { compareCreation } from './compare.ts'
import { type Rig, startRig } from './rig.ts'
import { startCollector } from './steps/collector.ts'

/** Payments created with traces, at the default ratio and of every request, and without. */
export const traces: Bench = {
  name: 'traces',
  onlyByName: true,
  async run(off, say) {
    const collector = await startCollector()
    try {
      return [
        ...(await compare({ off, say, endpoint: collector.endpoint, what: 'traces', least: 0.9 })),
        ...(await compare({ off, say, endpoint: collector.endpoint, what: 'traces of all requests' })),
      ]
    } finally {
      collector.stop()
    }
  },
}

interface Comparing {
  readonly off: Rig
  readonly say: (text: string) => void
  readonly endpoint: string
  readonly what: string
  /** Absent: every request is traced. */
  readonly least?: number
}

async function compare({ endpoint, least, ...compared }: Comparing): Promise<Figure[]> {
  const sampler = least === undefined ? { OTEL_TRACES_SAMPLER: 'always_on' } : {}
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...sampler }
  const on = await startRig({ root: compared.off.root, env })
  try {
    return await compareCreation({ ...compared, on, ...(least !== undefined && { least }) })
  } finally {
    await on.stop()
  }
}
