import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { brokenInvariants } from '../support/invariants.ts'
import { isReady, pause, type ServiceProcess } from '../support/service-process.ts'
import { settle } from '../support/shoppers.ts'
import { kill, lease, postgresPaused, postgresRestart, seconds } from './crashes.ts'
import { connections, slow, uploads } from './floods.ts'
import { clock, diskFull } from './machine.ts'
import { memoryMb, type Rig, startRig } from './rig.ts'
import { type Outcome, type Scenario, type Stage, total } from './scenario.ts'

const SCENARIOS: readonly Scenario[] = [
  kill,
  postgresRestart,
  postgresPaused,
  diskFull,
  lease,
  clock,
  connections,
  slow,
  uploads,
]

const READY_MS = 5_000
const REFUSAL_MS = 5_000
const GROWTH_MB = 20
const WARM_MS = 2_000

interface Row {
  readonly scenario: Scenario
  readonly result: string
  readonly what: string
  readonly answered: string
  readonly refused: string
  readonly ready: string
  readonly memory: string
  readonly ok: boolean
}

/** Runs scenarios in sequence and prints a table of results; returns the exit code. */
export async function runChaos(args: readonly string[]): Promise<number> {
  const names = args.filter((arg) => !arg.startsWith('--'))
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name))
  if (unknown.length > 0) {
    console.error(
      `No such scenario: ${unknown.join(', ')}. Known: ${SCENARIOS.map((s) => s.name).join(', ')}`,
    )
    return 2
  }
  const load = (loadavg()[0] ?? 0).toFixed(1)
  const rows: Row[] = []
  for (const scenario of SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name)))
    rows.push(await runOne(scenario))
  const cores = `${availableParallelism()} cores for the service, PostgreSQL and the shoppers`
  const where = `Measured on ${cores}; load ${load} before.`
  const lines = rows.map(lineOf)
  console.log(['', ...HEAD, ...lines, '', where].join('\n'))
  if (args.includes('--write')) await writeGuide(lines, where)
  return rows.every(({ ok }) => ok) ? 0 : 1
}

async function runOne(scenario: Scenario): Promise<Row> {
  const log = (text: string) => console.log(`${scenario.name}: ${text}`)
  const skipped = await scenario.skipReason?.()
  if (skipped) return { ...skippedRow(scenario), what: skipped }
  log(scenario.fault)
  const disk = await scenario.folder?.()
  const rig = await startRig({ dataFolder: disk?.path })
  try {
    return await runOnRig(rig, scenario, log)
  } finally {
    await rig.stop()
    await disk?.remove()
  }
}

const skippedRow = (scenario: Scenario): Row => ({
  scenario,
  result: 'skipped',
  what: '',
  answered: '',
  refused: '',
  ready: '',
  memory: '',
  ok: true,
})

async function runOnRig(rig: Rig, scenario: Scenario, log: Stage['log']): Promise<Row> {
  const { env = {}, nodeArgs = [], warmUp = 16 } = scenario
  const stage: Stage = { rig, service: await rig.start({ env, nodeArgs }), log }
  const warm = rig.gather(warmUp)
  await pause(WARM_MS)
  await warm.leave()
  const beforeMb = await memoryMb(stage.service)
  const outcome = await scenario.run(stage)
  const readyMs = await untilReady(stage.service)
  await settle(stage.service.url, rig.shops, rig.ask)
  const afterMb = await memoryMb(stage.service)
  const missed = [
    ...outcome.problems,
    ...refusalProblems(outcome),
    ...(readyMs > READY_MS ? [`ready only after ${seconds(readyMs)}`] : []),
    ...(afterMb - beforeMb > GROWTH_MB ? [`memory grew by ${Math.round(afterMb - beforeMb)} MB`] : []),
  ]
  const broken = [
    ...(await brokenInvariants(rig.ask, rig.known.values())),
    ...(await rig.inbox.complaints(rig.ask)),
  ]
  for (const problem of [...broken, ...missed].slice(0, 20)) log(`PROBLEM ${problem}`)
  if (broken.length > 0) log(`output of the service: ${stage.service.output().slice(-2_000)}`)
  return {
    scenario,
    what: [outcome.what, ...missed.map((text) => `**${text}**`)].join('; '),
    answered: outcome.tally ? String(total(outcome.tally) - (outcome.tally.statuses.get(503) ?? 0)) : '',
    refused: refusedText(outcome),
    ready: seconds(readyMs),
    memory: `${Math.round(beforeMb)} → ${Math.round(afterMb)} MB`,
    result: broken.length === 0 ? `held (${rig.known.size} payments)` : `**${broken.length} broken**`,
    ok: broken.length === 0 && missed.length === 0,
  }
}

function refusedText({ tally }: Outcome): string {
  const count = tally?.statuses.get(503) ?? 0
  const cut = tally?.cut ? `, ${tally.cut} cut` : ''
  return count === 0 ? `none${cut}` : `${count}, slowest ${seconds(tally?.slowest503Ms ?? 0)}${cut}`
}

function refusalProblems({ tally, stoppedMs = 0 }: Outcome): string[] {
  if (!tally) return []
  return [
    ...tally.unexpected.map((text) => `answered ${text}`),
    ...(tally.without503Header > 0 ? [`${tally.without503Header} times 503 without Retry-After`] : []),
    ...(tally.slowest503Ms > REFUSAL_MS + stoppedMs ? [`503 only after ${seconds(tally.slowest503Ms)}`] : []),
  ]
}

async function untilReady({ url, child, output }: ServiceProcess): Promise<number> {
  const startMs = performance.now()
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`the service exited: ${output().slice(-4_000)}`)
    if (performance.now() - startMs > 60_000) throw new Error('the service is not ready after a minute')
    await pause(20)
  }
  return performance.now() - startMs
}

const HEAD = [
  '| Fault | Answered | Refused with 503 | Ready again | Memory | Observed | Invariants |',
  '| --- | --- | --- | --- | --- | --- | --- |',
]

const nameIn = (line: string): string => /^\| \*\*([\w-]+)\*\*/.exec(line)?.[1] ?? ''

function lineOf({ scenario, ...row }: Row): string {
  const cells = [row.answered, row.refused, row.ready, row.memory, row.what, row.result]
  return `| **${scenario.name}**: ${scenario.fault} | ${cells.join(' | ')} |`
}

const GUIDE = new URL('../../docs/guides/reliability.md', import.meta.url)
const TABLE = /(<!-- npm run chaos -- --write -->\n)([\s\S]*?)(\n<!-- end -->)/

/** Updates the table in the guide; rows of scenarios that did not run are kept. */
async function writeGuide(lines: readonly string[], where: string): Promise<void> {
  const guide = await readFile(GUIDE, 'utf8')
  const before = (TABLE.exec(guide)?.[2] ?? '').split('\n')
  const of = (name: string) => [...lines, ...before].find((line) => nameIn(line) === name)
  const kept = SCENARIOS.flatMap(({ name }) => of(name) ?? [])
  const text = [...HEAD, ...kept, '', where].join('\n')
  await writeFile(
    GUIDE,
    guide.replace(TABLE, (_all, start, _before, end) => `${start}${text}${end}`),
  )
}
