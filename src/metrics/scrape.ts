import { SECOND } from '../base/clock.ts'
import { errorData } from '../base/log.ts'
import type { Context } from '../context.ts'
import type { DatabaseLoad } from '../db/database.ts'
import { profilesInTrouble, queueReader, type ReadQueues, webhookLag } from '../insights/system.ts'
import type { Job } from '../jobs/loop.ts'
import { STATES } from '../payments/machine.ts'
import { EXCEPTION_KINDS, settlementHealth } from '../settlements/health.ts'
import type { MetricInstruments } from './instruments.ts'
import type { Metrics } from './registry.ts'

/** What is read from the database is kept for this long, however often the metrics are read. */
const KEPT_MS = 10 * SECOND

type Ctx = Pick<Context, 'db' | 'clock' | 'log' | 'providers'>

/** Returns the function that answers a scrape. Scrapes at the same time share one answer. */
export function scraperOf(ctx: Ctx, metrics: Metrics, jobs: readonly Job[]): () => Promise<string> {
  const { register, instruments } = metrics
  const readQueues = queueReader(jobs)
  startAtZero(ctx, instruments)
  let readMs = Number.NEGATIVE_INFINITY
  let scraping: Promise<string> | undefined

  async function scrape(): Promise<string> {
    const nowMs = ctx.clock.now().getTime()
    // In either direction: the clock may have been set back.
    if (Math.abs(nowMs - readMs) >= KEPT_MS) {
      await readDatabase(ctx, instruments, readQueues)
      readMs = nowMs
    }
    const load = ctx.db.load?.()
    if (load) setLoad(instruments, load)
    return await register.metrics()
  }

  return () => {
    scraping ??= scrape().finally(() => {
      scraping = undefined
    })
    return scraping
  }
}

/** A series that begins with its first event hides it: functions such as `increase` need a value before. */
function startAtZero({ providers }: Ctx, { unlisted, settled, tries, states }: MetricInstruments): void {
  for (const provider of providers.keys()) for (const one of [unlisted, settled]) one.inc({ provider }, 0)
  for (const result of ['delivered', 'waiting', 'exhausted', 'lease-lost']) tries.inc({ result }, 0)
  for (const state of Object.keys(STATES))
    for (const mode of ['live', 'sandbox']) states.inc({ state, mode }, 0)
}

/** While the database is away, its values are absent: old ones would hide the outage. */
async function readDatabase(ctx: Ctx, instruments: MetricInstruments, readQueues: ReadQueues): Promise<void> {
  const { dueRows, dueAge, webhooksReady, webhookLag: lag, troubles, databaseUp } = instruments
  const now = ctx.clock.now()
  for (const one of [dueRows, dueAge, troubles]) one.reset()
  resetSettlements(instruments)
  // A reset would show 0.
  for (const one of [webhooksReady, lag]) one.remove()
  try {
    const [queues, webhooks, profiles] = await Promise.all([
      readQueues(ctx.db, now),
      webhookLag(ctx.db, now),
      profilesInTrouble(ctx.db),
      readSettlements(ctx, instruments, now),
    ])
    for (const { job, depth, oldest } of queues) {
      dueRows.set({ queue: job }, depth)
      dueAge.set({ queue: job }, oldest ? secondsSince(oldest, now) : 0)
    }
    webhooksReady.set(webhooks?.ready ?? 0)
    lag.set(Math.max(0, (webhooks?.lagMs ?? 0) / SECOND))
    for (const { provider } of profiles) troubles.inc({ provider })
    databaseUp.set(1)
  } catch (error) {
    databaseUp.set(0)
    ctx.log.warn('metrics.database_away', errorData(error))
  }
}

function resetSettlements({ exceptions, exceptionAge, sourcesFailing, sourceLag }: MetricInstruments): void {
  for (const one of [exceptions, exceptionAge]) one.reset()
  for (const one of [sourcesFailing, sourceLag]) one.reset()
}

/** Kinds and providers without any are 0, so that every series exists. */
async function readSettlements(
  { db, providers }: Ctx,
  { exceptions, exceptionAge, sourcesFailing, sourceLag }: MetricInstruments,
  now: Date,
): Promise<void> {
  const health = await settlementHealth(db, now)
  for (const kind of EXCEPTION_KINDS)
    for (const one of [exceptions, exceptionAge]) one.set({ kind, mode: 'live' }, 0)
  for (const provider of providers.keys())
    for (const one of [sourcesFailing, sourceLag]) one.set({ provider, mode: 'live' }, 0)
  for (const { kind, mode, open, oldestSeconds } of health.exceptions) {
    exceptions.set({ kind, mode }, open)
    exceptionAge.set({ kind, mode }, Math.max(0, oldestSeconds))
  }
  for (const { provider, mode, failing, lagSeconds } of health.sources) {
    sourcesFailing.set({ provider, mode }, failing)
    sourceLag.set({ provider, mode }, Math.max(0, lagSeconds))
  }
}

const secondsSince = (time: Date, now: Date): number => Math.max(0, (now.getTime() - time.getTime()) / SECOND)

function setLoad(instruments: MetricInstruments, { most, open, idle, waiting, lanes }: DatabaseLoad): void {
  const { connections, mostConnections, waiters, batches, batchInputs, batchWaiting } = instruments
  mostConnections.set(most)
  connections.set({ state: 'idle' }, idle)
  connections.set({ state: 'used' }, open - idle)
  waiters.set(waiting)
  // The lanes count since the start, so the counters are set anew.
  batches.reset()
  batchInputs.reset()
  for (const lane of lanes) {
    const { statement } = lane
    batches.inc({ statement }, lane.batches)
    batchInputs.inc({ statement }, lane.inputs)
    batchWaiting.set({ statement }, lane.waiting)
  }
}
