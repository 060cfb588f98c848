import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/net/free-port.ts'
import { asking } from '../support/asking.ts'
import { startInbox } from '../support/inbox.ts'
import { type Acknowledged, brokenInvariants } from '../support/invariants.ts'
import { isReady, pause, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { type Crowd, gather, newShop, type Shop, settle, type Tally } from '../support/shoppers.ts'
import { findPostgres, newPrimary, newStandby, type PostgresNode } from './postgres.ts'

const SHOPS = 6
const SHOPPERS = 12
const LOAD_MS = 4_000
/** The least time that a cluster manager such as Patroni needs to detect the failure of the primary. */
const DETECTION_MS = 1_000
const PAUSE_MS = 15_000

/** Runs three nodes under load on a primary and its synchronous standby, then fails over to the standby. */
export async function runClusterTest(): Promise<number> {
  const bin = await findPostgres()
  if (!bin) {
    console.error('This needs PostgreSQL with pg_basebackup. On Debian: apt-get install postgresql')
    return 1
  }
  const folder = await mkdtemp(join(tmpdir(), 'tender-cluster-'))
  const started: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    return await runIn(bin, folder, started)
  } finally {
    for (const stop of started.reverse()) await stop()
  }
}

type Started = (() => unknown)[]

async function runIn(bin: string, folder: string, started: Started): Promise<number> {
  const { primary, standby } = await startServers(bin, folder, started)
  const hosts = `${primary.hostPort},${standby.hostPort}`
  const databaseUrl = `postgres://postgres@${hosts}/tender?target_session_attrs=read-write`
  const nodes = await startNodes(databaseUrl, started)
  const inbox = await startInbox()
  started.push(inbox.stop)
  const [web, , all] = nodes
  if (!web || !all) throw new Error('startNodes must start three nodes')
  const shops: Shop[] = []
  while (shops.length < SHOPS) shops.push(await newShop(web.url, inbox.url))
  const known = new Map<string, Acknowledged>()
  const crowd = gather({ urls: [web.url, all.url], shops, shoppers: SHOPPERS, known })
  await pause(LOAD_MS)
  const before = known.size
  const promotedMs = await failOver(primary, standby)
  await pause(LOAD_MS)
  await untilNextSuccess(crowd)
  const tally = await crowd.leave()
  const ask = asking(`postgres://postgres@${standby.hostPort}/tender`)
  await untilReady(nodes)
  await settle(web.url, shops, ask)
  const problems = [
    ...answerProblems(tally),
    ...(await brokenInvariants(ask, known.values())),
    ...(await inbox.complaints(ask)),
  ]
  report({ known, before, promotedMs, tally, problems })
  return problems.length === 0 ? 0 : 1
}

async function startServers(bin: string, folder: string, started: Started) {
  const at = async (name: string) => ({ bin, folder: join(folder, name), port: await freePort('127.0.0.1') })
  // The user postgres needs access to its folder.
  await chmod(folder, 0o755)
  const primary = await newPrimary(await at('primary'))
  started.push(primary.stop)
  await primary.start()
  await primary.sql('create database tender')
  const standby = await newStandby(await at('standby'), primary)
  started.push(standby.stop)
  await standby.start()
  // From here a commit is acknowledged when both servers have it on disk.
  await primary.sql(`alter system set synchronous_standby_names = 'standby'`)
  await primary.sql('select pg_reload_conf()')
  while ((await primary.sql('select sync_state from pg_stat_replication')) !== 'sync\n') await pause(100)
  console.log(`primary on ${primary.hostPort}, synchronous standby on ${standby.hostPort}`)
  return { primary, standby }
}

/** Starts one node of each role. */
async function startNodes(databaseUrl: string, started: Started): Promise<ServiceProcess[]> {
  const nodes: ServiceProcess[] = []
  for (const role of ['web', 'worker', 'all']) {
    const node = startProcess({
      port: await freePort('127.0.0.1'),
      env: { DATABASE_URL: databaseUrl, ROLE: role },
    })
    started.push(() => node.kill('SIGKILL'))
    await node.ready()
    nodes.push(node)
  }
  console.log('three nodes are ready: web, worker, all')
  return nodes
}

/** Kills the primary, promotes the standby and returns the duration of the promotion. */
async function failOver(primary: PostgresNode, standby: PostgresNode): Promise<number> {
  console.log('the primary is killed')
  await primary.kill()
  await pause(DETECTION_MS)
  const startMs = performance.now()
  await standby.promote()
  console.log('the standby is promoted')
  return performance.now() - startMs
}

async function untilNextSuccess({ tally }: Crowd): Promise<void> {
  const lastMs = tally.lastGoodMs
  const startMs = performance.now()
  while (tally.lastGoodMs === lastMs && performance.now() - startMs < 2 * PAUSE_MS) await pause(50)
}

async function untilReady(nodes: readonly ServiceProcess[]): Promise<void> {
  for (const { url } of nodes)
    for (let tries = 0; !(await isReady(url)); tries++) {
      if (tries > 100) throw new Error('a node does not become ready again')
      await pause(100)
    }
}

function answerProblems(tally: Tally): string[] {
  return [
    ...tally.unexpected.map((text) => `answered ${text}`),
    ...(tally.without503Header > 0 ? ['503 without Retry-After'] : []),
    ...(tally.longestGapMs > PAUSE_MS ? [`no answer for ${seconds(tally.longestGapMs)}`] : []),
  ]
}

interface Report {
  readonly known: ReadonlyMap<string, Acknowledged>
  readonly before: number
  readonly promotedMs: number
  readonly tally: Tally
  readonly problems: readonly string[]
}

function report({ known, before, promotedMs, tally, problems }: Report): void {
  const captured = [...known.values()].filter((payment) => payment.captured).length
  const lines = [
    ['Payments acknowledged before the kill', String(before)],
    ['Payments acknowledged in total, captured', `${known.size}, ${captured}`],
    ['Promotion, after 1 s for detection', seconds(promotedMs)],
    ['Longest time without a successful answer', `${seconds(tally.longestGapMs)} (at most 15 s)`],
    ['Refused with 503 and Retry-After', String(tally.statuses.get(503) ?? 0)],
    ['Slowest refusal', seconds(tally.slowest503Ms)],
    ['Acknowledged and lost, charged twice, out of order', problems.length === 0 ? 'none' : 'see below'],
  ]
  console.log(
    ['', '| What | |', '| --- | --- |', ...lines.map((cells) => `| ${cells.join(' | ')} |`)].join('\n'),
  )
  for (const problem of problems.slice(0, 20)) console.log(`PROBLEM ${problem}`)
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
