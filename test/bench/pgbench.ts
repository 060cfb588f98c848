import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { appPart, systemRandom } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { createVault } from '../../src/base/secret.ts'
import { composeContext } from '../../src/compose.ts'
import { loadConfig } from '../../src/config.ts'
import { createLanes } from '../../src/db/lanes.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { loadApp } from '../../src/merchants/directory.ts'
import { createHttp } from '../../src/net/http.ts'
import { createPost } from '../../src/net/post.ts'
import { createPayment } from '../../src/payments/create.ts'
import { readCreation } from '../../src/payments/wire/request.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { order } from './load/scenarios.ts'
import { createPgbenchDatabase } from './pgbench-database.ts'
import { usageOf } from './processes.ts'
import type { Rig } from './rig.ts'

/**
 * The limit of the database: pgbench runs the prepared statement that writes one payment, each in a
 * separate transaction.
 */
export interface Pgbench {
  run(seconds: number): Promise<Limit>
  close(): void
}

export interface Limit {
  readonly perSecond: number
  readonly cpuUs: { readonly postgres: number; readonly pgbench: number }
}

export const INSTALL = 'pgbench is not here, so there is no ratio; `apt-get install postgresql` brings it'

const CLIENTS = 8
/** As the service's connections plan. */
const PLANNED = '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan'
/** Placeholders for numbers that pgbench generates. */
const ID = '@id@'
const CUSTOMER = '@customer@'

/** Undefined if pgbench is not installed. */
export async function createPgbench(rig: Rig): Promise<Pgbench | undefined> {
  const program = findProgram()
  if (!program) return undefined
  const { appId } = await rig.newApp()
  const { text, json } = await creationOf(rig, appId)
  const databaseUrl = await createPgbenchDatabase(rig, appId)
  const folder = mkdtempSync(join(tmpdir(), 'tender-pgbench-'))
  const { script, defines } = scriptOf(text, json)
  const file = join(folder, 'create.sql')
  writeFileSync(file, script)
  return pgbenchOf(rig, { program, file, defines, databaseUrl })
}

interface Prepared {
  readonly program: string
  /** The script; each run of it is counted. It must end with a statement. */
  readonly file: string
  readonly defines: readonly (readonly [string, string])[]
  readonly databaseUrl: string
}

const ROUND = 100_000_000_000
/** The ids of a round begin here: another number in each, whatever its script. */
let first = ROUND

/** The file and its folder are removed by `close`. */
export function pgbenchOf(rig: Rig, { program, file, defines, databaseUrl }: Prepared): Pgbench {
  return {
    async run(seconds) {
      const [pg, own] = [rig.usage().postgres.cpuMs, usageOf(process.pid).cpuMs]
      const { stdout } = await promisify(execFile)(
        program,
        [
          ...['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '1', '-T', String(seconds), '-f', file],
          ...[...defines, ['first', String(first)]].flatMap(([name, value]) => ['-D', `${name}=${value}`]),
          databaseUrl,
        ],
        { env: { ...process.env, PGOPTIONS: PLANNED } },
      )
      first += ROUND
      const count = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1])
      if (!/failed transactions: 0 /.test(stdout) || !count) throw new Error(stdout)
      const us = (ms: number) => (ms * 1_000) / count
      return {
        perSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]),
        cpuUs: {
          postgres: us(rig.usage().postgres.cpuMs - pg),
          pgbench: us(usageOf(process.pid).cpuMs - own),
        },
      }
    },
    close: () => rmSync(dirname(file), { recursive: true, force: true }),
  }
}

export function findProgram(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  return folders.map((folder) => join(folder, 'pgbench')).find(existsSync)
}

/** The statement and parameter that the service sends for one payment, captured from its own code. */
async function creationOf(rig: Rig, appId: string): Promise<{ text: string; json: string }> {
  const config = await loadConfig({
    ...{ DATABASE_URL: rig.databaseUrl, PUBLIC_URL: rig.url, SECRET_KEY: 'x'.repeat(40), PORT: '1' },
  })
  const database = openDatabase({ url: rig.databaseUrl, size: 1 })
  let caught = { text: '', json: '' }
  const batch = createLanes(async (statement, json) => {
    caught = { text: statement.text, json }
    return [{ n: 0, row: {} }] as never
  })
  const db = { ...database, batch }
  const [http, post] = [createHttp(silentLog), createPost({ allowPrivate: true })]
  const vault = createVault(['x'.repeat(40)], systemRandom)
  const dns = { texts: async () => [] }
  const outside = { db, http, dns, post, vault, clock: systemClock, random: systemRandom, log: silentLog }
  const sandbox = createSandbox({ ...outside, publicUrl: rig.url })
  const ctx = composeContext(config, { ...outside, sandbox })
  const app = await loadApp(ctx, appId)
  if (!app) throw new Error('the app does not exist')
  const wanted = readCreation('HostedPage', order('order-100000000001', 'customer-100'))
  const { payment } = await createPayment(ctx, app, wanted)
  await Promise.all([http.close(), post.close(), database.close()])
  const { paymentId, paymentKey } = payment
  const digits = 12
  const json = caught.json
    .replaceAll(paymentKey, `${paymentKey.slice(0, -digits)}${ID}`)
    .replaceAll('order-100000000001', `order-${ID}`)
    .replaceAll('customer-100', `customer-${CUSTOMER}`)
    .replaceAll(new RegExp(`(?<![0-9a-z])${paymentId}(?![0-9a-z])`, 'g'), ID)
  if (!json.includes(appPart(appId))) throw new Error('the payment does not belong to the app')
  return { text: caught.text, json }
}

/** Splits the parameter and inserts generated numbers that make each payment unique. */
function scriptOf(text: string, json: string) {
  const parts = json.split(/(@id@|@customer@)/)
  const defines: [string, string][] = [['n', '0']]
  const terms = parts.map((part, place) => {
    if (part === ID) return ':id::text'
    if (part === CUSTOMER) return ':customer::text'
    defines.push([`piece${place}`, part])
    return `:piece${place}::text`
  })
  const script = [
    '\\set n :n + 1',
    '\\set id :first + :client_id * 1000000000 + :n',
    '\\set customer :client_id * 128 + :n % 128',
    `${text
      .replace('$1', `(${terms.join(' || ')})::json`)
      .replace(/\s+/g, ' ')
      .trim()};`,
  ].join('\n')
  return { script, defines }
}
