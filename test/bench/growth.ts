import type { Bench, Figure } from './bench.ts'
import { measureCreate } from './create.ts'
import { measureLife, shopsOf } from './life.ts'
import type { LoadApp } from './load/plan.ts'
import { measure, median, rate } from './measure.ts'
import { fillPast, pastThings } from './past.ts'
import { measureRead } from './read.ts'
import { type Rig, startRig } from './rig.ts'
import { drain } from './webhooks.ts'

const ROUNDS = 3
const SECONDS = 4
const APPS = 48
const MANY = 2_000_000
const FEW = 4_800
const TARGET = 0.9
const QUEUED = 6_000
const BODY = JSON.stringify({ type: 'payment.state_changed', payment: 'x'.repeat(1_200) })

interface Side {
  readonly rig: Rig
  readonly apps: readonly LoadApp[]
  readonly things: { readonly ids: readonly string[]; readonly references: readonly string[] }
}

/** The same work on a database of two million payments and on a nearly empty one, alternately. */
export const growth: Bench = {
  name: 'growth',
  onlyByName: true,
  async run(rig, say) {
    const other = await startRig({ root: rig.root })
    try {
      const empty = await sideOf(rig, FEW, say)
      const full = await sideOf(other, MANY, say)
      const figures: Figure[] = []
      for (const [what, work] of Object.entries(WORKS))
        figures.push(await compare(what, work, { empty, full }))
      return figures
    } finally {
      await other.stop()
    }
  },
}

async function sideOf(rig: Rig, count: number, say: (text: string) => void): Promise<Side> {
  const apps = await shopsOf(rig, APPS)
  await fillPast(rig, { apps, count, say })
  return { rig, apps, things: pastThings({ apps, count }, 20_000) }
}

type Work = (side: Side) => Promise<{ readonly perSecond: number }>

const WORKS: Readonly<Record<string, Work>> = {
  create: ({ rig, apps }) => measureCreate(rig, apps, SECONDS),
  'read by id': ({ rig, apps, things }) => measureRead(rig, apps, { things: things.ids, seconds: SECONDS }),
  'read by reference': ({ rig, apps, things }) =>
    measureRead(rig, apps, { things: things.references, seconds: SECONDS }),
  'the newest twenty webhooks, listed,': ({ rig, apps }) =>
    measure(rig, { scenario: 'list', apps, connections: 64, seconds: SECONDS }),
  'webhooks claimed and delivered': ({ rig, apps }) => drain(rig, apps, { count: QUEUED, body: BODY }),
  life: ({ rig, apps }) => measureLife(rig, apps, { seconds: SECONDS }),
}

async function compare(what: string, work: Work, { empty, full }: Record<'empty' | 'full', Side>) {
  const rates: { full: number; empty: number }[] = []
  await work(empty)
  await work(full)
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await work(empty)
    const among = await work(full)
    rates.push({ empty: alone.perSecond, full: among.perSecond })
  }
  const ratio = median(rates.map((round) => round.full / round.empty))
  const perSecond = median(rates.map((round) => round.full))
  return {
    what: `${what} among 2 million payments: rate, and ÷ empty`,
    value: `${rate(perSecond)}, ${ratio.toFixed(2)}`,
    target: `≥ ${TARGET}`,
    ok: ratio >= TARGET,
    numbers: { ratio, perSecond },
  }
}
