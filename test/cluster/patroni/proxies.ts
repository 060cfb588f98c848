import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Machine, postgresUser } from './network.ts'
import { until } from './servers.ts'

const HAPROXY_PORT = 5000
const PGBOUNCER_PORT = 6432

export const HAPROXY = `127.0.0.1:${HAPROXY_PORT}`
export const PGBOUNCER = `127.0.0.1:${PGBOUNCER_PORT}`

/** HAProxy in front of the servers, and PgBouncer in session mode in front of HAProxy. */
export async function startProxies(folder: string, machines: readonly Machine[]): Promise<void> {
  const own = join(folder, 'proxies')
  const { uid, gid } = await postgresUser()
  await mkdir(own)
  await chown(own, uid, gid)
  const start = (program: string, args: readonly string[]): ChildProcess => {
    const child = spawn(program, [...args], { uid, gid, cwd: own, stdio: ['ignore', 'pipe', 'pipe'] })
    const log = createWriteStream(join(own, `${program}.log`), { flags: 'a' })
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false })
    return child
  }
  await writeFile(join(own, 'haproxy.cfg'), haproxySettings(machines))
  await writeFile(join(own, 'pgbouncer.ini'), pgbouncerSettings(own))
  await writeFile(join(own, 'users.txt'), '"postgres" ""\n')
  start('haproxy', ['-db', '-f', join(own, 'haproxy.cfg')])
  start('pgbouncer', [join(own, 'pgbouncer.ini')])
  for (const port of [HAPROXY_PORT, PGBOUNCER_PORT])
    await until(`port ${port}`, async () => ((await isOpen(port)) ? true : undefined))
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })

/** As in docs/guides/scale-out.md. */
const haproxySettings = (machines: readonly Machine[]): string => `
global
  maxconn 1000

defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
  option clitcpka
  option srvtcpka

listen tender
  bind ${HAPROXY}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server port 8008 inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${machines.map(({ name, address }) => `  server ${name} ${address}:5432 check`).join('\n')}
`

/** As in docs/guides/scale-out.md. */
const pgbouncerSettings = (folder: string): string => `
[databases]
tender = host=127.0.0.1 port=${HAPROXY_PORT}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${PGBOUNCER_PORT}
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = session
max_client_conn = 200
default_pool_size = 60
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 5
server_check_delay = 0
tcp_keepidle = 5
tcp_keepintvl = 2
tcp_keepcnt = 3
`
