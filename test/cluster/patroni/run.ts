import { loadavg } from 'node:os'
import { asking } from '../../support/asking.ts'
import { type Inbox, startInbox } from '../../support/inbox.ts'
import { type Acknowledged, type Ask, brokenInvariants } from '../../support/invariants.ts'
import { pause } from '../../support/service-process.ts'
import { newShop, type Shop, settle } from '../../support/shoppers.ts'
import { findPostgres } from '../postgres.ts'
import { type Figures, startLoad } from './load.ts'
import { createNetwork } from './network.ts'
import { type Nodes, startNodes } from './nodes.ts'
import { HAPROXY, PGBOUNCER, startProxies } from './proxies.ts'
import { type Access, SCENARIOS, type Scenario, type Stage } from './scenarios.ts'
import { type Servers, startServers, until, urlOf } from './servers.ts'

const SHOPS = 6
/** Captured payments before the fault, and after it. */
const CAPTURED = 30

interface Rig {
  readonly servers: Servers
  readonly nodes: Nodes
  readonly inbox: Inbox
  readonly shops: readonly Shop[]
  readonly known: Map<string, Acknowledged>
  readonly ask: Ask
}

const ASK_MS = 30_000

/** Asks the primary through HAProxy, again when the connection fails. */
const askPrimary: Ask = async (text) => {
  const end = performance.now() + ASK_MS
  for (;;) {
    try {
      return await asking(urlOf(HAPROXY))(text)
    } catch (error) {
      if (performance.now() > end) throw error
      await pause(200)
    }
  }
}

interface Row {
  readonly scenario: Scenario
  readonly figures: Figures
  readonly problems: readonly string[]
}

const startedMs = performance.now()
const log = (text: string): void =>
  console.log(`${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${text}`)

/** Runs scenarios in sequence on one cluster and prints a table; returns the exit code. */
async function runPatroniTest(folder: string, names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name))
  if (unknown.length > 0) {
    const all = SCENARIOS.map(({ name }) => name).join(', ')
    console.error(`No such scenario: ${unknown.join(', ')}. Scenarios: ${all}`)
    return 2
  }
  const load = (loadavg()[0] ?? 0).toFixed(1)
  const rig = await startRig(folder)
  const rows: Row[] = []
  try {
    for (const scenario of SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name)))
      rows.push(await runOne(rig, scenario))
  } catch (error) {
    console.error(await rig.servers.logs())
    console.error(rig.nodes.output())
    throw error
  }
  console.log(['', ...HEAD, ...rows.map(lineOf), '', `Load of the machine before: ${load}.`].join('\n'))
  return rows.every(({ problems }) => problems.length === 0) ? 0 : 1
}

async function startRig(folder: string): Promise<Rig> {
  const bin = await findPostgres()
  if (!bin) throw new Error('PostgreSQL is missing')
  const machines = await createNetwork(folder, ['db1', 'db2', 'db3'])
  log('three network namespaces on a bridge; starting etcd, Patroni and PostgreSQL in each')
  const servers = await startServers(machines, bin)
  await startProxies(folder, machines)
  log('the servers are ready: a primary, a synchronous standby, a replica')
  const nodes = await startNodes(databaseUrl(servers, 'hosts'))
  const inbox = await startInbox()
  const shops: Shop[] = []
  while (shops.length < SHOPS) shops.push(await newShop(nodes.urls[0] ?? '', inbox.url))
  log('three nodes are ready')
  return { servers, nodes, inbox, shops, known: new Map(), ask: askPrimary }
}

function databaseUrl(servers: Servers, access: Access): string {
  if (access === 'hosts') return `${urlOf(servers.hosts)}?target_session_attrs=read-write`
  return urlOf(access === 'haproxy' ? HAPROXY : PGBOUNCER)
}

let currentAccess: Access = 'hosts'

async function runOne(rig: Rig, scenario: Scenario): Promise<Row> {
  const { servers, nodes, known, shops } = rig
  const say = (text: string) => log(`${scenario.name}: ${text}`)
  await servers.healthy()
  if (currentAccess !== scenario.access) {
    say(`the nodes are restarted with the address of ${scenario.access}`)
    await nodes.restart(databaseUrl(servers, scenario.access))
    currentAccess = scenario.access
  }
  const overlaps = watchPrimaries(servers)
  const load = startLoad({ urls: nodes.urls, shops, known })
  const captured = async (count: number) => {
    const goal = load.figures.captured + count
    await until('captured payments', async () => (load.figures.captured >= goal ? true : undefined))
  }
  await captured(CAPTURED)
  const stage: Stage = { servers, nodes, load, log: say }
  await scenario.run(stage)
  await captured(CAPTURED)
  const figures = await load.stop()
  say('the load has ended; repairing and checking')
  await scenario.repair?.(stage)
  await servers.healthy()
  const problems = [...figures.problems, ...(await overlaps.stop()), ...(await check(rig))]
  for (const problem of problems.slice(0, 20)) say(`PROBLEM ${problem}`)
  say(problems.length === 0 ? `all checks passed, ${known.size} payments` : `${problems.length} problems`)
  const row = { scenario, figures, problems }
  say(lineOf(row))
  return row
}

async function check({ nodes, shops, ask, known, inbox }: Rig): Promise<string[]> {
  await nodes.ready()
  await settle(nodes.urls[0] ?? '', shops, ask)
  return [...(await brokenInvariants(ask, known.values())), ...(await inbox.complaints(ask))]
}

const WATCH_MS = 500

/** Looks for times at which two servers accept writes. */
function watchPrimaries({ machines, isWritable }: Servers) {
  const problems: string[] = []
  let isWatching = true
  const watching = (async () => {
    while (isWatching) {
      const writable = await Promise.all(machines.map(isWritable))
      const names = machines.filter((_, place) => writable[place]).map(({ name }) => name)
      if (names.length > 1) problems.push(`${names.join(' and ')} accept writes at the same time`)
      await pause(WATCH_MS)
    }
  })()
  return {
    async stop(): Promise<string[]> {
      isWatching = false
      await watching
      return problems
    },
  }
}

const COLUMNS = [
  'Scenario',
  'Nodes use',
  'Payments',
  'No creation for',
  'Slowest capture',
  'Refused, slowest',
  'Lost, charged twice, stuck',
]

const HEAD = [`| ${COLUMNS.join(' | ')} |`, `|${' --- |'.repeat(COLUMNS.length)}`]

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const ACCESS: Readonly<Record<Access, string>> = {
  hosts: 'three hosts',
  haproxy: 'HAProxy',
  pgbouncer: 'PgBouncer',
}

function lineOf({ scenario, figures, problems }: Row): string {
  const refused = figures.refused + figures.cut
  const cells = [
    `**${scenario.name}**: ${scenario.fault}`,
    ACCESS[scenario.access],
    `${figures.created}, ${figures.captured} captured`,
    seconds(figures.longestCreateGapMs),
    seconds(figures.longestToCaptureMs),
    refused === 0 ? 'none' : `${refused}, ${seconds(figures.slowestRefusalMs)}`,
    problems.length === 0 ? 'none' : `**${problems.length} problems**`,
  ]
  return `| ${cells.join(' | ')} |`
}

const [folder = '', ...names] = process.argv.slice(2)
process.exit(
  await runPatroniTest(folder, names).catch((error: unknown) => {
    console.error(error)
    return 1
  }),
)
