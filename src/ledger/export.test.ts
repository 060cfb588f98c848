import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiWorld } from '../../test/support/api.ts'
import { ledgerRows, type TestLine } from '../../test/support/ledger.ts'
import { auditEntries } from '../audit/audit.ts'
import { DAY, HOUR, SECOND } from '../base/clock.ts'
import { currencyDigits } from '../base/currencies.ts'
import { decimalText } from '../base/money.ts'
import { DatabaseAwayError } from '../db/database.ts'
import { loadApp } from '../merchants/directory.ts'
import type { LineKind } from '../providers/settlement.ts'
import { journalText } from './export.ts'
import { ledgerRoutes } from './routes.ts'

const world = apiWorld((ctx) => ledgerRoutes(ctx))

const ODD_NAME = 'Zahlung "GmbH" \\ ; 支付 | $1 {x} *, type:Z, date:x\n2026-01-01 open'

function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const rowsOf = () => ledgerRows(world.ctx.db, world.sandbox.appId)
let profileId: number
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tender-ledger-'))
  const app = await loadApp(world.ctx, world.sandbox.appId)
  profileId = app?.profiles[0]?.profileId ?? 0
  await rowsOf().query(
    'update payment_profiles set name = $1 where app_id = $2 and profile_id = $3',
    ...[ODD_NAME, world.sandbox.appId, profileId],
  )
  await book()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const LINES: readonly (readonly [LineKind, bigint, bigint, string | undefined])[] = [
  ['sale', 100_000n, 2_930n, undefined],
  ['sale', 999_999_999_999n, 1n, undefined],
  ['refund', -40_001n, 0n, undefined],
  ['dispute', -60_000n, 1_500n, undefined],
  ['dispute-reversal', 60_000n, 0n, undefined],
  ['fee', 0n, 777n, undefined],
  ['reserve', -10_000n, 0n, undefined],
  ['reserve', 4_000n, 0n, undefined],
  ['adjustment', -2_000_000_000_000n, 0n, undefined],
  ['sale', 5_000n, 100n, 'USD'],
]

/** Three currencies with 0, 2 and 3 decimals, and one that is only settled in; some balances are negative. */
async function book(): Promise<void> {
  const { clock } = world.ctx
  const rows = rowsOf()
  let paymentId = 0
  for (const currency of ['JPY', 'EUR', 'KWD'])
    for (const [kind, gross, fee, settlementCurrency] of LINES) {
      paymentId += 1
      clock.advance(5 * HOUR)
      const time = clock.now()
      const at = { profileId, currency, time }
      const captured = gross > 0n && kind === 'sale' ? gross : 0n
      const payment = { ...at, paymentId, sequence: 1, captured, returned: 0n, disputes: [] }
      await rows.payment(payment, time)
      await rows.event(payment, time)
      const line: TestLine = { ...at, kind, gross, fee, net: gross - fee, paymentId }
      await rows.line(settlementCurrency ? { ...line, settlementCurrency } : line)
      if (paymentId % 3 === 0) await rows.payout({ ...at, amount: gross / 7n, bankReference: '=cmd|x' })
    }
  const at = { profileId, time: clock.now() }
  const payoutId = await rows.payout({ ...at, currency: 'USD', amount: 52n, bankReference: '=cmd|x' })
  const arrived = { fee: 3n, net: 52n, settlementCurrency: 'USD', rate: '1.1' }
  await rows.line({ ...at, currency: 'EUR', gross: 50n, ...arrived, providerLineId: '-2+3', payoutId })
  clock.advance(SECOND)
}

/** More entries than two pages have, of which 1,300 have postings. */
async function fillLive(): Promise<void> {
  const { db } = world.ctx
  await db.transaction(async (tx) => {
    const values = [world.live.appId]
    const entries = `
      insert into ledger_entries (app_id, entry_id, entry_key, booking_day, occurred_time, kind)
      select $1, n, 'x' || n, date '2026-02-01' + n % 7, '2026-02-01', 'line'
      from generate_series(1, 2500) n on conflict do nothing`
    await tx.query({ name: '', text: entries }, values)
    const postings = `insert into ledger_postings (app_id, entry_id, place, account, currency, amount_minor)
      select $1, n, p, case p when 0 then 'bank' else 'sales' end, 'EUR', case p when 0 then n else -n end
      from generate_series(1, 2500) n, generate_series(0, 1) p where n > 1200
      on conflict do nothing`
    await tx.query({ name: '', text: postings }, values)
  })
}

interface StoredLine {
  readonly lineId: number
  readonly time: Date
  readonly payoutId: number | null
  readonly providerPayoutId: string | null
}

const linesOf = (condition: string) =>
  rowsOf().query<StoredLine>(
    `select line_id, line_time as time, l.payout_id, provider_payout_id
     from settlement_lines l left join settlement_matches m using (app_id, line_id)
       left join payouts p on p.app_id = l.app_id and p.payout_id = l.payout_id
     where l.app_id = $1 and ${condition}`,
    world.sandbox.appId,
  )

const exported = async (query: string) => {
  const answer = await world.ask('GET', `/ledger/journal?${query}`)
  expect(answer.status).toBe(200)
  return answer
}

async function written(format: 'hledger' | 'beancount', query = ''): Promise<string> {
  const file = join(folder, `${format}${query.replace(/\W/g, '')}`)
  await writeFile(file, (await exported(`format=${format}${query}`)).text)
  return file
}

interface Balance {
  readonly account: string
  readonly name: string
  readonly currency: string
  readonly balance: number
}

async function balances(query = ''): Promise<Balance[]> {
  return (await world.ask('GET', `/ledger/balances${query}`)).json.balances
}

/** `assets:clearing:1:EUR EUR` → `12.30`, without accounts at zero. */
const expected = (shown: readonly Balance[]) =>
  Object.fromEntries(
    shown
      .filter(({ balance }) => balance !== 0)
      .map(({ name, currency, balance }) => [
        `${name} ${currency}`,
        balance.toFixed(currencyDigits(currency)),
      ])
      .sort(),
  )

describe.runIf(hasProgram('hledger'))('hledger', () => {
  const hledger = (file: string, ...more: readonly string[]) =>
    execFileSync('hledger', ['-f', file, ...more], { encoding: 'utf8' })

  const shown = (file: string, ...more: readonly string[]) =>
    Object.fromEntries(
      hledger(file, 'balance', '--flat', '--no-total', '-O', 'csv', '--layout=bare', ...more)
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.slice(1, -1).split('","'))
        .map(([account, currency, balance]) => [`${account} ${currency}`, balance ?? ''] as const)
        .sort(),
    )

  it('accepts the journal, strictly', async () => {
    const file = await written('hledger')
    hledger(file, 'check', '--strict', 'ordereddates')
  })

  it('has the same balances to the cent, with 0, 2 and 3 decimals, also negative ones', async () => {
    const file = await written('hledger')
    const all = await balances('?date=2999-12-31')
    expect(all.length).toBeGreaterThan(20)
    expect(all.some(({ account, balance }) => account === 'clearing' && balance < 0)).toBe(true)
    expect(shown(file)).toEqual(expected(all))
    expect(shown(file, '-e', '2026-01-04')).toEqual(expected(await balances('?date=2026-01-03')))
  })

  it('rejects a journal with a wrong amount', async () => {
    const file = await written('hledger')
    const { text } = await exported('format=hledger')
    await writeFile(file, text.replace(/^( .*\d) EUR$/m, '$19 EUR'))
    expect(() => execFileSync('hledger', ['-f', file, 'check'], { stdio: 'ignore' })).toThrow()
  })
})

describe.runIf(hasProgram('bean-check'))('beancount', () => {
  const check = (file: string) => execFileSync('bean-check', [file], { encoding: 'utf8' })

  it.each(['', '&from=2026-01-03&to=2026-01-04'])('accepts the journal%s', async (range) => {
    expect(check(await written('beancount', range))).toBe('')
  })

  it('rejects a journal with a wrong amount', async () => {
    const file = await written('beancount')
    const { text } = await exported('format=beancount')
    await writeFile(file, text.replace(/^( .*\d) EUR$/m, '$19 EUR'))
    expect(() => execFileSync('bean-check', [file], { stdio: 'ignore' })).toThrow()
  })
})

describe('an export', () => {
  it.each(['csv', 'hledger', 'beancount'])('as %s is the same bytes each time', async (format) => {
    const first = await exported(`format=${format}`)
    world.ctx.clock.advance(DAY)
    const second = await exported(`format=${format}`)
    expect(second.text).toBe(first.text)
    expect(first.text.length).toBeGreaterThan(1_000)
  })

  it('as CSV has every posting with its sign, and sums to zero in each currency', async () => {
    const { text, headers } = await exported('')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const [, ...lines] = text.trimEnd().split('\r\n')
    const sums = new Map<string, bigint>()
    for (const cells of lines.map((line) => line.split(','))) {
      const [amount = '', currency = ''] = cells.slice(-2)
      sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount.replace('.', '')))
    }
    expect(Object.fromEntries(sums)).toEqual({ EUR: 0n, JPY: 0n, KWD: 0n, USD: 0n })
    const [count] = await rowsOf().query<{ count: number }>(
      'select count(*)::integer as count from ledger_postings where app_id = $1',
      world.sandbox.appId,
    )
    expect(lines).toHaveLength(count?.count ?? 0)
  })

  it('as CSV has these columns, in this order', async () => {
    const { text } = await exported('')
    const [head, ...lines] = text.replace('\ufeff', '').trimEnd().split('\r\n')
    expect(head).toBe(
      'entryId,bookingDay,time,kind,lineKind,paymentId,lineId,payoutId,lateFor,' +
        'account,paymentProfileId,name,amount,currency',
    )
    const [line] = await linesOf('payment_id = 1')
    const clearing = `clearing,${profileId},assets:clearing:${profileId}:JPY,-2930,JPY`
    const day = line?.time.toISOString().slice(0, 10)
    expect(lines.map((row) => row.replace(/^\d+/, 'N'))).toContain(
      `N,${day},${line?.time.toISOString()},line,sale,1,${line?.lineId},,,${clearing}`,
    )
    const [paid] = await linesOf("provider_line_id = '-2+3'")
    expect(lines.find((row) => row.includes(',bank,') && row.endsWith(',USD'))).toMatch(
      RegExp(`,payout,,,,${paid?.payoutId},,bank,,assets:bank-in-transit,0.52,USD$`),
    )
  })

  it('of some days has their entries only', async () => {
    const { text } = await exported('from=2026-01-03&to=2026-01-03')
    const days = new Set(
      text
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[1]),
    )
    expect([...days]).toEqual(['2026-01-03'])
  })

  it('of settlement lines is one table, in which no cell is a formula', async () => {
    const answer = await world.ask('GET', '/ledger/settlements')
    const [head, ...lines] = answer.text.replace('\ufeff', '').trimEnd().split('\r\n')
    expect(head).toBe(
      'id,orderId,processor,transactionType,direction,processorTransactionId,amount,currency,date,kind,' +
        'paymentId,referenceId,match,paymentProfileId,providerLineId,gross,grossCurrency,fee,net,' +
        'settlementCurrency,rate,payoutId,providerPayoutId,bankReference',
    )
    expect(lines).toHaveLength(3 * LINES.length + 1)
    const [first] = await linesOf('payment_id = 1')
    const ofPayment = `sale,1,ref-1,exact,${profileId},line-1,100000,JPY,2930,97070,JPY,,,,`
    expect(lines[0]).toBe(
      `${first?.lineId},'=1+1,sandbox,SALE,CREDIT,line-1,97070,JPY,${first?.time.toISOString()},${ofPayment}`,
    )
    const [last] = await linesOf("provider_line_id = '-2+3'")
    const converted = `${profileId},'-2+3,0.50,EUR,0.03,0.52,USD,1.1,${last?.payoutId}`
    expect(lines.at(-1)).toBe(
      `${last?.lineId},,sandbox,SALE,CREDIT,'-2+3,0.52,USD,${last?.time.toISOString()},` +
        `sale,,,none,${converted},${last?.providerPayoutId},'=cmd|x`,
    )
    expect(answer.text).not.toMatch(/(^|,)=/m)
    const refund = lines.find((line) => line.includes(',REFUND,'))
    expect(refund).toContain(`,DEBIT,`)
    expect(refund).toContain(decimalText(-40_001n, 'JPY'))
  })

  it('reads more entries than a page has', async () => {
    await fillLive()
    const answer = await world.api.ask('GET', `/api/apps/${world.live.appId}/ledger/journal`, {
      key: world.live.apiKey,
    })
    const ids = answer.text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.split(',')[0]))
    expect(new Set(ids).size).toBe(1_300)
    expect(ids).toHaveLength(2_600)
  })

  it('goes on when the database is away for a moment, and gives up when it stays away', async () => {
    await fillLive()
    const app = await loadApp(world.ctx, world.live.appId)
    if (!app) throw new Error('a licence has a live app')
    const range = { from: '2026-01-01', to: '2999-12-31' }
    const textOf = async (failures: number) => {
      let [reads, left] = [0, failures]
      const query: typeof world.ctx.db.query = (statement, values) => {
        if (statement.name === 'ledger.journal' && ++reads > 1 && left-- > 0)
          throw new DatabaseAwayError('the database does not answer')
        return world.ctx.db.query(statement, values)
      }
      const clock = { ...world.ctx.clock, sleep: async () => {} }
      const db = { ...world.ctx.db, query }
      let text = ''
      for await (const piece of journalText({ db, clock }, app, range, 'csv')) text += piece
      return text
    }
    const whole = await textOf(0)
    expect(whole.split('\r\n').length).toBeGreaterThan(2_600)
    expect(await textOf(3)).toBe(whole)
    await expect(textOf(100)).rejects.toThrow('does not answer')
  })

  it('is in the audit log', async () => {
    await exported('format=hledger&to=2026-02-01')
    const app = await loadApp(world.ctx, world.sandbox.appId)
    const [entry] = await auditEntries(world.ctx, app?.licenseId ?? '', { limit: 1 })
    expect(entry).toMatchObject({
      action: 'ledger.exported',
      target: 'ledger:journal',
      after: { format: 'hledger', from: '1970-01-01', to: '2026-02-01' },
    })
  })
})

describe('a request', () => {
  beforeEach(() => world.ctx.clock.advance(SECOND))

  it.each([
    '/ledger/balances?date=2026-02-30',
    '/ledger/balances?date=yesterday',
    '/ledger/balances?date=0001-01-01',
    '/ledger/journal?format=pdf',
    '/ledger/journal?from=2026-02-01&to=2026-01-01',
    '/ledger/settlements?from=1',
  ])('that is wrong is refused: %s', async (path) => {
    expect(await world.ask('GET', path)).toMatchObject({ status: 400, json: { code: 'invalid_request' } })
  })

  it('closes a month once, and the audit log has it', async () => {
    const close = (month: string) => world.ask('POST', `/ledger/months/${month}/close`)
    expect((await close('2025-13')).status).toBe(400)
    expect((await close('2099-01')).status).toBe(422)
    const first = await close('2025-12')
    expect(first).toMatchObject({ status: 200, json: { month: '2025-12' } })
    world.ctx.clock.advance(HOUR)
    expect((await close('2025-12')).json).toEqual(first.json)
    expect((await world.ask('GET', '/ledger/months')).json).toEqual([first.json])
    const app = await loadApp(world.ctx, world.sandbox.appId)
    const entries = await auditEntries(world.ctx, app?.licenseId ?? '', {
      limit: 10,
      action: 'ledger.month-closed',
    })
    expect(entries.map(({ target }) => target)).toEqual(['month:2025-12'])
  })

  it('has the closed month of what came late in each format', async () => {
    const time = new Date('2025-12-24T12:00:00Z')
    const late = { kind: 'fee', fee: 5n, net: -5n, providerLineId: 'late' } as const
    const lineId = await rowsOf().line({ profileId, currency: 'EUR', ...late, time })
    world.ctx.clock.advance(SECOND)
    expect((await exported('')).text).toContain(`,line,fee,,${lineId},,2025-12,clearing,`)
    expect((await exported('format=hledger')).text).toContain(`line:${lineId}, late-for:2025-12\n`)
    expect((await exported('format=beancount')).text).toContain(`  line: ${lineId}\n  late-for: "2025-12"\n`)
  })
})
