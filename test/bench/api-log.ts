import type { Bench } from './bench.ts'
import { measureCreate } from './create.ts'
import { type Measured, median, medianOf, rate, rateFigures } from './measure.ts'
import { startRig } from './rig.ts'

const ROUNDS = 5
const SECONDS = 6
/** As in the benchmark of creation. */
const APPS = 24

const cpuOf = ({ cpuUs }: Pick<Measured, 'cpuUs'>): number => cpuUs.service + cpuUs.postgres

/** Payments created with the API log and without, in rounds that alternate between two services. */
export const apiLog: Bench = {
  name: 'api-log',
  onlyByName: true,
  async run(rig, say) {
    const without = await startRig({ root: rig.root, env: { API_LOG: 'off' } })
    try {
      const apps = { on: await rig.newApps(APPS), off: await without.newApps(APPS) }
      await measureCreate(without, apps.off, SECONDS)
      await measureCreate(rig, apps.on, SECONDS)
      const on: Measured[] = []
      const off: Measured[] = []
      for (let round = 1; round <= ROUNDS; round++) {
        off.push(await measureCreate(without, apps.off, SECONDS))
        on.push(await measureCreate(rig, apps.on, SECONDS))
        say(`round ${round}: ${rate(on.at(-1)?.perSecond ?? 0)} on, ${rate(off.at(-1)?.perSecond ?? 0)} off`)
      }
      const { rows } = await rig.db.query(
        `select sum(line_count)::integer as lines from log_batches where kind = 'api'`,
      )
      // Adjacent rounds run under similar conditions.
      const ratio = median(on.map((each, round) => each.perSecond / (off[round]?.perSecond ?? Number.NaN)))
      const cpu = median(on.map((each, round) => cpuOf(each) / cpuOf(off[round] ?? each)))
      return [
        ...rateFigures(medianOf(on), { what: 'payments created, API log on' }),
        ...rateFigures(medianOf(off), { what: 'payments created, API log off' }),
        {
          what: 'rate with the log ÷ without',
          value: ratio.toFixed(3),
          target: '≥ 0.95',
          ok: ratio >= 0.95,
          numbers: { ratio, cpu, lines: rows[0].lines },
        },
        { what: 'CPU with the log ÷ without', value: cpu.toFixed(3), numbers: { cpu } },
      ]
    } finally {
      await without.stop()
    }
  },
}
