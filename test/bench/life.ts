import type { Bench } from './bench.ts'
import type { LoadApp } from './load/plan.ts'
import { type Measured, measure, medianOf, rate, rateFigures, timeFigures } from './measure.ts'
import { pause, type Rig } from './rig.ts'

const ROUNDS = 3
const SECONDS = 6
const PACED_SECONDS = 8
/** Warm-up, until the service's code is compiled. */
const WARMING_SECONDS = 20
const APPS = 24
const TARGET = 500

/**
 * The full life of a payment: created, paid at the built-in bank, captured, every webhook received. Measures
 * the throughput, and at half that rate the time of both requests without the bank's share.
 */
export const life: Bench = {
  name: 'life',
  async run(rig, say) {
    const apps = await shopsOf(rig, APPS)
    await measureLife(rig, apps, WARMING_SECONDS)
    const rounds: Measured[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const measured = await measureLife(rig, apps, SECONDS)
      rounds.push(measured)
      say(`round ${round}: ${rate(measured.perSecond)}`)
    }
    const medians = medianOf(rounds)
    const half = medians.perSecond / 2
    const shares: number[][] = []
    for (let round = 1; round <= ROUNDS; round++) shares.push(await ownShare(rig, apps, half))
    return [
      ...rateFigures(medians, { what: 'payments from creation to the last webhook', target: TARGET }),
      ...timeFigures(shares, { what: `our share of its time, at ${rate(half)}`, p50: 4, p99: 15 }),
    ]
  },
}

/** Apps with a webhook URL. */
export async function shopsOf(rig: Rig, count: number): Promise<LoadApp[]> {
  const apps = await rig.newApps(count)
  for (const app of apps) await app.call('PATCH', '', { paymentWebhookUrl: rig.receiver.url })
  return apps
}

export async function measureLife(
  rig: Rig,
  apps: readonly LoadApp[],
  seconds: number,
  perSecond?: number,
): Promise<Measured> {
  await rig.receiver.reset()
  const paced = perSecond === undefined ? {} : { perSecond }
  return measure(rig, { scenario: 'life', apps, connections: 64, seconds, ...paced }, async () => {
    const { distinct, lastMs } = await allArrived(rig)
    if (distinct === 0) throw new Error('no webhook arrived')
    return lastMs
  })
}

async function allArrived(rig: Rig) {
  for (let waited = 0; waited < 120_000; waited += 20) {
    const { rows } = await rig.db.query<{ some: boolean }>(
      `select exists (select from deliveries where status in ('ready', 'sending')) as some`,
    )
    if (!rows[0]?.some) return rig.receiver.report()
    await pause(20)
  }
  throw new Error('the webhooks did not arrive')
}

async function ownShare(rig: Rig, apps: readonly LoadApp[], perSecond: number): Promise<number[]> {
  let paced: Measured | undefined
  const bankMs = new Map(
    await rig.watchBank(async () => {
      paced = await measureLife(rig, apps, PACED_SECONDS, perSecond)
    }),
  )
  const { made = [], tookMs = [] } = paced ?? {}
  const { rows } = await rig.db.query<{ payment_id: string; attempt_key: string }>(
    'select payment_id, attempt_key from payments where payment_id = any($1)',
    [made],
  )
  const bankMsOf = new Map(rows.map((row) => [row.payment_id, bankMs.get(row.attempt_key)]))
  const ownMs = made.map((id, index) => (tookMs[index] ?? Number.NaN) - (bankMsOf.get(id) ?? Number.NaN))
  if (ownMs.some(Number.isNaN)) throw new Error('the time of the bank is missing for a payment')
  return ownMs
}
