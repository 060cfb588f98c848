import { type Bench, type Figure, quantile, sorted } from './bench.ts'
import type { LoadApp } from './load/plan.ts'
import type { Usage } from './processes.ts'
import { type BenchApp, pause, type Rig } from './rig.ts'

const SHOPS = 10
const QUEUED = 50_000
const ONE_SHOP = 10_000
const RATE = 300
const RATE_SECONDS = 20

/** Webhook delivery: throughput and CPU time of a backlog, and the lag of single webhooks. */
export const webhooks: Bench = {
  name: 'webhooks',
  async run(rig, say) {
    const apps = await Promise.all(Array.from({ length: SHOPS }, () => shopOf(rig)))
    const body = await typicalBody(rig, apps[0])
    await lag(rig, apps, 3)
    await rig.receiver.reset()
    await pause(2_000)
    say(`${RATE} payments a second for ${RATE_SECONDS} s, to ${SHOPS} shops`)
    const lags = await lag(rig, apps, RATE_SECONDS)
    say(`draining ${QUEUED} queued webhooks of ${SHOPS} shops`)
    const many = await drain(rig, apps, { count: QUEUED, body })
    say(`draining ${ONE_SHOP} queued webhooks of one shop`)
    const one = await drain(rig, apps.slice(0, 1), { count: ONE_SHOP, body })
    return [
      ...lagFigures(lags),
      ...drainFigures(many, `${SHOPS} shops`, 1_500),
      ...drainFigures(one, 'one shop'),
    ]
  },
}

async function shopOf(rig: Rig): Promise<BenchApp> {
  const app = await rig.newApp()
  await app.call('PATCH', '', { paymentWebhookUrl: rig.receiver.url })
  return app
}

let references = 0

async function create(app: BenchApp): Promise<void> {
  const { status, text } = await app.call('POST', '/payments/hosted-page', {
    referenceId: `bench-${++references}`,
    amount: 25.5,
    currency: 'EUR',
    returnUrl: 'https://shop.example/back',
    autoCapture: true,
    showPayRecurringInCheckout: false,
    customerOrder: { customer: { customerId: `customer-${references % 1_000}` } },
  })
  if (status !== 201) throw new Error(`${status}: ${text}`)
}

/** The body of a real webhook. */
async function typicalBody(rig: Rig, app: BenchApp | undefined): Promise<string> {
  if (app) await create(app)
  const { rows } = await rig.db.query<{ body: string }>('select body from events limit 1')
  return rows[0]?.body ?? '{}'
}

interface Lags {
  readonly lagsMs: readonly number[]
  readonly sent: number
  readonly seconds: number
}

async function lag(rig: Rig, apps: readonly BenchApp[], seconds: number): Promise<Lags> {
  await rig.receiver.reset()
  const start = performance.now()
  const sent: Promise<void>[] = []
  while (performance.now() - start < seconds * 1_000) {
    const due = Math.floor(((performance.now() - start) / 1_000) * RATE)
    while (sent.length < due) sent.push(create(apps[sent.length % apps.length] as BenchApp))
    await pause(1)
  }
  await Promise.all(sent)
  await arrived(rig, sent.length)
  const { lagsMs } = await rig.receiver.report()
  return { lagsMs: sorted(lagsMs), sent: sent.length, seconds }
}

async function arrived(rig: Rig, count: number): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    if ((await rig.receiver.report()).distinct >= count) return
    if (waited > 180_000) throw new Error('the webhooks did not arrive')
    await pause(50)
  }
}

const lagFigures = ({ lagsMs }: Lags): Figure[] => {
  const p50 = quantile(lagsMs, 0.5)
  const p99 = quantile(lagsMs, 0.99)
  return [
    {
      what: `lag at ${RATE}/s, from before the commit to receipt, p50`,
      value: `${p50.toFixed(1)} ms`,
      target: '< 50 ms',
      ok: p50 < 50,
      numbers: { p50, p99, count: lagsMs.length },
    },
    { what: `lag at ${RATE}/s, p99`, value: `${p99.toFixed(1)} ms`, numbers: { p99 } },
  ]
}

interface Drained {
  readonly count: number
  readonly perSecond: number
  readonly duplicates: number
  readonly idleRssMb: number
  readonly mostRssMb: number
  readonly cpuUs: Record<string, number>
}

/** Inserts events without payments: only their deliveries matter here. */
export async function drain(
  rig: Rig,
  apps: readonly LoadApp[],
  { count, body }: { count: number; body: string },
): Promise<Drained> {
  await rig.receiver.reset()
  await pause(1_000)
  const idleRssMb = rig.usage().service.rssMb
  const before = rig.usage()
  await queue(rig, apps, { count, body })
  let mostRssMb = idleRssMb
  let report = await rig.receiver.report()
  while (report.distinct < count) {
    mostRssMb = Math.max(mostRssMb, rig.usage().service.rssMb)
    await pause(200)
    report = await rig.receiver.report()
  }
  await pause(500)
  const after = rig.usage()
  const perSecond = (count - 1) / ((report.lastMs - report.firstMs) / 1_000)
  const cpu = (used: Usage, was: Usage) => Math.round(((used.cpuMs - was.cpuMs) * 1_000) / count)
  return {
    count,
    perSecond,
    duplicates: report.count - report.distinct,
    idleRssMb,
    mostRssMb,
    cpuUs: {
      service: cpu(after.service, before.service),
      postgres: cpu(after.postgres, before.postgres),
      receiver: cpu(after.receiver, before.receiver),
    },
  }
}

let nextPayment = 10_000_000_000

async function queue(
  rig: Rig,
  apps: readonly LoadApp[],
  { count, body }: { count: number; body: string },
): Promise<void> {
  const first = nextPayment
  nextPayment += count
  await rig.db.query(
    `with written as (
       insert into events (app_id, payment_id, sequence, type, state, created_time, body)
       select ($1::text[])[1 + n % cardinality($1)], $2::bigint + n, 1, 'payment.state_changed', 'Created',
         now(), $4
       from generate_series(0, $3 - 1) n returning app_id, payment_id)
     insert into deliveries (app_id, payment_id, sequence, endpoint, status, queued_time, due_time)
     select app_id, payment_id, 1, '', 'ready', now(), now() from written`,
    [apps.map(({ appId }) => appId), first, count, body],
  )
}

function drainFigures(drained: Drained, who: string, target?: number): Figure[] {
  const { perSecond, cpuUs, idleRssMb, mostRssMb } = drained
  const grown = mostRssMb - idleRssMb
  return [
    {
      what: `deliveries, ${drained.count} queued, ${who}`,
      value: `${Math.round(perSecond)}/s`,
      ...(target ? { target: `≥ ${target}/s`, ok: perSecond >= target } : {}),
      numbers: { perSecond, duplicates: drained.duplicates },
    },
    {
      what: `CPU for each, ${who}: service, PostgreSQL, receiver`,
      value: `${cpuUs.service}, ${cpuUs.postgres}, ${cpuUs.receiver} µs`,
      numbers: cpuUs,
    },
    {
      what: `RSS of the service, ${who}: idle, most`,
      value: `${Math.round(idleRssMb)}, ${Math.round(mostRssMb)} MB`,
      target: '< 100 MB more',
      ok: grown < 100,
      numbers: { idleRssMb, mostRssMb },
    },
  ]
}
