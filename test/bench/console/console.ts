import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXPORT_KINDS } from '../../../src/exports/kinds.ts'
import { EXPORTS } from '../../../src/exports/limits.ts'
import { exportPayments } from '../../../src/payments/search/export.ts'
import { type Inside, openInside, openPages } from '../../support/inside.ts'
import { type Bench, type Figure, quantile, sorted } from '../bench.ts'
import { type BenchApp, type Rig, SECRET_KEY } from '../rig.ts'
import { fillConsole, idOf } from './fill.ts'
import { PALETTE, READS } from './reads.ts'

const PAYMENTS = Number(process.env.BENCH_CONSOLE_PAYMENTS ?? 1_000_000)
const TIMES = Number(process.env.BENCH_CONSOLE_TIMES ?? 40)
/** A folder in which the filled database stays for the next run. */
const KEPT = process.env.BENCH_CONSOLE_DATA
const LIST_MS = 100
const PALETTE_MS = 50
const DETAIL_MS = 50
const OVERVIEW_MS = 300
const EXPORT_ROWS = 20_000
const EXPORT_MB = 8

/** What the console reads, in an app with a million payments beside one with a fifth of that. */
export const consoleBench: Bench = {
  name: 'console',
  onlyByName: true,
  keptIn: KEPT,
  async run(rig, say) {
    return readConsole(rig, await filledApp(rig, say), say)
  },
}

/** Fills the database, unless an earlier run has filled and kept it. */
async function filledApp(rig: Rig, say: (text: string) => void): Promise<BenchApp> {
  const keysFile = KEPT && join(KEPT, 'app.json')
  const kept = keysFile && (await readFile(keysFile, 'utf8').catch(() => undefined))
  if (kept) return rig.knownApp(JSON.parse(kept))
  const [app, other] = await Promise.all([rig.newApp(), rig.newApp()])
  const apps = [
    { appId: app.appId, payments: PAYMENTS, customers: PAYMENTS / 10 },
    { appId: other.appId, payments: PAYMENTS / 5, customers: PAYMENTS / 20 },
  ]
  await fillConsole(rig, apps, say)
  if (keysFile) await writeFile(keysFile, JSON.stringify({ appId: app.appId, apiKey: app.apiKey }))
  return app
}

/** Everything at once is sealed with a key and has no rows. */
const TABLES = (Object.keys(EXPORT_KINDS) as (keyof typeof EXPORT_KINDS)[]).filter(
  (kind) => kind !== 'everything',
)

type Reading = Pick<Rig, 'url' | 'databaseUrl' | 'usage'>

/** Every read of the table, as a member of the team sees it: whole pages over HTTP, one after the other. */
async function readConsole(
  rig: Reading,
  { appId, call }: BenchApp,
  say: (text: string) => void,
): Promise<Figure[]> {
  const inside = await openInside({ ...rig, secretKey: SECRET_KEY, appId })
  const only = process.env.BENCH_CONSOLE_ONLY
  const figures: Figure[] = []
  const measure = async (what: string, targetMs: number, act: (turn: number) => Promise<unknown>) => {
    if (only && !new RegExp(only).test(what)) return
    const figure = await measured(what, targetMs, act, rig.usage).catch((error) =>
      failed(what, targetMs, error),
    )
    say(`${figure.what}: ${figure.value}`)
    figures.push(figure)
  }
  try {
    const show = await openPages(rig.url, inside)
    for (const [what, path] of Object.entries(READS.list))
      await measure(what, LIST_MS, (turn) => show(path(turn)))
    for (const [what, path] of Object.entries(READS.overview))
      await measure(what, OVERVIEW_MS, (turn) => show(path(turn)))
    await measure('page of a payment', DETAIL_MS, (turn) => show(`/payments/${idOf(turn * 1_009)}`))
    for (const [what, text] of Object.entries(PALETTE))
      await measure(`palette: ${what}`, PALETTE_MS, (turn) =>
        show(`/search?q=${encodeURIComponent(text(turn))}`, 'application/json'),
      )
    await measure('list by API', LIST_MS, () => get(call, '/payments?pageSize=50'))
    await measure('summary by API, to the 10,000th row', LIST_MS, (turn) =>
      get(call, `/payments/summary?pageSize=50&pageNumber=${1 + turn * 5}`),
    )
    await measure('overview of 30 days by API', OVERVIEW_MS, () => get(call, '/payments/overview'))
    for (const kind of TABLES)
      await measure(`first page of an export: ${kind}`, LIST_MS, () => firstPage(inside, kind))
    if (!only) figures.push(...(await exported(inside)))
    return figures
  } finally {
    await inside.close()
  }
}

async function get(call: BenchApp['call'], path: string): Promise<void> {
  const { status, text } = await call('GET', path)
  if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`)
}

async function firstPage({ ctx, app }: Inside, kind: keyof typeof EXPORT_KINDS): Promise<void> {
  const now = ctx.clock.now()
  const { open, columns } = EXPORT_KINDS[kind]
  const selection = { from: undefined, to: now, now, filter: {}, timeZone: 'Europe/Berlin' }
  const read = await open(ctx, app, selection, Object.keys(columns))
  await read(undefined, EXPORTS.pageRows)
}

/** An answer that is refused is a missed target; the rows after it are measured all the same. */
const failed = (what: string, targetMs: number, error: Error): Figure => ({
  what: `${what}, p95`,
  value: error.message.slice(0, 120),
  target: `≤ ${targetMs} ms`,
  ok: false,
  numbers: {},
})

/** The time of an act that is done again and again. With `usage`, also the CPU time that each takes. */
export async function measured(
  what: string,
  targetMs: number,
  act: (turn: number) => Promise<unknown>,
  usage?: Rig['usage'],
): Promise<Figure> {
  const tookMs: number[] = []
  // Each of the eight connections plans a statement at its first use.
  for (let turn = 0; turn < 8; turn++) await act(turn)
  const before = usage?.()
  for (let turn = 0; turn < TIMES; turn++) {
    const startMs = performance.now()
    await act(turn)
    tookMs.push(performance.now() - startMs)
  }
  const all = sorted(tookMs)
  const [p50, p95] = [quantile(all, 0.5), quantile(all, 0.95)]
  const cpu = before && usage && cpuSince(before, usage())
  return {
    what: `${what}, p95`,
    value: `${p95.toFixed(1)} ms${cpu ? cpuText(p50, cpu) : ''}`,
    target: `≤ ${targetMs} ms`,
    ok: p95 <= targetMs,
    numbers: { p50, p95, ...cpu },
  }
}

type Cpu = Readonly<Record<'postgresMs' | 'serviceMs', number>>

/** A machine with other work changes the time of an answer more than the CPU time. */
const cpuSince = (before: ReturnType<Rig['usage']>, after: ReturnType<Rig['usage']>): Cpu => ({
  postgresMs: (after.postgres.cpuMs - before.postgres.cpuMs) / TIMES,
  serviceMs: (after.service.cpuMs - before.service.cpuMs) / TIMES,
})

function cpuText(p50: number, { postgresMs, serviceMs }: Cpu): string {
  const [median, postgres, service] = [p50, postgresMs, serviceMs].map((ms) => ms.toFixed(1))
  return `; p50 ${median}; CPU of PostgreSQL ${postgres}, of the service ${service}`
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
