import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asking } from '../../support/asking.ts'
import { pause } from '../../support/service-process.ts'
import { cutBetween, type Machine } from './network.ts'

const PORT = 5432
const REST_PORT = 8008
const ETCD_PORT = 2379
const ETCD_PEER_PORT = 2380

/** The settings of docs/guides/scale-out.md. */
const PATRONI = { ttl: 20, loop_wait: 5, retry_timeout: 5, primary_start_timeout: 0 }
const SYNCHRONOUS = { synchronous_mode: true, synchronous_node_count: 1 }
const PARAMETERS = {
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  max_connections: 100,
  // For small machines: three servers, three nodes and the load share the memory.
  shared_buffers: '64MB',
}

type Role = 'leader' | 'sync_standby' | 'replica'

interface Member {
  readonly name: string
  readonly role: Role
  readonly state: string
  readonly timeline?: number
}

/** Three PostgreSQL servers with Patroni and etcd. */
export interface Servers {
  readonly machines: readonly Machine[]
  /** `host:port,host:port,host:port` */
  readonly hosts: string
  /** The machine whose Patroni holds the leader lock and runs a primary. */
  leader(): Promise<Machine | undefined>
  /** Waits until another machine than this one is the leader. */
  leaderOtherThan(machine: Machine): Promise<Machine>
  syncStandby(): Promise<Machine | undefined>
  /** Waits until there are a leader, a synchronous standby and a replica that follow it. */
  healthy(): Promise<void>
  start(machine: Machine): Promise<void>
  switchOver(from: Machine): Promise<void>
  /** Cuts a machine from the other two. */
  isolate(machine: Machine): Promise<void>
  /** True if this server accepts writes. */
  isWritable(machine: Machine): Promise<boolean>
  logs(): Promise<string>
}

export const urlOf = (hosts: string, database = 'tender'): string =>
  `postgres://postgres@${hosts}/${database}`

export async function startServers(machines: readonly Machine[], bin: string): Promise<Servers> {
  const servers = serversOf(machines, bin)
  for (const machine of machines) await writeSettings(machine, machines, bin)
  await Promise.all(machines.map((machine) => servers.start(machine)))
  await servers.healthy()
  const leader = await until('a leader', servers.leader)
  await asking(urlOf(`${leader.address}:${PORT}`, 'postgres'))('create database tender')
  return servers
}

function serversOf(machines: readonly Machine[], bin: string): Servers {
  const members = async () => membersSeenBy(await leader())
  const byRole = async (role: Role) => {
    const name = (await members()).find((member) => member.role === role)?.name
    return machines.find((machine) => machine.name === name)
  }
  async function leader(): Promise<Machine | undefined> {
    const answers = await Promise.all(machines.map((machine) => answerOf(machine, 'primary')))
    return machines.find((_, place) => answers[place]?.ok)
  }
  return {
    machines,
    hosts: machines.map(({ address }) => `${address}:${PORT}`).join(','),
    leader,
    syncStandby: () => byRole('sync_standby'),
    leaderOtherThan: (machine) =>
      until('a new leader', async () => {
        const found = await leader()
        return found === machine ? undefined : found
      }),
    async healthy() {
      await until('a leader and two standbys', async () => isHealthy(await members(), machines.length))
    },
    async start(machine) {
      machine.start('etcd', etcdArgs(machine, machines), { ETCD_UNSUPPORTED_ARCH: 'arm64' })
      machine.start('patroni', [settingsOf(machine)], { PATH: `${bin}:${process.env.PATH}` })
    },
    async switchOver(from) {
      const body = JSON.stringify({ leader: from.name })
      await fetch(`http://${from.address}:${REST_PORT}/switchover`, { method: 'POST', body })
    },
    async isolate(machine) {
      for (const other of machines) if (other !== machine) await cutBetween(machine, other)
    },
    isWritable,
    async logs() {
      const tails = machines.map(async ({ name, folder }) => {
        const text = await readFile(join(folder, 'patroni.log'), 'utf8').catch(() => '')
        return `--- Patroni of ${name}\n${text.slice(-3_000)}`
      })
      return (await Promise.all(tails)).join('\n')
    },
  }
}

const settingsOf = ({ folder }: Machine): string => join(folder, 'patroni.yml')

function etcdArgs({ name, address, folder }: Machine, machines: readonly Machine[]): string[] {
  const peers = machines.map((one) => `${one.name}=http://${one.address}:${ETCD_PEER_PORT}`)
  const client = `http://${address}:${ETCD_PORT}`
  const peer = `http://${address}:${ETCD_PEER_PORT}`
  const settings = {
    name,
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': peers.join(','),
    'enable-v2': 'true',
    // A member that was cut off must not force an election when it comes back.
    'pre-vote': 'true',
  }
  return Object.entries(settings).map(([option, value]) => `--${option}=${value}`)
}

/** Patroni reads YAML, which includes JSON. */
async function writeSettings(machine: Machine, machines: readonly Machine[], bin: string): Promise<void> {
  const { name, address, folder } = machine
  const user = (username: string) => ({ username, password: 'secret' })
  const settings = {
    scope: 'tender',
    name,
    restapi: { listen: `${address}:${REST_PORT}`, connect_address: `${address}:${REST_PORT}` },
    // Not etcd3: Patroni 3.0.2 may overwrite the leader key there, see docs/guides/scale-out.md.
    etcd: { hosts: machines.map((one) => `${one.address}:${ETCD_PORT}`) },
    bootstrap: {
      dcs: {
        ...PATRONI,
        ...SYNCHRONOUS,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: PARAMETERS },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: `${address}:${PORT}`,
      connect_address: `${address}:${PORT}`,
      data_dir: join(folder, 'data'),
      bin_dir: bin,
      pgpass: join(folder, 'pgpass'),
      authentication: {
        superuser: user('postgres'),
        replication: user('replicator'),
        rewind: user('rewind'),
      },
      pg_hba: ['local all all trust', 'host all all all trust', 'host replication all all trust'],
      parameters: { unix_socket_directories: folder },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
    watchdog: { mode: 'off' },
  }
  await writeFile(settingsOf(machine), JSON.stringify(settings, null, 2))
}

const ANSWER_MS = 1_000

const answerOf = (machine: Machine, path: string): Promise<Response | undefined> =>
  fetch(`http://${machine.address}:${REST_PORT}/${path}`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(
    () => undefined,
  )

/** As this machine sees them. The view of a machine that was cut off is old. */
async function membersSeenBy(machine: Machine | undefined): Promise<Member[]> {
  if (!machine) return []
  const answer = await answerOf(machine, 'cluster')
  const body = (await answer?.json().catch(() => undefined)) as { members?: Member[] } | undefined
  return body?.members ?? []
}

function isHealthy(members: readonly Member[], count: number): true | undefined {
  const roles = members.map(({ role }) => role).sort()
  const isRunning = members.every(({ state }) => state === 'running' || state === 'streaming')
  const timelines = new Set(members.map(({ timeline }) => timeline))
  const isWhole = roles.join() === 'leader,replica,sync_standby' && members.length === count
  return isWhole && isRunning && timelines.size === 1 ? true : undefined
}

/** Without an answer within a second it counts as not writable. */
async function isWritable({ address }: Machine): Promise<boolean> {
  const ask = asking(`${urlOf(`${address}:${PORT}`, 'postgres')}?connect_timeout=1`)
  const answer = ask<{ transaction_read_only: string }>('show transaction_read_only').catch(() => [])
  const [row] = await Promise.race([answer, pause(ANSWER_MS).then(() => [])])
  return row?.transaction_read_only === 'off'
}

const WAIT_MS = 120_000

/** Repeats a question until the answer is not undefined. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + WAIT_MS
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`waited ${WAIT_MS / 1_000} s for ${what}`)
    await pause(100)
  }
}
