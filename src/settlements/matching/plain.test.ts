import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testLicense } from '../../../test/support/api.ts'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { sha256 } from '../../base/secret.ts'
import { type Database, sql } from '../../db/database.ts'
import { type App, appNow, type Profile } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import type { SettledLine } from '../../providers/settlement.ts'
import { importPage } from '../reports/import.ts'
import { judgePayments } from './judging.ts'

let ctx: TestContext
let app: App
let profile: Profile
beforeAll(async () => {
  ctx = await testContext()
  const { sandbox } = await testLicense(ctx)
  const found = (await loadApp(ctx, sandbox.appId)) as App
  const [first] = found.profiles as [Profile]
  profile = { ...first, currency: 'EUR', fees: { ...first.fees, providerInitialFee: 0.3 } } as Profile
  app = { ...found, profiles: [profile] }
})
afterAll(() => ctx?.close())

const query = <Row>(text: string, ...values: readonly unknown[]): Promise<Row[]> =>
  ctx.db.query(sql<Row>('', text), values)

const oftenest = <Value>(usual: Value, ...others: Value[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, fc.constantFrom(usual, ...others))

/** The second file comes after the first has been judged. */
const lineOf = fc.record({
  file: fc.constantFrom(0, 1),
  kind: oftenest<SettledLine['kind']>('sale', 'refund', 'dispute', 'return', 'fee'),
  gross: oftenest(1000n, 1500n, 500n, -100n, 0n),
  currency: oftenest('EUR', 'USD'),
  fee: oftenest<bigint | undefined>(30n, 31n, 500n, undefined),
  net: oftenest<string | undefined>('EUR', 'USD', undefined),
  attempt: oftenest(1, 2),
  isByReference: oftenest(false, true),
  payout: oftenest<string | undefined>('po-1', 'po-2', undefined),
})
const paymentOf = fc.record({
  captured: oftenest(1000n, 1500n, 0n),
  refunded: oftenest(0n, 100n),
  currency: oftenest('EUR', 'USD'),
  attempt: oftenest(1, 2),
  isElsewhere: oftenest(false, true),
  isMissing: oftenest(false, true),
  hasDispute: oftenest(false, true),
  error: oftenest<string | null>(null, 'bank-return'),
  lines: fc.oneof(
    { weight: 2, arbitrary: fc.array(lineOf, { minLength: 1, maxLength: 1 }) },
    fc.array(lineOf, { minLength: 2, maxLength: 3 }),
  ),
})
type TestPayment = typeof paymentOf extends fc.Arbitrary<infer Value> ? Value : never

const KEYS = `insert into settlement_keys (app_id, profile_id, key, payment_id, attempt)
  select $1, $2, 'tx-' || $3::bigint || '-' || a, $3, a from generate_series(1, 2) a`

const REFUND = `insert into refunds (app_id, payment_id, refund_id, amount_minor, state, created_time)
  values ($1, $2, 'refund-' || $2::bigint, $3, 'done', $4)`

/** As a line is missed before it comes. */
const MISSING = `insert into settlement_exceptions (app_id, profile_id, kind, payment_id, subject, details,
    opened_time)
  values ($1, $2, 'missing', $3, 'payment:' || $3::bigint || ':sale', '{}', $4)`

async function addPayment(paymentId: number, payment: TestPayment): Promise<void> {
  const { captured, refunded, currency, attempt, isElsewhere, hasDispute, error } = payment
  const { isMissing } = payment
  const state = hasDispute ? 'Disputed' : 'Captured'
  const lastError = error === null ? null : JSON.stringify({ code: error })
  await query(
    `insert into payments (app_id, payment_id, version, sequence, state, flow, reference_id, payment_key,
       amount_minor, captured_minor, refunded_minor, currency, auto_capture, auto_payment, fraud_status,
       customer_id, created_time, state_time, details, profile_id, attempt, last_error)
     values ($1, $2, 1, 1, $3, 'HostedPage', 'ref-' || $2::bigint, 'key-' || $2::bigint, 9000, $4, $5, $6,
       true, 'None', 'Unknown', 'dana', $7, $7, '{}', $8, $9, $10)`,
    ...[app.appId, paymentId, state, captured, refunded < captured ? refunded : 0n, currency],
    ...[ctx.clock.now(), isElsewhere ? 987_654 : profile.profileId, attempt, lastError],
  )
  await query(KEYS, app.appId, profile.profileId, paymentId)
  if (refunded > 0n) await query(REFUND, app.appId, paymentId, refunded, ctx.clock.now())
  if (isMissing) await query(MISSING, app.appId, profile.profileId, paymentId, ctx.clock.now())
}

const linesOf = (paymentId: number, { lines }: TestPayment, file: number): SettledLine[] =>
  lines.flatMap((line, place): SettledLine[] => {
    const { kind, gross, currency, fee, net, attempt, isByReference, payout } = line
    if (line.file !== file) return []
    return [
      {
        id: `line-${paymentId}-${place}`,
        kind,
        ids: isByReference ? [] : [`tx-${paymentId}-${attempt}`],
        ...(isByReference ? { reference: `ref-${paymentId}` } : {}),
        gross: { minor: gross, currency },
        ...(fee === undefined ? {} : { fee: { minor: fee, currency: net ?? currency } }),
        ...(net === undefined ? {} : { net: { minor: gross - (fee ?? 0n), currency: net } }),
        time: appNow(ctx, app),
        ...(payout === undefined ? {} : { payout }),
        raw: '{}',
      },
    ]
  })

/** The ids of payments that were judged one by one. */
function watched(judged: Set<number>): Database {
  return {
    ...ctx.db,
    transaction: (work, opening) =>
      ctx.db.transaction((tx) => {
        return work({
          query(statement, values) {
            if (statement.name === 'settlements.readPayments')
              for (const id of (values?.[1] ?? []) as number[]) judged.add(id)
            return tx.query(statement, values)
          },
        })
      }, opening),
  }
}

const stored = async (ids: readonly number[]) => ({
  states: await query<{ paymentId: number }>(
    `select payment_id, profile_id, state, payout_id, difference_minor, due_time from settlement_states
     where app_id = $1 and payment_id = any ($2::bigint[]) order by payment_id`,
    ...[app.appId, ids],
  ),
  exceptions: await query(
    `select kind, subject, payment_id, details::text from settlement_exceptions
     where app_id = $1 and payment_id = any ($2::bigint[]) and closed_time is null
     order by kind, subject`,
    ...[app.appId, ids],
  ),
})

let nextId = 1
let files = 0

it('a plain payment has the state that judging it one by one gives', async () => {
  let plain = 0
  const mixed = async (payments: readonly TestPayment[]) => {
    const ids = payments.map(() => nextId++)
    const judged = new Set<number>()
    for (const [place, payment] of payments.entries()) await addPayment(ids[place] ?? 0, payment)
    for (const file of [0, 1]) {
      const lines = payments.flatMap((payment, place) => linesOf(ids[place] ?? 0, payment, file))
      const digest = sha256(Buffer.from(String(++files)))
      const page = { kind: 'page', lines, payouts: [], bad: [] } as const
      await importPage({ ...ctx, db: watched(judged) }, app, profile, { source: 'file', page, digest })
    }
    const settled = await stored(ids)
    plain += settled.states.filter(({ paymentId }) => !judged.has(paymentId)).length
    await query('delete from settlement_states where app_id = $1', app.appId)
    const touched = ids.filter((_id, place) => (payments[place]?.lines.length ?? 0) > 0)
    await ctx.db.transaction((tx) => judgePayments(ctx, tx, app, touched))
    expect(await stored(ids)).toEqual(settled)
  }
  await fc.assert(fc.asyncProperty(fc.array(paymentOf, { minLength: 8, maxLength: 12 }), mixed), {
    numRuns: 30,
    seed: 178,
  })
  expect(plain).toBeGreaterThan(50)
})
