import { createHash } from 'node:crypto'
import { DAY } from '../../../src/base/clock.ts'
import { type Bench, type Figure, quantile, sorted } from '../bench.ts'
import { measured } from '../console/console.ts'
import { measureLife, shopsOf } from '../life.ts'
import type { LoadApp } from '../load/plan.ts'
import { cpuFigure, rate } from '../measure.ts'
import { type BenchApp, pause, type Rig } from '../rig.ts'
import { fillSettled, REFUND_EVERY } from './fill.ts'

const LINES = Number(process.env.BENCH_SETTLEMENT_LINES ?? 1_000_000)
const TARGET_SECONDS = 60
const MAX_TIMES = 2
const PAGE_MS = 100
/** Lines of one file, and of one payout. */
const FILE_LINES = 10_000
/** Files that are imported without payments beside, for the CPU time of a line. */
const ALONE_FILES = Math.max(1, Math.min(10, Math.floor(LINES / FILE_LINES / 4)))
/** Each of so many lines belongs to a payment that was made elsewhere. */
const FOREIGN_EVERY = 1_000
const APPS = 24
const WARMING_SECONDS = 10
const SECONDS = 8

/** Settlement lines that are imported and matched while payments go on, their ledger, and their lists. */
export const settlements: Bench = {
  name: 'settlements',
  onlyByName: true,
  bankApart: true,
  async run(rig, say) {
    const app = await rig.newApp()
    const profileId = await profileOf(rig, app)
    await fillSettled(rig, { appId: app.appId, profileId, count: LINES, say })
    const captures = await bookCaptures(rig, app, say)
    const shops = await shopsOf(rig, APPS)
    const post = (file: number) => importFile(rig, app, profileId, file)
    const alone = await importAlone(rig, post)
    say(`${ALONE_FILES} files alone: ${rate(alone.perSecond)}`)
    const figures = [...captures, ...alone.figures, ...(await importBeside(rig, shops, { post, say }))]
    return [...figures, ...(await booked(rig, app)), ...(await pages(rig, app))]
  },
}

async function profileOf(rig: Rig, { appId }: BenchApp): Promise<string> {
  const { rows } = await rig.db.query<{ profile_id: string }>(
    'select min(profile_id) as profile_id from payment_profiles where app_id = $1',
    [appId],
  )
  return rows[0]?.profile_id ?? ''
}

const HEAD = 'line_id,kind,provider_ids,reference,gross,fee,net,currency,time,payout_id\n'

/** The sales of a range of payments, some with a refund, in one payout. */
function fileOf(file: number): string {
  const payout = `po_${file}`
  const time = new Date(Date.now() - 2 * DAY - (LINES / FILE_LINES - file) * 1_000).toISOString()
  let sum = 0
  const line = (id: string, kind: string, key: string, [gross, fee]: readonly [number, number]) => {
    sum += gross - fee
    return `${id},${kind},${key},,${gross / 100},${fee / 100},${(gross - fee) / 100},EUR,${time},${payout}\n`
  }
  const rows = Array.from({ length: FILE_LINES }, (_, place) => {
    const n = file * FILE_LINES + place
    const amount = 1_000 + ((n * 7_919) % 50_000)
    if (n % FOREIGN_EVERY === 1) return line(`ln_${n}`, 'sale', `pay_elsewhere${n}`, [amount, 30])
    // Every refund takes the place of the sale of another payment, so that a file has as many lines.
    if (n % REFUND_EVERY === 2) return line(`ln_${n}`, 'refund', `REFUND${n - 2}`, [-100, 0])
    return line(`ln_${n}`, 'sale', `pay_${md5(n)}`, [amount, 30])
  })
  return `${HEAD}${rows.join('')}${payout},payout,,,${-sum / 100},0,${-sum / 100},EUR,${time},${payout}\n`
}

const md5 = (n: number): string => createHash('md5').update(String(n)).digest('hex')

async function importFile(
  rig: Rig,
  { appId, apiKey }: BenchApp,
  profileId: string,
  file: number,
): Promise<void> {
  const reply = await fetch(`${rig.url}/api/apps/${appId}/settlement-reports?paymentProfileId=${profileId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'text/csv' },
    body: fileOf(file),
  })
  const text = await reply.text()
  const { lines } = reply.status === 201 ? JSON.parse(text) : { lines: 0 }
  if (lines !== FILE_LINES + 1) throw new Error(`file ${file}: ${reply.status} ${text.slice(0, 300)}`)
}

type Post = (file: number) => Promise<void>

async function importAlone(rig: Rig, post: Post) {
  const before = rig.usage()
  const beganMs = performance.now()
  for (let file = 0; file < ALONE_FILES; file++) await post(file)
  const seconds = (performance.now() - beganMs) / 1_000
  const after = rig.usage()
  const lines = ALONE_FILES * FILE_LINES
  const us = (share: 'service' | 'postgres') => ((after[share].cpuMs - before[share].cpuMs) * 1_000) / lines
  const cpuUs = { service: us('service'), postgres: us('postgres'), bank: 0, receiver: 0, load: 0 }
  const perSecond = lines / seconds
  const figures: Figure[] = [
    { what: 'lines imported and matched, alone', value: rate(perSecond), numbers: { perSecond } },
    cpuFigure({ perSecond, cpuUs, logBytes: 0 }, 'CPU for each, with the ledger beside'),
  ]
  return { perSecond, figures }
}

interface Beside {
  readonly post: Post
  readonly say: (text: string) => void
}

/** The rest of the files, while payments are made at half of the rate that is possible without. */
async function importBeside(rig: Rig, shops: readonly LoadApp[], { post, say }: Beside): Promise<Figure[]> {
  await measureLife(rig, shops, { seconds: WARMING_SECONDS })
  const full = await measureLife(rig, shops, { seconds: SECONDS })
  const perSecond = full.perSecond / 2
  const quiet = await measureLife(rig, shops, { seconds: SECONDS, perSecond })
  say(`payments alone at ${rate(perSecond)}`)
  let isOver = false
  const beganMs = performance.now()
  const importing = (async () => {
    for (let file = ALONE_FILES; file < LINES / FILE_LINES; file++) await post(file)
    return performance.now() - beganMs
  })().finally(() => {
    isOver = true
  })
  importing.catch(() => {})
  const tookMs: number[] = []
  while (!isOver) tookMs.push(...(await rig.load(loadOf(shops, perSecond, tookMs.length))).tookMs)
  const lines = LINES - ALONE_FILES * FILE_LINES
  const seconds = ((await importing) / 1_000) * (LINES / lines)
  const [own, beside] = [quantile(sorted(quiet.tookMs), 0.99), quantile(sorted(tookMs), 0.99)]
  return [
    {
      what: `${LINES.toLocaleString('en')} lines matched, payments at half rate (${rate(perSecond)})`,
      value: `${seconds.toFixed(1)} s`,
      target: `≤ ${(TARGET_SECONDS * LINES) / 1_000_000} s`,
      ok: seconds <= (TARGET_SECONDS * LINES) / 1_000_000,
      numbers: { seconds, lines: LINES },
    },
    {
      what: 'payments beside them, p99, and ÷ p99 alone',
      value: `${beside.toFixed(1)} ms, ${(beside / own).toFixed(2)}`,
      target: `≤ ${MAX_TIMES}`,
      ok: beside / own <= MAX_TIMES,
      numbers: { own, beside },
    },
  ]
}

/** References that `measureLife` does not use. */
let from = 500_000_000
function loadOf(apps: readonly LoadApp[], perSecond: number, made: number) {
  from += made + 10_000 * apps.length
  return { scenario: 'life', apps, connections: 64, seconds: SECONDS, perSecond, from } as const
}

/** Captures are booked while payments are made, days before their lines come. */
async function bookCaptures(rig: Rig, { appId }: BenchApp, say: (text: string) => void): Promise<Figure[]> {
  await rig.db.query(
    `insert into ledger_progress (app_id, event_time, late_event_time, due_time)
     values ($1, 'epoch', now(), now()) on conflict do nothing`,
    [appId],
  )
  say('captures are booked')
  return await booking(rig, 'captures booked in the ledger', async () => {
    const { rows } = await rig.db.query<{ at: string }>(
      'select count(*) as at from ledger_payments where app_id = $1',
      [appId],
    )
    return { at: Number(rows[0]?.at), last: LINES }
  })
}

/** The ledger's job goes on until everything is booked. */
const booked = (rig: Rig, { appId }: BenchApp): Promise<Figure[]> =>
  booking(rig, 'lines booked in the ledger', async () => {
    const { rows } = await rig.db.query<{ at: string; last: string }>(
      `select (select line_id from ledger_progress where app_id = $1) as at,
         (select max(line_id) from settlement_lines where app_id = $1) as last`,
      [appId],
    )
    return { at: Number(rows[0]?.at ?? 0), last: Number(rows[0]?.last) }
  })

/** Waits until `read` is at its last, and says how fast that was. */
async function booking(
  rig: Rig,
  what: string,
  read: () => Promise<{ readonly at: number; readonly last: number }>,
): Promise<Figure[]> {
  const first = await read()
  const [beganMs, before] = [performance.now(), rig.usage()]
  let now = first
  while (now.at < now.last) {
    await pause(250)
    now = await read()
  }
  const count = now.at - first.at
  if (count === 0) return []
  const perSecond = (count * 1_000) / (performance.now() - beganMs)
  const after = rig.usage()
  const us = (share: 'service' | 'postgres') => ((after[share].cpuMs - before[share].cpuMs) * 1_000) / count
  const cpuUs = { service: us('service'), postgres: us('postgres'), bank: 0, receiver: 0, load: 0 }
  return [
    { what, value: rate(perSecond), numbers: { perSecond, count } },
    cpuFigure({ perSecond, cpuUs, logBytes: 0 }, 'CPU for each'),
  ]
}

const LISTS: Readonly<Record<string, string>> = {
  'page of lines': 'settlement-lines?pageSize=100',
  'page of refunds': 'settlement-lines?pageSize=100&kind=refund',
  'page of lines without a payment': 'settlement-lines?pageSize=100&match=none',
  'page of payouts': 'payouts?pageSize=100',
  'page of exceptions': 'settlement-exceptions?pageSize=100',
  'page of open unknown lines': 'settlement-exceptions?pageSize=100&state=open&kind=unknown',
  balances: 'ledger/balances',
}

async function pages(rig: Rig, app: BenchApp): Promise<Figure[]> {
  const { rows } = await rig.db.query<{ payout_id: string }>(
    'select payout_id from payouts where app_id = $1 order by payout_id limit 100',
    [app.appId],
  )
  const get = async (path: string) => {
    const { status, text } = await app.call('GET', `/${path}`)
    if (status !== 200 || text === '[]') throw new Error(`${path}: ${status} ${text.slice(0, 200)}`)
  }
  // A read books what is left of the events of before, a part at a time.
  while (!JSON.parse((await app.call('GET', '/ledger/balances')).text).isComplete) await pause(100)
  const figures: Figure[] = []
  for (const [what, path] of Object.entries(LISTS))
    figures.push(await measured(what, PAGE_MS, () => get(path), rig.usage))
  const payoutOf = (turn: number) => rows[turn % rows.length]?.payout_id
  return [
    ...figures,
    await measured('a payout', PAGE_MS, (turn) => get(`payouts/${payoutOf(turn)}`)),
    await measured('refunds of a payout', PAGE_MS, (turn) =>
      get(`settlement-lines?payoutId=${payoutOf(turn)}&kind=refund`),
    ),
    await measured('lines of a payout', PAGE_MS, (turn) =>
      get(`settlement-lines?payoutId=${payoutOf(turn)}`),
    ),
  ]
}
