import { afterAll, beforeAll, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { DAY, HOUR } from '../base/clock.ts'
import { Secret } from '../base/secret.ts'
import { loadApp } from '../merchants/directory.ts'
import { insertMembership } from '../people/store/memberships.ts'
import { insertPerson } from '../people/store/people.ts'
import { occasionsJob } from './cursors.ts'

const mail = {
  smtpUrl: new Secret('smtp://127.0.0.1:1'),
  from: { name: 'Shop', address: 'shop@example.com' },
  perAppDay: 100,
}

let ctx: TestContext
let appId: string
const query = <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  ctx.db.query({ name: '', text }, values)

beforeAll(async () => {
  ctx = await testContext({ config: { mail } })
  const { live } = await testLicense(ctx)
  appId = live.appId
  const licenseId = (await loadApp(ctx, appId))?.licenseId ?? ''
  const now = ctx.clock.now()
  await query(
    `insert into own_roles (role_id, license_id, name, permissions, created_time)
     values ('role_books', $1, 'Books', '{DashboardRead,SettlementWrite}', $2),
       ('role_desk', $1, 'Desk', '{DashboardRead,SettlementRead}', $2)`,
    ...[licenseId, now],
  )
  for (const role of ['Owner', 'Manager', 'Viewer', 'role_books', 'role_desk'] as const)
    await ctx.db.transaction(async (tx) => {
      const personId = `usr_${role}`
      await insertPerson(tx, { personId, email: `${role}@shop.example`, name: role, passwordHash: null, now })
      await insertMembership(tx, { licenseId, personId, role, refundLimits: null, now })
    })
  await query(
    `insert into payment_profiles (app_id, profile_id, name, provider, methods, currency, is_active, settings,
       webhook_key, created_time)
     overriding system value values ($1, 1, 'Cards', 'plain', '{CreditCard}', 'EUR', true, $2, 'key', $3)`,
    ...[appId, ctx.vault.seal('{}'), now],
  )
  await query(
    `insert into settlement_sources (app_id, profile_id, is_active, begin_time, unpaid_until)
     values ($1, 1, true, $2, $2)`,
    ...[appId, now],
  )
})
afterAll(() => ctx?.close())

const run = async () => {
  await occasionsJob(ctx).runOnce()
  await occasionsJob(ctx).runOnce()
}

const open = (kind: string, subject: string) =>
  query(
    `insert into settlement_exceptions (app_id, profile_id, kind, subject, details, opened_time)
     values ($1, 1, $2, $3, '{}', $4)`,
    ...[appId, kind, subject, ctx.clock.now()],
  )

async function mails() {
  const rows = await query<{ content: Uint8Array }>(
    `select content from mails where app_id = $1 and kind = 'settlements' order by queued_time, mail_id`,
    appId,
  )
  return rows.map(({ content }) => JSON.parse(ctx.vault.open(content)))
}

/** Who can end an exception, by a role of the merchant too. */
const TOLD = ['Manager@shop.example', 'Owner@shop.example', 'role_books@shop.example']

it('tells those who keep the books once a day, of what is new and of sources that fail', async () => {
  await run()
  expect(await mails()).toEqual([])
  await open('missing', 'a')
  await open('missing', 'b')
  await open('payout', 'c')
  ctx.clock.advance(HOUR)
  await run()
  expect(await mails()).toEqual([])
  ctx.clock.advance(DAY)
  await run()
  const first = await mails()
  expect(first.map(({ to }) => to).sort()).toEqual(TOLD)
  expect(first[0]?.data).toMatchObject({
    opened: [
      { kind: 'missing', count: 2 },
      { kind: 'payout', count: 1 },
    ],
    failing: [],
    exceptionsUrl: expect.stringContaining(`/console/${appId}/payouts/exceptions`),
  })
  // The same ones are not told again.
  ctx.clock.advance(DAY)
  await run()
  expect(await mails()).toHaveLength(TOLD.length)
  await query(`update settlement_sources set problem = '{"code":"x"}', tries = 2 where app_id = $1`, appId)
  ctx.clock.advance(DAY)
  await run()
  expect((await mails()).slice(TOLD.length)).toMatchObject(
    TOLD.map(() => ({ data: { opened: [], failing: ['Cards'] } })),
  )
})

it('tells nothing where the team has turned it off', async () => {
  await query(`update apps set team_mails = '{}' where app_id = $1`, appId)
  const before = (await mails()).length
  await open('fee', 'd')
  ctx.clock.advance(2 * DAY)
  await run()
  expect(await mails()).toHaveLength(before)
})
