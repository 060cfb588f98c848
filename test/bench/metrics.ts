import { freePort } from '../../src/net/free-port.ts'
import type { Bench } from './bench.ts'
import { compareCreation } from './compare.ts'
import { pause, startRig } from './rig.ts'

/** Three times as often as Prometheus by default. */
const SCRAPE_MS = 5_000

/** Payments created with metrics, which are scraped, and without. */
export const metrics: Bench = {
  name: 'metrics',
  onlyByName: true,
  async run(off, say) {
    const port = await freePort('127.0.0.1')
    const on = await startRig({ root: off.root, env: { METRICS_PORT: String(port) } })
    const scraping = startScraping(`http://127.0.0.1:${port}/metrics`)
    try {
      return await compareCreation({ what: 'metrics', on, off, least: 0.97, say })
    } finally {
      await scraping.stop()
      await on.stop()
    }
  },
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
