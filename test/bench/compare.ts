import type { Figure } from './bench.ts'
import { measureCreate } from './create.ts'
import { type Measured, median, medianOf, rate, rateFigures } from './measure.ts'
import type { Rig } from './rig.ts'

/** Many short rounds, because the difference is small. */
const ROUNDS = 15
const SECONDS = 3
/** As in the benchmark of creation. */
const APPS = 24

const cpuOf = ({ cpuUs }: Pick<Measured, 'cpuUs'>): number => cpuUs.service + cpuUs.postgres

interface Compared {
  /** What one of the services has and the other has not. */
  readonly what: string
  readonly on: Rig
  readonly off: Rig
  /** The rate with it, divided by the rate without. */
  readonly least?: number
  readonly say: (text: string) => void
}

/** Payments created with something and without; rounds alternate between two services. */
export async function compareCreation(compared: Compared): Promise<Figure[]> {
  const { what, least } = compared
  const { on, off } = await rounds(compared)
  // Adjacent rounds run under similar conditions.
  const ratio = median(on.map((each, round) => each.perSecond / (off[round]?.perSecond ?? Number.NaN)))
  const cpu = median(on.map((each, round) => cpuOf(each) / cpuOf(off[round] ?? each)))
  return [
    ...rateFigures(medianOf(on), { what: `payments created, ${what} on` }),
    ...rateFigures(medianOf(off), { what: `payments created, ${what} off` }),
    {
      what: `rate with ${what} ÷ without`,
      value: ratio.toFixed(3),
      ...(least !== undefined && { target: `≥ ${least}`, ok: ratio >= least }),
      numbers: { ratio },
    },
    { what: `CPU with ${what} ÷ without`, value: cpu.toFixed(3), numbers: { cpu } },
  ]
}

async function rounds({ on: measured, off: plain, say }: Compared) {
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
