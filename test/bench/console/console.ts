import { DAY } from '../../../src/base/clock.ts'
import { Secret } from '../../../src/base/secret.ts'
import { composeContext, openOutside } from '../../../src/compose.ts'
import type { Config } from '../../../src/config.ts'
import type { Context } from '../../../src/context.ts'
import { overview } from '../../../src/insights/overview.ts'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { exportPayments } from '../../../src/payments/search/export.ts'
import { findAnything, listPayments } from '../../../src/payments/search/search.ts'
import { openSession } from '../../../src/people/sessions/sessions.ts'
import { insertMembership } from '../../../src/people/store/memberships.ts'
import { insertPerson } from '../../../src/people/store/people.ts'
import { type Bench, type Figure, quantile, sorted } from '../bench.ts'
import type { BenchApp, Rig } from '../rig.ts'
import { fillConsole, idOf } from './fill.ts'

const PAYMENTS = Number(process.env.BENCH_CONSOLE_PAYMENTS ?? 1_000_000)
const TIMES = 40
const LIST_MS = 100
const PALETTE_MS = 50
const DETAIL_MS = 50
const OVERVIEW_MS = 300
const EXPORT_ROWS = 20_000
const EXPORT_MB = 8

/** What the console reads, in an app with a million payments. */
export const consoleBench: Bench = {
  name: 'console',
  onlyByName: true,
  async run(rig, say) {
    const app = await rig.newApp()
    await fillConsole(rig, { appId: app.appId, count: PAYMENTS, say })
    const inside = await openInside(rig, app.appId)
    try {
      return [
        ...(await overHttp(app)),
        ...(await palettes(inside)),
        ...(await shownPages(rig, inside)),
        await measured('overview of 30 days', OVERVIEW_MS, () => monthOf(inside)),
        await measured('overview of 30 days over HTTP', OVERVIEW_MS, () => get(app, '/payments/overview')),
        ...(await exported(inside)),
      ]
    } finally {
      await inside.close()
    }
  },
}

const CLIENT = { address: '127.0.0.1', network: '127.0.0.1', userAgent: 'bench', requestId: 'req_bench' }

interface Inside {
  readonly ctx: Context
  readonly app: App
  close(): Promise<void>
}

/** The commands in this process, for what has no route. */
async function openInside(rig: Rig, appId: string): Promise<Inside> {
  const config: Config = {
    ...{ port: 0, host: '127.0.0.1', publicUrl: rig.url, dataDir: 'unused', rateLimit: 200, role: 'all' },
    ...{ logLevel: 'warn', allowPrivateWebhooks: true, production: true, sandboxBank: false },
    operatorToken: new Secret('unused'),
    secretKeys: [new Secret('a-secret-key-of-the-benchmarks-0123456789')],
  }
  const { close, ...outside } = openOutside({ config, databaseUrl: rig.databaseUrl })
  const ctx = composeContext(config, outside)
  const app = await loadApp(ctx, appId)
  if (!app) throw new Error('the app is missing')
  return { ctx, app, close }
}

const FILTERS: Readonly<Record<string, (turn: number) => string>> = {
  'no filter': () => '',
  'a common state': () => 'state=Captured',
  'a rare state': () => 'state=Disputed',
  'three states': () => 'state=Failed,Refunded,Disputed',
  'a provider': () => 'provider=sandbox',
  'a currency': () => 'currency=USD',
  'a rare currency': () => 'currency=JPY',
  'a customer': (turn) => `customer=buyer-${turn * 997}`,
  'a policy': () => 'policy=7',
  days: (turn) => `from=${day(turn)}&to=${day(turn)}`,
  'large amounts': () => 'min=500000',
  'most amounts': () => 'min=100',
  'last four digits': (turn) => `q=last4:${String((turn * 37) % 9_973).padStart(4, '0')}`,
  'a reference': (turn) => `q=ref:INV-${turn * 1_009}`,
  'the beginning of references': (turn) => `q=ref:INV-${100 + turn}*`,
  'the beginning of all references': () => 'q=ref:INV-*',
  'a decline reason': () => 'q=reason:insufficient-funds',
  'an order': (turn) => `q=order:order-${turn * 1_013}`,
  'five conditions': () => 'q=state:failed%20currency:EUR%20amount:%3E100%20provider:sandbox%20-country:FR',
  'a text: a payment id': (turn) => `q=${idOf(turn * 1_009)}`,
  'a text: a reference': (turn) => `q=inv-${turn * 1_019}`,
  'a text: four digits': (turn) => `q=${String((turn * 41) % 9_973).padStart(4, '0')}`,
  'a text: an e-mail address': (turn) => `q=dana${turn * 991}@shop.example`,
  'a text: a name of all customers': () => 'q=dana',
}

const day = (turn: number): string => new Date(Date.now() - (turn + 1) * DAY).toISOString().slice(0, 10)

async function get(app: BenchApp, path: string): Promise<string> {
  const { status, text } = await app.call('GET', path)
  if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`)
  return text
}

async function overHttp(app: BenchApp): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [what, filter] of Object.entries(FILTERS))
    figures.push(
      await measured(`list by ${what}`, LIST_MS, async (turn) => {
        const text = await get(app, `/payments?pageSize=50&${filter(turn)}`)
        if (text === '[]') throw new Error(`nothing found by ${what}`)
      }),
    )
  const page = (turn: number) => get(app, `/payments/summary?pageSize=50&pageNumber=${1 + turn * 5}`)
  return [...figures, await measured('summary, to the 10,000th row', LIST_MS, page)]
}

async function palettes({ ctx, app }: Inside): Promise<Figure[]> {
  const texts = [
    (turn: number) => String(idOf(turn * 1_009)),
    (turn: number) => `INV-${turn * 1_019}`,
    (turn: number) => `dana${turn * 991}`,
    (turn: number) => String((turn * 41) % 9_973).padStart(4, '0'),
  ]
  return [
    await measured('palette: id, reference, e-mail, digits', PALETTE_MS, async (turn) => {
      const found = await findAnything(ctx, app, texts[turn % 4]?.(turn) ?? '')
      if (found.payments.length === 0) throw new Error('nothing found')
    }),
    await measured('list command, no filter', LIST_MS, () => listPayments(ctx, app, {}, { pageSize: 50 })),
  ]
}

/** Whole pages, as a member of the team sees them. */
async function shownPages({ url }: Rig, { ctx, app }: Inside): Promise<Figure[]> {
  const cookie = `console=${await ownerSession(ctx, app)}`
  const show = async (path: string) => {
    const reply = await fetch(`${url}/console/${app.appId}${path}`, { headers: { cookie } })
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text.slice(0, 200)}`)
  }
  return [
    await measured('page of a payment', DETAIL_MS, (turn) => show(`/payments/${idOf(turn * 1_009)}`)),
    await measured('page of the list', LIST_MS, () => show('/payments')),
    await measured('page of the overview of 30 days', OVERVIEW_MS, () => show('/overview?range=30d')),
  ]
}

async function ownerSession(ctx: Context, { licenseId }: App): Promise<string> {
  const now = ctx.clock.now()
  const personId = 'usr_bench'
  const owner = { personId, email: 'owner@example.com', name: 'Owner', passwordHash: null }
  return ctx.db.transaction(async (tx) => {
    await insertPerson(tx, { ...owner, isOperator: false, now })
    await insertMembership(tx, { licenseId, personId, role: 'Owner', refundLimits: null, now })
    return openSession(ctx, tx, personId, CLIENT)
  })
}

const monthOf = ({ ctx, app }: Inside) => {
  const to = ctx.clock.now()
  return overview(ctx, app, { from: new Date(to.getTime() - 30 * DAY), to, timeZone: 'Europe/Berlin' })
}

/** The time of an act that is done again and again. */
export async function measured(
  what: string,
  targetMs: number,
  act: (turn: number) => Promise<unknown>,
): Promise<Figure> {
  const tookMs: number[] = []
  // Each of the eight connections plans a statement at its first use.
  for (let turn = 0; turn < 8; turn++) await act(turn)
  for (let turn = 0; turn < TIMES; turn++) {
    const startMs = performance.now()
    await act(turn)
    tookMs.push(performance.now() - startMs)
  }
  const all = sorted(tookMs)
  const [p50, p95] = [quantile(all, 0.5), quantile(all, 0.95)]
  return {
    what: `${what}, p95`,
    value: `${p95.toFixed(1)} ms`,
    target: `≤ ${targetMs} ms`,
    ok: p95 <= targetMs,
    numbers: { p50, p95 },
  }
}

/** Flat memory: what is left after a collection is the same in the last third as in the second. */
async function exported({ ctx, app }: Inside): Promise<Figure[]> {
  const memory: number[] = []
  let rows = -1
  const startMs = performance.now()
  for await (const chunk of exportPayments(ctx, app, {})) {
    rows += chunk.split('\n').length - 1
    memory.push(process.memoryUsage().heapUsed / 2 ** 20)
  }
  const perSecond = rows / ((performance.now() - startMs) / 1_000)
  const third = Math.floor(memory.length / 3)
  const added = Math.min(...memory.slice(2 * third)) - Math.min(...memory.slice(third, 2 * third))
  return [
    {
      what: `export of ${rows.toLocaleString('en')} rows`,
      value: `${Math.round(perSecond).toLocaleString('en')} rows/s`,
      target: `≥ ${EXPORT_ROWS.toLocaleString('en')} rows/s`,
      ok: perSecond >= EXPORT_ROWS,
      numbers: { rows, perSecond },
    },
    {
      what: 'memory that the last third of the export adds',
      value: `${Math.round(Math.max(0, added))} MB`,
      target: `≤ ${EXPORT_MB} MB`,
      ok: added <= EXPORT_MB,
      numbers: { mb: added },
    },
  ]
}
