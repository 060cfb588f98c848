import type { Bench } from './bench.ts'
import { measureCreate } from './create.ts'
import { type Measured, measure, medianOf, rate, rateFigures, timeFigures } from './measure.ts'

const ROUNDS = 3
const SECONDS = 5
/** The service refuses a connection that has sent nothing for ten seconds. */
const PACED_SECONDS = 8
const APPS = 24
const PAGES = 2_400
/** Many payers, because one may request twenty pages per second. */
const PAYERS = 250

/** Throughput of the checkout page, and its latency at half that rate. */
export const checkout: Bench = {
  name: 'checkout',
  async run(rig, say) {
    const apps = await rig.newApps(APPS)
    await measureCreate(rig, apps, 3)
    const { rows } = await rig.db.query<{ payment_key: string }>(
      'select payment_key from payments order by payment_id limit $1',
      [PAGES],
    )
    const things = rows.map((row) => row.payment_key)
    const plan = { scenario: 'checkout', apps, connections: PAYERS, things, ownAddresses: true } as const
    await measure(rig, { ...plan, seconds: SECONDS })
    const rounds: Measured[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const measured = await measure(rig, { ...plan, seconds: SECONDS })
      rounds.push(measured)
      say(`round ${round}: ${rate(measured.perSecond)}`)
    }
    const medians = medianOf(rounds)
    const half = medians.perSecond / 2
    const paced: number[][] = []
    for (let round = 1; round <= ROUNDS; round++)
      paced.push([...(await measure(rig, { ...plan, seconds: PACED_SECONDS, perSecond: half })).tookMs])
    return [
      ...rateFigures(medians, { what: 'checkout pages' }),
      ...timeFigures(paced, { what: `time of a checkout page, at ${rate(half)}`, p50: 3, p99: 15 }),
    ]
  },
}
