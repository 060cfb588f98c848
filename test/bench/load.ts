import { type Line, openLine } from './load/line.ts'
import type { LoadApp, Outcome, Plan } from './load/plan.ts'
import { scenarioOf } from './load/scenarios.ts'

const TAKING_MS = 500
/** Times are recorded after this, because the first request of a connection is slower. */
const RAMP_MS = 1_000

/** Runs the load in a separate process, so that its CPU time is measured separately. */
process.on('message', (plan: Plan) => {
  void run(plan).then(
    (outcome) => process.send?.(outcome),
    (error: Error) => process.send?.({ error: error.message }),
  )
})

async function run(plan: Plan): Promise<Outcome> {
  const lines = await Promise.all(
    Array.from({ length: plan.connections }, (_, n) => openLine(plan.url, addressOf(plan, n))),
  )
  // Opening many connections at once is not part of the measurement.
  await new Promise((resolve) => setTimeout(resolve, TAKING_MS))
  const note = { tookMs: [] as number[], made: [] as string[] }
  let count = 0
  const scenario = scenarioOf(plan)
  let n = plan.from
  const one = async (line: Line) => {
    const mine = n++
    const start = performance.now()
    const made = await scenario(line, plan.apps[mine % plan.apps.length] as LoadApp, mine)
    count++
    if (plan.perSecond !== undefined && start < begin + RAMP_MS) return
    note.tookMs.push(performance.now() - start)
    note.made.push(made)
  }
  const begin = performance.now()
  const isOver = () => performance.now() - begin >= plan.seconds * 1_000
  try {
    if (plan.perSecond === undefined) await closedLoop(lines, one, isOver)
    else await fixedRate(lines, one, { isOver, start: begin, perSecond: plan.perSecond })
    const seconds = (performance.now() - begin) / 1_000
    return { count, startMs: performance.timeOrigin + begin, seconds, ...note }
  } finally {
    for (const line of lines) line.close()
  }
}

const addressOf = (plan: Plan, n: number): string | undefined =>
  plan.ownAddresses && `127.0.${1 + Math.floor(n / 250)}.${1 + (n % 250)}`

type One = (line: Line) => Promise<void>

/** Closed loop: each connection sends the next request when the last has ended. */
async function closedLoop(lines: readonly Line[], one: One, isOver: () => boolean): Promise<void> {
  await Promise.all(
    lines.map(async (line) => {
      while (!isOver()) await one(line)
    }),
  )
}

/** Fixed rate: a request waits if no connection is free, which lowers the achieved rate. */
async function fixedRate(
  lines: readonly Line[],
  one: One,
  { isOver, start, perSecond }: { isOver: () => boolean; start: number; perSecond: number },
): Promise<void> {
  const free = [...lines]
  const running = new Set<Promise<void>>()
  let failed: Error | undefined
  let begun = 0
  while (!isOver() && !failed) {
    const due = ((performance.now() - start) / 1_000) * perSecond
    while (begun < due) {
      // The last one used: the service closes connections that are idle for long.
      const line = free.pop()
      if (!line) break
      if (!line.isOpen()) continue
      begun++
      const work: Promise<void> = one(line)
        .catch((error: Error) => {
          failed = error
        })
        .finally(() => {
          free.push(line)
          running.delete(work)
        })
      running.add(work)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(running)
  if (failed) throw failed
}
