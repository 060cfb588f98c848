import { pause } from '../support/service-process.ts'
import { armFault, type Tally } from '../support/shoppers.ts'
import type { Outcome, Scenario, Stage } from './scenario.ts'

const KILLS = 20
const RESTARTS = 10
const SHOPPERS = 16
const HELD_MS = 9_000
const START_MS = 5_000
const LATE = { step: 'any', effect: 'reply-late', times: 2 }
/** The lease of a process on an operation. */
const LEASE_MS = 30_000

export const kill: Scenario = {
  name: 'kill',
  fault: `\`kill -9\` of the service under load, ${KILLS} times`,
  async run(stage) {
    const { rig } = stage
    const port = Number(new URL(stage.service.url).port)
    const crowd = rig.gather(SHOPPERS)
    let slowestMs = 0
    for (let round = 0; round < KILLS; round++) {
      // Late replies: some kills happen after the bank has acted and before the result is stored.
      await armFault(stage.service.url, rig.shops, { ...LATE, delayMs: 500 })
      await pause(250 + 25 * round)
      await stage.service.kill('SIGKILL')
      const startMs = performance.now()
      stage.service = await rig.start({ port })
      slowestMs = Math.max(slowestMs, performance.now() - startMs)
    }
    const tally = await crowd.leave()
    const problems = slowestMs > START_MS ? [`a start took ${seconds(slowestMs)}`] : []
    return { what: `slowest start ${seconds(slowestMs)}`, tally, problems }
  },
}

/** The database outage must cause at least one 503. */
function refusalProblems(tally: Tally): string[] {
  return (tally.statuses.get(503) ?? 0) === 0 ? ['no request got 503: the fault had no effect'] : []
}

export const postgresRestart: Scenario = {
  name: 'postgres-restart',
  fault: `immediate restart of PostgreSQL under load, ${RESTARTS} times`,
  async run({ rig }) {
    const crowd = rig.gather(SHOPPERS)
    for (let round = 0; round < RESTARTS; round++) {
      await pause(800)
      await rig.postgres.restart()
    }
    await pause(1_500)
    const tally = await crowd.leave()
    const what = `longest pause ${seconds(tally.longestGapMs)}`
    return { what, tally, problems: refusalProblems(tally) }
  },
}

export const postgresPaused: Scenario = {
  name: 'postgres-paused',
  fault: `PostgreSQL stopped with SIGSTOP for ${HELD_MS / 1_000} s under load`,
  async run({ rig }) {
    const crowd = rig.gather(SHOPPERS)
    await pause(800)
    const pids = await rig.postgres.pids()
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    await pause(HELD_MS)
    for (const pid of pids.reverse()) process.kill(pid, 'SIGCONT')
    await pause(2_500)
    const tally = await crowd.leave()
    const what = `longest pause ${seconds(tally.longestGapMs)}`
    return { what, tally, problems: refusalProblems(tally) }
  },
}

/** Longer than any lease. */
const STOPPED_MS = LEASE_MS + 4_000

export const lease: Scenario = {
  name: 'lease',
  fault: `SIGSTOP of one of two nodes for ${STOPPED_MS / 1_000} s, longer than its leases; then it continues`,
  run: stopBeyondLease,
}

/** The other node takes over the open operations; the leases of the stopped node are then invalid. */
async function stopBeyondLease(stage: Stage): Promise<Outcome> {
  const { rig, service } = stage
  const other = await rig.start()
  const both = rig.gather(SHOPPERS, [service, other])
  await pause(1_000)
  const open = await stopWithOpenOperations(stage, other.url)
  const rest = rig.gather(4, [other])
  await pause(STOPPED_MS)
  process.kill(service.pid, 'SIGCONT')
  await pause(1_000)
  await rest.leave()
  const tally = await both.leave()
  await other.kill('SIGTERM')
  const problems = open === 0 ? ['no operation was open when it stopped'] : []
  return { what: `${open} operations were open when it stopped`, tally, problems, stoppedMs: STOPPED_MS }
}

/** Stops the node while operations are open and returns their number; late replies keep them open. */
async function stopWithOpenOperations({ rig, service }: Stage, otherUrl: string): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    await armFault(otherUrl, rig.shops, { ...LATE, delayMs: 3_000 })
    await pause(700)
    process.kill(service.pid, 'SIGSTOP')
    const [open] = await rig.ask<{ count: number }>(
      `select count(*)::int as count from operations where status = 'open'`,
    )
    if (open && open.count > 0) return open.count
    process.kill(service.pid, 'SIGCONT')
  }
  return 0
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
