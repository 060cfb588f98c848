import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Bench, type Figure, quantile, sorted } from '../bench.ts'
import type { Noise, NoiseKind } from '../noise.ts'
import { type BenchApp, pause, type Rig } from '../rig.ts'
import { HEALTHY_NAME } from './names.ts'

/** Payments that the healthy shop creates per second; it reads as many. */
const RATE = 20
const SECONDS = 12
/** A webhook that has not arrived by then counts with this lag. */
const LATEST_MS = 30_000
/** A row may be this slow, or twice as slow as without noise. */
const ALWAYS_FINE_MS = 250
const MAX_TIMES = 2

/** Load of the other merchant; hanging webhooks are last, because they continue after their row. */
const ROWS: readonly (readonly [kind: NoiseKind, what: string])[] = [
  ['keys', 'endless keys and unknown ones'],
  ['events', '16 readers of giant events'],
  ['forms', 'forms of 250 KB of digits'],
  ['digits', 'bodies of 250 KB of digits'],
  ['sign-ins', 'slow password checks'],
  ['names', 'names that never resolve'],
  ['hanging', '1,100 hanging addresses'],
]

interface Healthy {
  readonly apiMs: readonly number[]
  readonly webhookMs: readonly number[]
}

/** The effect of one merchant on another: webhook lag and API latency of a healthy shop for each noise. */
export const neighbours: Bench = {
  name: 'neighbours',
  onlyByName: true,
  mustMeet: true,
  ownNames: true,
  async run(rig, say) {
    const shop = await rig.newApp()
    const { port } = new URL(rig.receiver.url)
    await shop.call('PATCH', '', { paymentWebhookUrl: `http://${HEALTHY_NAME}:${port}/hooks` })
    const noise = fork(join(rig.root, 'dist', 'bench', 'noise.js'))
    process.once('exit', () => noise.kill('SIGKILL'))
    try {
      await measured(rig, shop, 3)
      say(`a healthy shop alone, ${SECONDS} s`)
      const quiet = await measured(rig, shop, SECONDS)
      const figures: Figure[] = []
      for (const [kind, what] of ROWS) {
        say(`beside ${what}`)
        const noisy = await measureWithNoise(rig, shop, noise, kind)
        figures.push(...figuresOf(what, quiet, noisy))
      }
      return figures
    } finally {
      noise.kill('SIGKILL')
    }
  },
}

async function measureWithNoise(
  rig: Rig,
  shop: BenchApp,
  noise: ChildProcess,
  kind: NoiseKind,
): Promise<Healthy> {
  const app = await rig.newApp()
  if (kind === 'events') await giantEvents(rig, app)
  const { appId, apiKey } = app
  noise.send({ kind, url: rig.url, app: { appId, apiKey } } satisfies Noise)
  await once(noise, 'message')
  const healthy = await measured(rig, shop, SECONDS)
  const ended = once(noise, 'message')
  noise.send('stop')
  await ended
  // Remove pending webhooks, which belong to this row.
  await rig.db.query(`delete from deliveries where app_id = $1 and status <> 'delivered'`, [appId])
  await untilDelivered(rig, shop)
  return healthy
}

const MAX_WAIT_MS = 60_000

/** Waits for all webhooks of this row, so that the next row does not count them. */
async function untilDelivered({ db }: Rig, { appId }: BenchApp): Promise<void> {
  const left = `select count(*)::int as count from deliveries where app_id = $1 and status <> 'delivered'`
  for (const end = performance.now() + MAX_WAIT_MS; performance.now() < end; ) {
    const { rows } = await db.query<{ count: number }>(left, [appId])
    if (rows[0]?.count === 0) return
    await pause(200)
  }
  await db.query(`delete from deliveries where app_id = $1 and status <> 'delivered'`, [appId])
}

const ITEMS = 500
const GIANT_EVENTS = 500

/** Creates one payment of the maximum size and inserts copies of its event. */
async function giantEvents({ db }: Rig, app: BenchApp): Promise<void> {
  const items = Array.from({ length: ITEMS }, (_, n) => ({
    ...{ name: `Item ${n} `.padEnd(190, 'x'), amount: 1, quantity: 1, category: 'PhysicalGoods' },
    description: 'd'.repeat(150),
  }))
  const { status, text } = await app.call('POST', '/payments/hosted-page', {
    referenceId: 'giant',
    amount: 500,
    currency: 'EUR',
    returnUrl: 'https://shop.example/back',
    autoCapture: true,
    showPayRecurringInCheckout: false,
    customerOrder: { customer: { customerId: 'giant' }, items },
  })
  if (status !== 201) throw new Error(`${status}: ${text.slice(0, 500)}`)
  await db.query(
    `insert into events (app_id, payment_id, sequence, type, state, created_time, body)
     select app_id, 20000000000 + n, 1, type, state, created_time, body
     from events, generate_series(1, $2) n where app_id = $1`,
    [app.appId, GIANT_EVENTS],
  )
}

let references = 0

async function measured(rig: Rig, shop: BenchApp, seconds: number): Promise<Healthy> {
  await rig.receiver.reset()
  const apiMs: number[] = []
  const timed = async (work: Promise<{ status: number; text: string }>, expected: number) => {
    const start = performance.now()
    const answer = await within(LATEST_MS, work)
    const isGood = answer?.status === expected
    apiMs.push(isGood ? performance.now() - start : LATEST_MS)
    return isGood ? answer : undefined
  }
  const one = async () => {
    const made = await timed(shop.call('POST', '/payments/hosted-page', orderOf(++references)), 201)
    const paymentId = /"paymentId":(\d+)/.exec(made?.text ?? '')?.[1]
    if (paymentId) await timed(shop.call('GET', `/payments/${paymentId}`), 200)
    return paymentId !== undefined
  }
  const begun: Promise<boolean>[] = []
  const start = performance.now()
  while (performance.now() - start < seconds * 1_000) {
    const due = ((performance.now() - start) / 1_000) * RATE
    while (begun.length < due) begun.push(one())
    await pause(2)
  }
  const made = (await Promise.all(begun)).filter(Boolean).length
  return { apiMs, webhookMs: await lags(rig, made) }
}

const within = <T>(ms: number, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work.catch(() => undefined), pause(ms).then(() => undefined)])

/** The lag of each webhook; a missing one counts with the maximum. */
async function lags(rig: Rig, count: number): Promise<number[]> {
  const end = performance.now() + LATEST_MS
  for (;;) {
    const { distinct, lagsMs } = await rig.receiver.report()
    const missing = Math.max(0, count - distinct)
    if (missing === 0 || performance.now() > end)
      return [...lagsMs, ...Array.from({ length: missing }, () => LATEST_MS)]
    await pause(50)
  }
}

const orderOf = (n: number) => ({
  referenceId: `healthy-${n}`,
  amount: 25.5,
  currency: 'EUR',
  returnUrl: 'https://shop.example/back',
  autoCapture: true,
  showPayRecurringInCheckout: false,
  customerOrder: { customer: { customerId: `customer-${n % 1_000}` } },
})

const p99 = (ms: readonly number[]): number => quantile(sorted(ms), 0.99)

function figuresOf(what: string, quiet: Healthy, noisy: Healthy): Figure[] {
  const row = (name: string, quietMs: number, noisyMs: number): Figure => {
    const mostMs = Math.max(MAX_TIMES * quietMs, ALWAYS_FINE_MS)
    const ratio = noisyMs / quietMs
    return {
      what: `${name} p99 beside ${what}`,
      value: `quiet ${quietMs.toFixed(0)} ms, noisy ${noisyMs.toFixed(0)} ms, ratio ${ratio.toFixed(1)}`,
      target: `≤ ${mostMs.toFixed(0)} ms`,
      ok: noisyMs <= mostMs,
      numbers: { quietMs, noisyMs, ratio },
    }
  }
  return [
    row('webhook', p99(quiet.webhookMs), p99(noisy.webhookMs)),
    row('API', p99(quiet.apiMs), p99(noisy.apiMs)),
  ]
}
