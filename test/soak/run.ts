import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { type Rig, startRig } from '../chaos/rig.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { pause, type ServiceProcess } from '../support/service-process.ts'
import { settle } from '../support/shoppers.ts'
import { drawPage } from './charts.ts'
import { breakInTurn, DEAD_PATH } from './faults.ts'
import { useConsole } from './member.ts'
import { type Times, takeSample } from './sampler.ts'
import { type FaultWindow, judge, type Sample } from './verdict.ts'

const SHOPPERS = 32
const SECOND = 1_000
const MINUTE = 60 * SECOND
const SAMPLE_MS = 10 * SECOND
/** Longer than the pauses of an endpoint that was dead. */
const DRAIN_MS = 8 * MINUTE
/** As `npm start` does it. */
const NODE_ARGS = ['--max-semi-space-size=16']

interface SoakOptions {
  readonly root: string
  readonly hours: number
  /** Payments a second. Default: half of what a first minute reaches. */
  readonly rate: number | undefined
}

/** Keeps a service busy for hours, judges what grew, and draws it; returns the exit code. */
export async function runSoak({ root, hours, rate }: SoakOptions): Promise<number> {
  const load = (loadavg()[0] ?? 0).toFixed(1)
  const times: Times = { answers: [], lags: [], pages: [] }
  const onTaken = (path: string, lagMs: number) => path !== DEAD_PATH && times.lags.push(lagMs)
  const rig = await startRig({ onTaken })
  try {
    const service = await rig.start({ env: { WORKERS: '2' }, nodeArgs: NODE_ARGS })
    const perSecond = rate ?? (await halfRate(rig, service))
    const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)
    say(`${perSecond} payments a second for ${hours} hours`)
    const ran = await soak({ rig, service, times, perSecond, say, lengthMs: hours * 60 * MINUTE })
    const broken = [...ran.broken, ...(await atTheEnd(rig, service))]
    const cores = `${availableParallelism()} cores for the service, PostgreSQL and the shoppers`
    const title =
      `${perSecond} payments/s for ${hours} h, ${rig.known.size} payments in all; ` +
      `${cores}; load ${load} before`
    return report({ root, title, ...ran, broken })
  } finally {
    await rig.stop()
  }
}

async function halfRate(rig: Rig, service: ServiceProcess): Promise<number> {
  const crowd = rig.gather(SHOPPERS, [service])
  await pause(MINUTE)
  const reached = rig.known.size / 60
  await crowd.leave()
  return Math.max(1, Math.round(reached / 2))
}

interface Soaking {
  readonly rig: Rig
  readonly service: ServiceProcess
  readonly times: Times
  readonly perSecond: number
  readonly lengthMs: number
  readonly say: (text: string) => void
}

interface Ran {
  readonly samples: Sample[]
  readonly faults: FaultWindow[]
  /** Seconds. */
  readonly warmUp: number
  readonly broken: string[]
}

async function soak({ rig, service, times, perSecond, lengthMs, say }: Soaking): Promise<Ran> {
  const startMs = performance.now()
  const clock = () => (performance.now() - startMs) / SECOND
  const isOver = () => clock() * SECOND >= lengthMs
  const faults: FaultWindow[] = []
  const isBroken = () => faults.some(({ to }) => clock() <= to)
  const everyMs = Math.min(5 * MINUTE, lengthMs / 8)
  const plan = { everyMs, lastingMs: everyMs / 5, recoveryMs: everyMs / 4, clock, isOver, say }
  const crowd = rig.gather(SHOPPERS, [service], { perSecond, onAnswer: (ms) => times.answers.push(ms) })
  const breaking = breakInTurn({ rig, service }, plan, faults)
  const onPage = (ms: number) => times.pages.push(ms)
  const viewing = useConsole(rig, service, { onPage, isBroken, isOver })
  const watched = {
    service: service.pid,
    postgres: () => rig.postgres.pids(),
    ask: rig.ask,
    times,
    payments: () => rig.known.size,
  }
  const samples: Sample[] = []
  while (!isOver()) {
    await pause((samples.length + 1) * SAMPLE_MS - clock() * SECOND)
    samples.push(await takeSample(watched, clock()))
  }
  const [failedPages] = await Promise.all([viewing, breaking])
  const { unexpected } = await crowd.leave()
  const broken = [...failedPages, ...unexpected.map((text) => `answered ${text}`)]
  return { samples, faults, warmUp: Math.min(15 * MINUTE, lengthMs / 8) / SECOND, broken }
}

/** What is wrong when everything has come to rest. */
async function atTheEnd(rig: Rig, service: ServiceProcess): Promise<string[]> {
  await settle(service.url, rig.shops, rig.ask)
  const startMs = performance.now()
  for (let waiting = 1; waiting > 0 && performance.now() - startMs < DRAIN_MS; ) {
    const [row] = await rig.ask<{ waiting: number }>(
      `select count(*)::integer as waiting from deliveries where status <> 'delivered'`,
    )
    waiting = row?.waiting ?? 0
    await pause(SECOND)
  }
  return [...(await brokenInvariants(rig.ask, rig.known.values())), ...(await rig.inbox.complaints(rig.ask))]
}

interface Report extends Ran {
  readonly root: string
  readonly title: string
}

function report({ root, title, samples, faults, warmUp, broken }: Report): number {
  const findings = judge({ samples, faults, warmUp })
  const folder = join(root, 'soak-results')
  mkdirSync(folder, { recursive: true })
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  writeFileSync(join(folder, `${stamp}.json`), JSON.stringify({ title, warmUp, faults, samples, broken }))
  writeFileSync(join(folder, `${stamp}.svg`), drawPage({ title, samples, faults, warmUp, findings, broken }))
  for (const { ok, text } of findings) console.log(`${ok ? 'flat  ' : 'RISES '} ${text}`)
  for (const text of broken.slice(0, 20)) console.log(`BROKEN ${text}`)
  console.log(`${title}\nCharts: soak-results/${stamp}.svg`)
  return broken.length === 0 && findings.every(({ ok }) => ok) ? 0 : 1
}
