import type { Load } from './load.ts'
import type { Machine } from './network.ts'
import type { Nodes } from './nodes.ts'
import { type Servers, until } from './servers.ts'

/** How the nodes reach the primary. */
export type Access = 'hosts' | 'haproxy' | 'pgbouncer'

export interface Stage {
  readonly servers: Servers
  readonly nodes: Nodes
  readonly load: Load
  log(text: string): void
}

export interface Scenario {
  readonly name: string
  /** Description of the fault, for the table. */
  readonly fault: string
  readonly access: Access
  /** Causes the fault, under load, and returns when the service must work again. */
  run(stage: Stage): Promise<void>
  /** Repairs what the fault left, after the load. */
  repair?(stage: Stage): Promise<void>
}

const currentLeader = ({ servers }: Stage): Promise<Machine> => until('a leader', servers.leader)

const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`

/** Waits for another leader. */
async function failOver({ servers, log }: Stage, from: Machine): Promise<void> {
  const startMs = performance.now()
  const next = await servers.leaderOtherThan(from)
  log(`${next.name} is the leader after ${seconds(startMs)}`)
}

/** SIGKILL to PostgreSQL only: Patroni sees it and gives the lock to a standby. */
async function killPostgres(stage: Stage): Promise<void> {
  const leader = await currentLeader(stage)
  stage.log(`every process of PostgreSQL on ${leader.name} is killed`)
  await leader.kill('postgres')
  await failOver(stage, leader)
}

/** SIGKILL to PostgreSQL, Patroni and etcd: the lock has to expire. */
async function killMachine(stage: Stage): Promise<void> {
  const leader = await currentLeader(stage)
  stage.log(`every process on ${leader.name} is killed`)
  await leader.kill()
  await failOver(stage, leader)
  await stage.servers.start(leader)
}

/** The nodes still reach the old primary. */
async function cutPrimary(stage: Stage): Promise<void> {
  const leader = await currentLeader(stage)
  stage.log(`${leader.name} is cut from the other servers, not from the nodes`)
  await stage.servers.isolate(leader)
  await demotion(stage, leader)
}

async function cutPrimaryAndNodes(stage: Stage): Promise<void> {
  const leader = await currentLeader(stage)
  stage.log(`${leader.name} is cut from the other servers and from the nodes`)
  await leader.cut('nodes')
  await stage.servers.isolate(leader)
  await failOver(stage, leader)
}

async function demotion(stage: Stage, leader: Machine): Promise<void> {
  const startMs = performance.now()
  await until('the demotion', async () => ((await stage.servers.isWritable(leader)) ? undefined : true))
  stage.log(`${leader.name} accepts no writes after ${seconds(startMs)}`)
  await failOver(stage, leader)
}

const heal = async ({ servers }: Stage): Promise<void> => {
  for (const machine of servers.machines) await machine.heal()
}

async function cutStandby({ servers, log, ...stage }: Stage): Promise<void> {
  const leader = await currentLeader({ servers, log, ...stage })
  const standby = await until('a synchronous standby', servers.syncStandby)
  log(`${leader.name}, the primary, is cut from ${standby.name}, its synchronous standby`)
  await leader.cut(standby)
  await standby.cut(leader)
  const startMs = performance.now()
  const next = await until('another synchronous standby', async () => {
    const found = await servers.syncStandby()
    return found === standby ? undefined : found
  })
  log(`${next.name} is the synchronous standby after ${seconds(startMs)}`)
}

async function switchOver(stage: Stage): Promise<void> {
  const leader = await currentLeader(stage)
  stage.log(`switchover from ${leader.name}`)
  await stage.servers.switchOver(leader)
  await failOver(stage, leader)
}

async function restartNodes({ nodes, log }: Stage): Promise<void> {
  log('each node is stopped with SIGTERM and started again')
  await nodes.restart()
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'postgres-killed',
    fault: 'SIGKILL of PostgreSQL on the primary',
    access: 'hosts',
    run: killPostgres,
  },
  {
    name: 'machine-killed',
    fault: 'SIGKILL of PostgreSQL, Patroni and etcd on the primary',
    access: 'hosts',
    run: killMachine,
  },
  {
    name: 'primary-cut',
    fault: 'network of the primary cut from the other servers, not from the nodes',
    access: 'hosts',
    run: cutPrimary,
    repair: heal,
  },
  {
    name: 'primary-lost',
    fault: 'network of the primary cut from the other servers and the nodes',
    access: 'hosts',
    run: cutPrimaryAndNodes,
    repair: heal,
  },
  {
    name: 'standby-cut',
    fault: 'network between the primary and its synchronous standby cut',
    access: 'hosts',
    run: cutStandby,
    repair: heal,
  },
  { name: 'switchover', fault: 'planned switchover', access: 'hosts', run: switchOver },
  {
    name: 'rolling-upgrade',
    fault: 'each node stopped with SIGTERM and started again',
    access: 'hosts',
    run: restartNodes,
  },
  { name: 'haproxy-switchover', fault: 'planned switchover', access: 'haproxy', run: switchOver },
  {
    name: 'haproxy-machine-killed',
    fault: 'SIGKILL of PostgreSQL, Patroni and etcd on the primary',
    access: 'haproxy',
    run: killMachine,
  },
  {
    name: 'pgbouncer-rolling-upgrade',
    fault: 'each node stopped with SIGTERM and started again',
    access: 'pgbouncer',
    run: restartNodes,
  },
  {
    name: 'pgbouncer-machine-killed',
    fault: 'SIGKILL of PostgreSQL, Patroni and etcd on the primary',
    access: 'pgbouncer',
    run: killMachine,
  },
]
