import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUp } from '../../src/backup/back-up.ts'
import { restore } from '../../src/backup/restore.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { removalJob } from '../../src/webhooks/jobs.ts'
import { openInside } from '../support/inside.ts'
import type { Bench, Figure } from './bench.ts'
import { fillPast } from './past.ts'
import { type BenchApp, type Rig, SECRET_KEY } from './rig.ts'

const PAYMENTS = Number(process.env.BENCH_SIZE_PAYMENTS ?? 200_000)
const APPS = 8
const YEAR_DAYS = 365
const SHORT_DAYS = 30
/** What the table of the guide is for. */
const PER_YEAR = 10_000_000
const YEARS = 2
const PARTS = ['payments', 'payment_search', 'operations', 'customers'] as const
/** What is removed after 30 days. */
const SHORT = ['events', 'deliveries', 'provider_notifications'] as const

/**
 * Bytes on disk of a payment by its age, in a database with a year of payments, and how long the work of an
 * operator takes on it. What two years of ten million payments take is a multiple of that.
 */
export const size: Bench = {
  name: 'size',
  onlyByName: true,
  async run(rig, say) {
    const apps = await rig.newApps(APPS)
    await fillPast(rig, { apps, count: PAYMENTS, say })
    say('lists')
    await fillSearch(rig, apps)
    const bytes = await sizesOf(rig)
    say('vacuum')
    const vacuumSeconds = await vacuumed(rig)
    say('backup and restore')
    const backup = await backedUp(rig)
    say('removal of webhooks')
    const removal = await removeMonth(rig, apps)
    return [...sizeFigures(bytes), ...workFigures({ vacuumSeconds, ...backup, ...removal }, bytes)]
  },
}

/** The service's own job copies old payments from the newest to the oldest: it is asked for all of them. */
async function fillSearch({ db }: Rig, apps: readonly BenchApp[]): Promise<void> {
  const appIds = apps.map(({ appId }) => appId)
  await db.query(
    `insert into payment_search_progress (app_id, event_time, backfill_below, due_time)
     select a, now(), ${Number.MAX_SAFE_INTEGER}, now() from unnest($1::text[]) a
     on conflict (app_id) do update set backfill_below = excluded.backfill_below, due_time = now()`,
    [appIds],
  )
  for (;;) {
    const { rows } = await db.query<{ left: boolean }>(
      `select exists (select from payment_search_progress where backfill_below is not null) as left`,
    )
    if (!rows[0]?.left) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await db.query('vacuum analyze')
}

type Sizes = Readonly<Record<string, { readonly bytes: number; readonly rows: number }>>

async function sizesOf({ db }: Rig): Promise<Sizes> {
  const { rows } = await db.query<{ name: string; bytes: string; rows: number }>(
    `select relname as name, pg_total_relation_size(oid) as bytes, greatest(reltuples, 0) as rows
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return Object.fromEntries(rows.map((row) => [row.name, { bytes: Number(row.bytes), rows: row.rows }]))
}

interface Backup {
  readonly backupSeconds: number
  readonly backupBytes: number
  readonly restoreSeconds: number
}

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const startMs = performance.now()
  await act()
  return (performance.now() - startMs) / 1_000
}

/** A tenth of all rows changes before, as in a busy month. */
async function vacuumed({ db }: Rig): Promise<number> {
  await db.query('update payments set version = version + 1 where payment_id % 10 = 0')
  return timed(() => db.query('vacuum analyze'))
}

/** `npm run backup` while the service runs, and `npm run restore` with the first start after it. */
async function backedUp({ dataDir }: Rig): Promise<Backup> {
  const folder = await mkdtemp(join(tmpdir(), 'tender-size-'))
  const file = join(folder, 'tender.backup')
  const restored = join(folder, 'data')
  try {
    const backupSeconds = await timed(() => backUp({ DATA_DIR: dataDir, SECRET_KEY }, file))
    const restoreSeconds = await timed(async () => {
      await restore({ DATA_DIR: restored, SECRET_KEY }, file)
      const started = await startEmbedded({ dataDir: restored })
      await started.stop()
    })
    return { backupSeconds, backupBytes: (await stat(file)).size, restoreSeconds }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A month of events becomes too old at once. */
async function removeMonth({ db, url, databaseUrl }: Rig, apps: readonly BenchApp[]) {
  const inside = await openInside({ url, databaseUrl, secretKey: SECRET_KEY, appId: apps[0]?.appId ?? '' })
  const count = async () =>
    Number((await db.query<{ count: string }>('select count(*) as count from events')).rows[0]?.count)
  await db.query(`update events set created_time = created_time - interval '${SHORT_DAYS} days'`)
  await db.query('vacuum analyze events')
  const before = await count()
  const { runOnce } = removalJob(inside.ctx)
  const seconds = await timed(async () => {
    while ((await runOnce()) > 0) await inside.ctx.clock.sleep(0)
  })
  const removed = before - (await count())
  await inside.close()
  return { removalSeconds: seconds, removedEvents: removed }
}

const kb = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KB`
const gb = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`
const MONTH_PART = SHORT_DAYS / YEAR_DAYS

const bytesEach = (sizes: Sizes, name: string, payments: number): number =>
  (sizes[name]?.bytes ?? Number.NaN) / payments

function sizeFigures(sizes: Sizes): Figure[] {
  const each = [
    ...PARTS.map((name) => ({ name, kept: 'for ever', bytes: bytesEach(sizes, name, PAYMENTS) })),
    ...SHORT.map((name) => ({
      name,
      kept: `${SHORT_DAYS} days`,
      bytes: bytesEach(sizes, name, PAYMENTS * MONTH_PART),
    })),
  ]
  const of = (kept: string) =>
    each.filter((one) => one.kept === kept).reduce((sum, { bytes }) => sum + bytes, 0)
  const [forEver, short] = [of('for ever'), of(`${SHORT_DAYS} days`)]
  const all = PER_YEAR * YEARS * forEver + PER_YEAR * MONTH_PART * short
  return [
    figure('a payment on its first day, without logs', kb(forEver + short), forEver + short),
    figure('a payment after 30 days and after a year, without logs', kb(forEver), forEver),
    ...each.map(({ name, kept, bytes }) => figure(`${name}, kept ${kept}`, kb(bytes), bytes)),
    figure('two years of 10 million payments each, extrapolated', gb(all), all),
  ]
}

const figure = (what: string, value: string, number: number): Figure => ({
  what,
  value,
  numbers: { number },
})

interface Work extends Backup, Awaited<ReturnType<typeof removeMonth>> {
  readonly vacuumSeconds: number
}

function workFigures(times: Work, sizes: Sizes): Figure[] {
  const factor = (PER_YEAR * YEARS) / PAYMENTS
  const perEvent = times.removalSeconds / times.removedEvents
  const eventsInMonth = (PER_YEAR * MONTH_PART * (sizes.events?.rows ?? 0)) / (PAYMENTS * MONTH_PART)
  const both = (what: string, seconds: number, large = seconds * factor) =>
    figure(
      `${what}: ${PAYMENTS.toLocaleString('en')} payments, and two years extrapolated`,
      `${seconds.toFixed(1)} s, ${(large / 60).toFixed(0)} min`,
      seconds,
    )
  return [
    both('vacuum analyze after a tenth has changed', times.vacuumSeconds),
    both('backup while the service runs', times.backupSeconds),
    figure(
      'size of the archive, and of two years extrapolated',
      `${(times.backupBytes / 2 ** 20).toFixed(0)} MB, ${gb(times.backupBytes * factor)}`,
      times.backupBytes,
    ),
    both('restore and first start', times.restoreSeconds),
    both(
      `removal of ${times.removedEvents.toLocaleString('en')} events of a month`,
      times.removalSeconds,
      perEvent * eventsInMonth,
    ),
  ]
}
