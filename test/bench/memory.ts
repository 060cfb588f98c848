import type { Bench, Figure } from './bench.ts'
import { measureLife, shopsOf } from './life.ts'
import { pause, type Rig } from './rig.ts'

const APPS = 24
const SECONDS = 20
const SETTLE_MS = 10_000

/** Memory of the service process before, during and after load. */
export const memory: Bench = {
  name: 'memory',
  async run(rig, say) {
    await pause(SETTLE_MS / 2)
    const idle = rssOf(rig)
    const apps = await shopsOf(rig, APPS)
    let most = idle
    const watch = setInterval(() => {
      most = Math.max(most, rssOf(rig))
    }, 100)
    say(`as many payments as it takes, for ${SECONDS} s`)
    await measureLife(rig, apps, { seconds: SECONDS })
    clearInterval(watch)
    await pause(SETTLE_MS)
    return [
      { ...figure('idle', idle), target: '≤ 160 MB', ok: idle <= 160 },
      { ...figure('most under load', most), target: '≤ 300 MB', ok: most <= 300 },
      figure(`${SETTLE_MS / 1_000} s after`, rssOf(rig)),
    ]
  },
}

const rssOf = (rig: Rig): number => rig.usage().service.rssMb

const figure = (what: string, mb: number): Figure => ({
  what: `RSS of the service, ${what}`,
  value: `${Math.round(mb)} MB`,
  numbers: { mb },
})
