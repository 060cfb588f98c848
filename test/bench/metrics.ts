import { freePort } from '../../src/net/free-port.ts'
import type { Bench } from './bench.ts'
import { measureCreate } from './create.ts'
import { type Measured, median, medianOf, rate, rateFigures } from './measure.ts'
import { pause, type Rig, startRig } from './rig.ts'

/** Many short rounds, because the difference is small. */
const ROUNDS = 15
const SECONDS = 3
/** As in the benchmark of creation. */
const APPS = 24
/** Three times as often as Prometheus by default. */
const SCRAPE_MS = 5_000

const cpuOf = ({ cpuUs }: Pick<Measured, 'cpuUs'>): number => cpuUs.service + cpuUs.postgres

/** Payments created with metrics, which are scraped, and without; rounds alternate between two services. */
export const metrics: Bench = {
  name: 'metrics',
  onlyByName: true,
  async run(rig, say) {
    const port = await freePort('127.0.0.1')
    const measured = await startRig({ root: rig.root, env: { METRICS_PORT: String(port) } })
    const scraping = startScraping(`http://127.0.0.1:${port}/metrics`)
    try {
      const { on, off } = await compare(measured, rig, say)
      // Adjacent rounds run under similar conditions.
      const ratio = median(on.map((each, round) => each.perSecond / (off[round]?.perSecond ?? Number.NaN)))
      const cpu = median(on.map((each, round) => cpuOf(each) / cpuOf(off[round] ?? each)))
      return [
        ...rateFigures(medianOf(on), { what: 'payments created, metrics on' }),
        ...rateFigures(medianOf(off), { what: 'payments created, metrics off' }),
        {
          what: 'rate with metrics ÷ without',
          value: ratio.toFixed(3),
          target: '≥ 0.97',
          ok: ratio >= 0.97,
          numbers: { ratio },
        },
        { what: 'CPU with metrics ÷ without', value: cpu.toFixed(3), numbers: { cpu } },
      ]
    } finally {
      await scraping.stop()
      await measured.stop()
    }
  },
}

async function compare(measured: Rig, plain: Rig, say: (text: string) => void) {
  const apps = { on: await measured.newApps(APPS), off: await plain.newApps(APPS) }
  await measureCreate(plain, apps.off, SECONDS)
  await measureCreate(measured, apps.on, SECONDS)
  const on: Measured[] = []
  const off: Measured[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    off.push(await measureCreate(plain, apps.off, SECONDS))
    on.push(await measureCreate(measured, apps.on, SECONDS))
    say(`round ${round}: ${rate(on.at(-1)?.perSecond ?? 0)} on, ${rate(off.at(-1)?.perSecond ?? 0)} off`)
  }
  return { on, off }
}

function startScraping(url: string): { stop(): Promise<void> } {
  let isOver = false
  const scraping = (async () => {
    while (!isOver) {
      const reply = await fetch(url)
      await reply.arrayBuffer()
      if (!reply.ok) throw new Error(`a scrape was answered with ${reply.status}`)
      for (let waitedMs = 0; waitedMs < SCRAPE_MS && !isOver; waitedMs += 250) await pause(250)
    }
  })()
  return {
    async stop() {
      isOver = true
      await scraping
    },
  }
}
