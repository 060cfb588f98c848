import type { Bench } from './bench.ts'
import type { LoadApp } from './load/plan.ts'
import { type Measured, measure, medianOf, rate, rateFigures } from './measure.ts'
import { fillPast, pastThings } from './past.ts'
import type { Rig } from './rig.ts'

const ROUNDS = 3
const SECONDS = 5
/** Many apps, because a key is limited to 200 requests per second. */
const APPS = 64
const PAYMENTS = 20_000

/** Payments read by id and by reference. */
export const read: Bench = {
  name: 'read',
  async run(rig, say) {
    const apps = await rig.newApps(APPS)
    const past = { apps, count: PAYMENTS }
    await fillPast(rig, past)
    const { ids, references } = pastThings(past, PAYMENTS)
    const byId: Measured[] = []
    const byReference: Measured[] = []
    await measureRead(rig, apps, { things: ids, seconds: SECONDS / 2 })
    await measureRead(rig, apps, { things: references, seconds: SECONDS / 2 })
    for (let round = 1; round <= ROUNDS; round++) {
      const one = await measureRead(rig, apps, { things: ids, seconds: SECONDS })
      const other = await measureRead(rig, apps, { things: references, seconds: SECONDS })
      byId.push(one)
      byReference.push(other)
      say(`round ${round}: by id ${rate(one.perSecond)}, by reference ${rate(other.perSecond)}`)
    }
    return [
      ...rateFigures(medianOf(byId), { what: 'payments read by id', target: 6_500 }),
      ...rateFigures(medianOf(byReference), { what: 'payments read by reference' }),
    ]
  },
}

export const measureRead = (
  rig: Rig,
  apps: readonly LoadApp[],
  { things, seconds }: { things: readonly string[]; seconds: number },
): Promise<Measured> => measure(rig, { scenario: 'read', apps, connections: 64, seconds, things })
