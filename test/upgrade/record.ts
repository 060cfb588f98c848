import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { freePort } from '../../src/net/free-port.ts'
import { PROCESS_TOKEN, startProcess } from '../support/service-process.ts'
import type { Facts } from './facts.ts'

/** Lets the built service of a checkout write payments, and stores the rows in the folder as SQL. */
export async function record(tree: string, folder: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tender-upgrade-'))
  const { url, stop } = await startEmbedded({ dataDir, durable: false })
  try {
    const facts = await write(url, join(tree, 'dist/main.js'))
    const files = (await readdir(join(tree, 'migrations'))).sort()
    const target = join(folder, `${files.at(-1)?.slice(0, 4)}.sql`)
    await writeFile(target, await dump(url, facts, await hashesOf(join(tree, 'migrations'), files)))
    return target
  } finally {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function hashesOf(folder: string, files: readonly string[]): Promise<Facts['migrations']> {
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex')
  return Object.fromEntries(await Promise.all(files.map(async (name) => [name, await hash(name)])))
}

/** Starts that version, makes payments of every kind by its API, and stops it. */
async function write(databaseUrl: string, main: string): Promise<Omit<Facts, 'migrations'>> {
  const env = { DATABASE_URL: databaseUrl }
  const service = startProcess({ port: await freePort('127.0.0.1'), env }, main)
  try {
    await service.ready()
    const post = poster(`${service.url}/api/licenses`, PROCESS_TOKEN)
    const { apps } = await post('', { licenseName: 'Acme' })
    const { appId, apiKey } = apps[0]
    const payments = await pay(poster(`${service.url}/api/apps/${appId}`, apiKey))
    return { recordedTime: new Date().toISOString(), appId, apiKey, payments }
  } finally {
    await service.kill('SIGTERM')
  }
}

// biome-ignore lint/suspicious/noExplicitAny: other versions have other types
type Post = (path: string, body?: object) => Promise<any>

const poster =
  (base: string, token: string): Post =>
  async (path, body = {}) => {
    const reply = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
    return JSON.parse(text)
  }

async function pay(post: Post): Promise<Facts['payments']> {
  const create = async (referenceId: string, more: object = {}): Promise<number> => {
    const body = {
      referenceId,
      amount: 25.5,
      currency: 'EUR',
      returnUrl: 'https://shop.example.com/back',
      autoCapture: true,
      showPayRecurringInCheckout: false,
      webhookUrl: 'http://127.0.0.1:9/hooks',
      customerOrder: { customer: { customerId: 'dana' } },
      ...more,
    }
    return (await post('/payments/hosted-page', body)).paymentId
  }
  const paid = async (referenceId: string, more: object = {}): Promise<number> => {
    const paymentId = await create(referenceId, more)
    await post(`/test-helpers/payments/${paymentId}/pay`)
    return paymentId
  }
  const created = await create('created')
  const authorized = await paid('authorized', { autoCapture: false })
  const captured = await paid('captured')
  const registered = await paid('registered', { registerAutoPayment: true })
  const refunded = await paid('refunded')
  await post(`/payments/${refunded}/refund`, { amount: 10 })
  const disputed = await paid('disputed')
  await post(`/test-helpers/payments/${disputed}/dispute`)
  // The bank captures, but the answer is lost and the service cannot ask: the operation stays open.
  const open = await paid('open', { autoCapture: false })
  await post('/test-helpers/faults', { step: 'capture', effect: 'reply-lost' })
  await post('/test-helpers/faults', { step: 'any', effect: 'outage', times: 1000 })
  await post(`/payments/${open}/capture`).catch(() => {})
  return { created, authorized, captured, registered, refunded, disputed, open }
}

/** All rows, and the positions of all sequences. The first line has what a test needs to know. */
async function dump(url: string, facts: object, migrations: Facts['migrations']): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const parts = [
      `-- ${JSON.stringify({ ...facts, migrations })}`,
      'set session_replication_role = replica;',
    ]
    const { rows } = await client.query<{ name: string }>(TABLES)
    for (const { name } of rows) parts.push(...(await tablePart(client, name)))
    const sequences = await client.query<{ text: string }>(SEQUENCES)
    const positions = sequences.rows.map(({ text }) => text)
    return `${[...parts, ...positions, 'reset session_replication_role;'].join('\n')}\n`
  } finally {
    await client.end()
  }
}

const TABLES = `select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema')
    and not (schemaname = 'public' and tablename = 'migrations') order by 1`

const SEQUENCES = `select
    format('select setval(''%I.%I'', %s);', schemaname, sequencename, last_value) as text
  from pg_sequences where last_value is not null order by 1`

async function tablePart(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select (
       select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t)) where value <> 'null'
     )::text as text from ${name} t`,
  )
  if (rows.length === 0) return []
  const texts = rows.map(({ text }) => text).sort()
  return [
    `insert into ${name} overriding system value`,
    `select * from jsonb_populate_recordset(null::${name}, $rows$[`,
    texts.join(',\n'),
    ']$rows$);',
  ]
}
