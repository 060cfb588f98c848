import type { Bench, Figure } from './bench.ts'
import type { LoadApp } from './load/plan.ts'
import { type Measured, measure, median, medianOf, rate, rateFigures } from './measure.ts'
import { createPgbench, INSTALL, type Limit, type Pgbench } from './pgbench.ts'
import type { Rig } from './rig.ts'

const ROUNDS = 3
const SECONDS = 6
/** Many apps, because a key is limited to 200 requests per second and bursts of 400. */
const APPS = 24

/** Payments created over HTTP, compared with pgbench running the same statement for one payment at a time. */
export const create: Bench = {
  name: 'create',
  async run(rig, say) {
    const apps = await rig.newApps(APPS)
    const pgbench = await createPgbench(rig)
    if (!pgbench) say(INSTALL)
    try {
      return await compare(rig, apps, { pgbench, say })
    } finally {
      pgbench?.close()
    }
  },
}

async function compare(
  rig: Rig,
  apps: readonly LoadApp[],
  { pgbench, say }: { pgbench: Pgbench | undefined; say: (text: string) => void },
): Promise<Figure[]> {
  const ours: Measured[] = []
  const limits: Limit[] = []
  await measureCreate(rig, apps, SECONDS / 2)
  await pgbench?.run(SECONDS / 2)
  for (let round = 1; round <= ROUNDS; round++) {
    const limit = await pgbench?.run(SECONDS)
    const own = await measureCreate(rig, apps, SECONDS)
    if (limit) limits.push(limit)
    ours.push(own)
    say(`round ${round}: ${rate(own.perSecond)}${limit ? `, pgbench ${rate(limit.perSecond)}` : ''}`)
  }
  const figures = rateFigures(medianOf(ours), { what: 'payments created over HTTP' })
  return limits.length > 0 ? [...figures, ...comparedWithPgbench(ours, limits)] : figures
}

export const measureCreate = (rig: Rig, apps: readonly LoadApp[], seconds: number): Promise<Measured> =>
  measure(rig, { scenario: 'create', apps, connections: 64, seconds })

function comparedWithPgbench(ours: readonly Measured[], limits: readonly Limit[]): Figure[] {
  const perSecond = median(limits.map((limit) => limit.perSecond))
  const postgres = median(limits.map(({ cpuUs }) => cpuUs.postgres))
  const pgbench = median(limits.map(({ cpuUs }) => cpuUs.pgbench))
  // Adjacent rounds run under similar conditions.
  const ratio = median(ours.map((own, round) => own.perSecond / (limits[round]?.perSecond ?? Number.NaN)))
  return [
    { what: 'pgbench, the same statement, 8 clients', value: rate(perSecond), numbers: { perSecond } },
    {
      what: 'CPU for each: PostgreSQL, pgbench',
      value: `${Math.round(postgres)}, ${Math.round(pgbench)} µs`,
      numbers: { postgres, pgbench },
    },
    {
      what: 'over HTTP ÷ pgbench',
      value: ratio.toFixed(2),
      target: '≥ 1.3',
      ok: ratio >= 1.3,
      numbers: { ratio },
    },
  ]
}
