import type { Bench, Figure } from './bench.ts'
import type { LoadApp } from './load/plan.ts'
import {
  cpuFigure,
  type Measured,
  measure,
  medianOf,
  ownCpuFigure,
  rate,
  rateFigures,
  timeFigures,
} from './measure.ts'
import { type BenchApp, pause, type Rig } from './rig.ts'

const ROUNDS = 3
const SECONDS = 6
const PACED_SECONDS = 8
/** Warm-up, until the service's code is compiled. */
const WARMING_SECONDS = 15
const APPS = 24

interface Way {
  readonly scenario: 'life' | 'twoSteps'
  readonly name: string
  readonly perSecond: number
  /** CPU of the service and PostgreSQL, in milliseconds, at full load and at 20 payments a second. */
  readonly fullMs: number
  readonly pacedMs?: number
}

const WAYS: readonly Way[] = [
  { scenario: 'twoSteps', name: 'two steps', perSecond: 260, fullMs: 4.2, pacedMs: 10 },
  { scenario: 'life', name: 'one step', perSecond: 380, fullMs: 2.8 },
]

/**
 * The full life of a payment: created, paid at the bank, captured, every webhook received. The bank has a
 * process and a database of its own. Measures the throughput, and at fixed rates the CPU time and the time of
 * the requests without the bank's share.
 */
export const life: Bench = {
  name: 'life',
  bankApart: true,
  async run(rig, say) {
    const apps = await shopsOf(rig, APPS)
    const figures: Figure[] = []
    for (const way of WAYS) figures.push(...(await figuresOf(rig, { apps, way, say })))
    return figures
  },
}

interface LifePlan {
  readonly apps: readonly LoadApp[]
  readonly way: Way
  readonly say: (text: string) => void
}

async function figuresOf(rig: Rig, { apps, way, say }: LifePlan): Promise<Figure[]> {
  const { scenario, name } = way
  await measureLife(rig, apps, { seconds: WARMING_SECONDS, scenario })
  const rounds: Measured[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const measured = await measureLife(rig, apps, { seconds: SECONDS, scenario })
    rounds.push(measured)
    say(`${name}, round ${round}: ${rate(measured.perSecond)}`)
  }
  const full = medianOf(rounds)
  const kb = full.logBytes / 1_024
  const figures: Figure[] = [
    ...rateFigures(full, { what: `payments in ${name}, to the last webhook`, target: way.perSecond }),
    ownCpuFigure(full, `CPU of service and PostgreSQL, ${name}, full load`, way.fullMs),
    {
      what: `log written for each, ${name}`,
      value: `${kb.toFixed(1)} KB`,
      target: '≤ 20 KB',
      ok: kb <= 20,
      numbers: { kb },
    },
  ]
  const half = full.perSecond / 2
  for (const [perSecond, p50, p99] of [
    [half, 10, 30],
    [20, 10, 30],
    [3, 7, 30],
  ] as const) {
    const at = `${name}, ${perSecond === half ? `half rate (${rate(half)})` : `${perSecond}/s`}`
    const paced = await pacedRounds(rig, apps, { scenario, perSecond })
    figures.push(
      cpuFigure(medianOf(paced.rounds), `CPU for each, ${at}`),
      ownCpuFigure(
        medianOf(paced.rounds),
        `CPU of service and PostgreSQL, ${at}`,
        perSecond === 20 ? way.pacedMs : undefined,
      ),
      ...timeFigures(paced.ownMs, { what: `own time, ${at}`, p50, p99 }),
    )
    say(`${at} done`)
  }
  return figures
}

interface LifeLoad {
  readonly seconds: number
  readonly scenario?: Way['scenario']
  readonly perSecond?: number
}

/** Apps with a webhook URL. */
export async function shopsOf(rig: Rig, count: number): Promise<BenchApp[]> {
  const apps = await rig.newApps(count)
  for (const app of apps) await app.call('PATCH', '', { paymentWebhookUrl: rig.receiver.url })
  return apps
}

export async function measureLife(
  rig: Rig,
  apps: readonly LoadApp[],
  { scenario = 'life', ...load }: LifeLoad,
): Promise<Measured> {
  await rig.receiver.reset()
  return measure(rig, { scenario, apps, connections: 64, ...load }, async () => {
    const { distinct, lastMs } = await allArrived(rig)
    if (distinct === 0) throw new Error('no webhook arrived')
    return lastMs
  })
}

/** Resolves when no webhook waits. */
export async function allArrived(rig: Rig) {
  for (let waited = 0; waited < 120_000; waited += 20) {
    const { rows } = await rig.db.query<{ some: boolean }>(
      `select exists (select from deliveries where status in ('ready', 'sending')) as some`,
    )
    if (!rows[0]?.some) return rig.receiver.report()
    await pause(20)
  }
  throw new Error('the webhooks did not arrive')
}

async function pacedRounds(
  rig: Rig,
  apps: readonly LoadApp[],
  load: Omit<LifeLoad, 'seconds'>,
): Promise<{ rounds: Measured[]; ownMs: number[][] }> {
  const rounds: Measured[] = []
  const ownMs: number[][] = []
  for (let round = 1; round <= ROUNDS; round++) {
    await rig.bank?.times()
    const measured = await measureLife(rig, apps, { ...load, seconds: PACED_SECONDS })
    rounds.push(measured)
    ownMs.push(await withoutBank(rig, measured))
  }
  return { rounds, ownMs }
}

/** The time of each payment's requests less that of the bank. */
async function withoutBank(rig: Rig, { made, tookMs }: Measured): Promise<number[]> {
  const bankMs = new Map(await rig.bank?.times())
  const { rows } = await rig.db.query<{ payment_id: string; attempt_key: string }>(
    'select payment_id, attempt_key from payments where payment_id = any($1)',
    [made],
  )
  const bankMsOf = new Map(rows.map((row) => [row.payment_id, bankMs.get(row.attempt_key)]))
  const ownMs = made.map((id, index) => (tookMs[index] ?? Number.NaN) - (bankMsOf.get(id) ?? Number.NaN))
  if (ownMs.some(Number.isNaN)) throw new Error('the time of the bank is missing for a payment')
  return ownMs
}
