import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { type MailServer, startMailServer } from '../../../test/support/mail-server.ts'
import { DAY, HOUR, MINUTE } from '../../base/clock.ts'
import { sql } from '../../db/database.ts'
import type { Job } from '../../jobs/loop.ts'
import { mailJobs } from '../jobs.ts'
import { queueMail } from '../queue.ts'
import { MAILS } from '../schedule.ts'
import { mailTransport } from './transport.ts'

let server: MailServer
let ctx: TestContext
beforeAll(async () => {
  server = await startMailServer()
  ctx = await testContext({ config: { mail: server.mail } })
})
afterAll(async () => {
  if (ctx) mailTransport(ctx).close()
  await ctx?.close()
  await server?.stop()
})
afterEach(async () => {
  await ctx.db.query(sql('test.clear_mails', 'delete from mails'))
  server.received.length = 0
  server.next.length = 0
})

const sender = (node: TestContext): Job => mailJobs(node)[0] as Job

/** Sends what is due, on these nodes at the same time. */
async function send(...nodes: TestContext[]): Promise<void> {
  const all = nodes.length > 0 ? nodes : [ctx]
  for (let claimed = 1; claimed > 0; ) {
    const counts = await Promise.all(all.map((node) => sender(node).runOnce()))
    claimed = counts.reduce((sum, count) => sum + count, 0)
    await Promise.all(all.map((node) => node.background.settled()))
  }
}

const queue = (mailId: string, to = 'ada@example.com', appId = '') =>
  queueMail(
    ctx,
    ctx.db,
    { appId, mailId, to, locale: 'en' },
    { kind: 'password-reset', data: { url: 'https://x.test/r', until: '2027-01-01T00:00:00Z' } },
  )

interface Row {
  mailId: string
  status: string
  tries: number
  lastError: string | null
  content: Uint8Array | null
}

const rows = () =>
  ctx.db.query(
    sql<Row>('test.mails', 'select mail_id, status, tries, last_error, content from mails order by mail_id'),
  )

it('a message is sent once, however often its occasion is queued, and its content is removed', async () => {
  await queue('one')
  await queue('one')
  await send()
  await queue('one')
  await send()
  expect(server.received).toHaveLength(1)
  const [mail] = server.received
  expect(mail).toMatchObject({ from: 'mail@tender.test', to: ['ada@example.com'] })
  expect(mail?.headers).toMatchObject({
    from: 'Tender test <mail@tender.test>',
    to: 'ada@example.com',
    subject: 'Choose a new password',
    'auto-submitted': 'auto-generated',
  })
  expect(mail?.text).toContain('https://x.test/r')
  expect(mail?.html).toContain('href="https://x.test/r"')
  expect(await rows()).toMatchObject([{ status: 'sent', tries: 1, lastError: null, content: null }])
})

it('the content is stored sealed', async () => {
  await queue('sealed')
  const [row] = await rows()
  expect(Buffer.from(row?.content ?? []).toString('latin1')).not.toContain('x.test')
})

it('without a mail server nothing is queued and no job sends', async () => {
  const off = await testContext({ sharing: ctx, config: {} })
  await queueMail(
    off,
    off.db,
    { appId: '', mailId: 'off', to: 'ada@example.com', locale: null },
    { kind: 'password-reset', data: { url: 'https://x.test', until: '2027-01-01T00:00:00Z' } },
  )
  expect(await rows()).toEqual([])
  expect(mailJobs(off).map(({ name }) => name)).toEqual(['mail removal'])
  await off.close()
})

it.each([
  ['a deferral of the recipient', { at: 'rcpt', code: 451 }, 'The mail server answered 451'],
  ['a deferral of the message', { at: 'data', code: 452 }, 'The mail server answered 452'],
  ['a refusal of the message', { at: 'data', code: 554 }, 'The mail server answered 554'],
  ['a connection that is cut', 'cut before', 'No answer of the mail server'],
] as const)('is sent again after %s', async (_, behaviour, error) => {
  server.next.push(behaviour)
  await queue('again')
  await send()
  expect(server.received).toHaveLength(0)
  const [row] = await rows()
  expect(row).toMatchObject({ status: 'waiting', tries: 1, lastError: expect.stringContaining(error) })
  // The text of the server may repeat the address.
  expect(row?.lastError).not.toContain('by@test')
  ctx.clock.advance(HOUR)
  await send()
  expect(server.received).toHaveLength(1)
  expect(await rows()).toMatchObject([{ status: 'sent', tries: 2 }])
})

it('a refusal for good ends after three tries, a server that is away after three days', async () => {
  server.next.push(...Array(3).fill({ at: 'rcpt', code: 550 }))
  await queue('refused')
  for (let hour = 0; hour < 24; hour++) {
    await send()
    ctx.clock.advance(HOUR)
  }
  expect(await rows()).toMatchObject([{ status: 'failed', tries: 3, content: null }])

  server.next.push(...Array(40).fill('cut before'))
  await queue('zz')
  for (let hour = 0; hour < 80; hour++) {
    await send()
    ctx.clock.advance(HOUR)
  }
  const [, away] = await rows()
  expect(away).toMatchObject({ status: 'failed', content: null })
  expect(away?.tries).toBeGreaterThan(5)
})

it('a cut after the message was taken repeats it with the same Message-ID', async () => {
  server.next.push('cut after')
  await queue('twice')
  await send()
  ctx.clock.advance(HOUR)
  await send()
  expect(server.received).toHaveLength(2)
  const [first, second] = server.received.map(({ headers }) => headers['message-id'])
  expect(first).toMatch(/^<[0-9a-f]{40}@tender\.test>$/)
  expect(second).toBe(first)
})

it('a crash after sending and before recording repeats it with the same Message-ID', async () => {
  await queue('crash')
  const crashing = await testContext({ sharing: ctx, config: { mail: server.mail } })
  const broken = {
    ...crashing,
    db: {
      ...crashing.db,
      query: (statement: { name: string }, values?: readonly unknown[]) =>
        statement.name === 'mails.end'
          ? Promise.reject(new Error('the process ended'))
          : crashing.db.query(statement as never, values),
    },
  } as TestContext
  await sender(broken).runOnce()
  await crashing.background.settled()
  expect(server.received).toHaveLength(1)
  await send()
  expect(server.received).toHaveLength(1)
  ctx.clock.advance(MAILS.leaseMs)
  await send()
  expect(server.received).toHaveLength(2)
  expect(new Set(server.received.map(({ headers }) => headers['message-id'])).size).toBe(1)
  expect(await rows()).toMatchObject([{ status: 'sent' }])
  mailTransport(crashing).close()
  await crashing.close()
})

it('two nodes send each message once', async () => {
  const other = await testContext({ sharing: ctx, config: { mail: server.mail } })
  for (let n = 0; n < 40; n++) await queue(`m${n}`, `p${n}@example.com`, `lic_${n % 3}`)
  await send(ctx, other)
  expect(server.received.map(({ to }) => to[0]).sort()).toEqual(
    Array.from({ length: 40 }, (_, n) => `p${n}@example.com`).sort(),
  )
  mailTransport(other).close()
  await other.close()
})

it('an app with a long queue leaves places for another', async () => {
  let open: () => void = () => undefined
  server.gate = new Promise<void>((resolve) => {
    open = resolve
  })
  for (let n = 0; n < 30; n++) await queue(`busy${n}`, 'busy@example.com', 'lic_busy')
  ctx.clock.advance(MINUTE)
  await queue('quiet', 'quiet@example.com', 'lic_quiet')
  const job = sender(ctx)
  await job.runOnce()
  await job.runOnce()
  const claimed = await ctx.db.query(
    sql<{ appId: string; n: number }>(
      'test.claimed',
      `select app_id, count(*)::int as n from mails where lease_token is not null group by 1 order by 1`,
    ),
  )
  expect(claimed).toEqual([
    { appId: 'lic_busy', n: MAILS.shares.perApp },
    { appId: 'lic_quiet', n: 1 },
  ])
  open()
  server.gate = undefined
  await ctx.background.settled()
  await send()
  expect(server.received).toHaveLength(31)
})

it('an app queues so many messages on a day, each counted once, and the limit is logged once', async () => {
  const few = await testContext({ sharing: ctx, config: { mail: { ...server.mail, perAppDay: 3 } } })
  const warned = vi.spyOn(few.log, 'warn')
  const queueFor = (appId: string, mailId: string) =>
    queueMail(
      few,
      few.db,
      { appId, mailId, to: 'ada@example.com', locale: 'en' },
      { kind: 'password-reset', data: { url: 'https://x.test/r', until: '2027-01-01T00:00:00Z' } },
    )
  for (const mailId of ['a', 'a', 'b', 'a', 'c', 'd', 'e']) await queueFor('app_many', mailId)
  for (const mailId of ['f', 'g', 'h', 'i']) await queueFor('lic_many', mailId)
  await queueFor('app_other', 'j')
  const queued = async () => (await rows()).map(({ mailId }) => mailId)
  expect(await queued()).toEqual(['a', 'b', 'c', 'f', 'g', 'h', 'i', 'j'])
  expect(warned.mock.calls).toEqual([['mail.limit_reached', { appId: 'app_many', perAppDay: 3 }]])
  few.clock.advance(DAY)
  await queueFor('app_many', 'd')
  expect(await queued()).toContain('d')
  const days = async () => (await ctx.db.query(sql('test.days', 'select day from mail_days'))).length
  expect(await days()).toBe(3)
  few.clock.advance(5 * DAY)
  await mailJobs(few)[1]?.runOnce()
  expect(await days()).toBe(0)
  await few.close()
})

it('an address that a server could read as several, or as a header, gets nothing', async () => {
  const hostile = [
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com, eve@example.com',
    'ada@example.com>\nRCPT TO:<eve@example.com',
    '"ada" <eve@example.com>',
    'ada@exa mple.com',
    'ada',
    `${'a'.repeat(300)}@example.com`,
  ]
  for (const [n, to] of hostile.entries()) await queue(`h${n}`, to)
  await send()
  expect(server.received).toEqual([])
  expect((await rows()).map(({ status }) => status)).toEqual(hostile.map(() => 'dropped'))
})

it('a message that cannot be read is dropped, and ended ones are removed after 30 days', async () => {
  await queue('unreadable')
  await ctx.db.query(sql('test.spoil', `update mails set content = '\\x00'::bytea`))
  await send()
  expect(await rows()).toMatchObject([{ status: 'dropped' }])
  ctx.clock.advance(31 * DAY)
  await mailJobs(ctx)[1]?.runOnce()
  expect(await rows()).toEqual([])
})
