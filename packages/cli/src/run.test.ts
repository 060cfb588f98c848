import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../src/net/free-port.ts'
import { insertPerson } from '../../../src/people/store/people.ts'
import { type Receiver, settings, startReceiver } from '../../../test/support/receiver.ts'
import { startTestService, type TestService } from '../../../test/support/tender.ts'
import { verifyWebhook } from '../../sdk/src/tender.ts'
import { run } from './run.ts'

let service: TestService
let receiver: Receiver
beforeAll(async () => {
  service = await startTestService('cli')
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver?.stop()
  await service?.stop()
})

const environment = (): Record<string, string> => ({
  TENDER_URL: service.url,
  TENDER_APP_ID: service.sandbox.appId,
  TENDER_API_KEY: service.sandbox.apiKey,
})

interface Running {
  readonly out: string[]
  readonly err: string[]
  readonly exit: Promise<number>
}

function start(args: readonly string[], signal = new AbortController().signal, env = environment()): Running {
  const out: string[] = []
  const err: string[] = []
  const io = { env, signal, out: (text: string) => out.push(text), err: (text: string) => err.push(text) }
  return { out, err, exit: run(args, io) }
}

async function tender(...args: string[]) {
  const { out, err, exit } = start(args)
  return { code: await exit, out: out.join('\n'), err: err.join('\n') }
}

/** The data that `--json` prints. */
async function json(...args: string[]) {
  const { code, out, err } = await tender(...args, '--json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

describe('the command line', () => {
  it.each([
    ['created', 'Created'],
    ['declined', 'Created'],
    ['authorized', 'Authorized'],
    ['captured', 'Captured'],
    ['held', 'ProviderAuthorizedHold'],
    ['failed', 'Failed'],
    ['refunded', 'Refunded'],
    ['disputed', 'Disputed'],
  ])('triggers %s', async (name, state) => {
    expect(await json('trigger', name)).toMatchObject({ paymentState: state })
  })

  it('writes an export to a file, and goes on with one by its id', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tender-export-'))
    try {
      await json('trigger', 'captured')
      const out = join(folder, 'payments.csv')
      const done = await json('export', 'payments', '--columns', 'amount,currency', '--out', out)
      expect(done).toMatchObject({ state: 'done', file: out })
      const text = await readFile(out, 'utf8')
      expect(text.split('\r\n')[0]).toBe('\ufeffamount,currency')
      const again = join(folder, 'again.csv')
      expect((await tender('export', '--id', done.exportId, '--out', again)).code).toBe(0)
      expect(await readFile(again, 'utf8')).toBe(text)
      expect(await readdir(folder)).toEqual(['again.csv', 'payments.csv'])
      expect((await tender('export')).code).toBe(2)
      expect(await tender('export', 'spoons')).toMatchObject({
        code: 1,
        err: expect.stringContaining('kind'),
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('lists, reads and moves payments', async () => {
    const { paymentId, referenceId } = await json('trigger', 'authorized')
    const id = String(paymentId)
    expect((await json('payments', 'get', '--reference', referenceId)).paymentId).toBe(paymentId)
    expect(await json('payments', 'capture', id, '--amount', '20')).toMatchObject({ capturedAmount: 20 })
    expect(await json('payments', 'refund', id, '--amount', '5')).toMatchObject({ refundedAmount: 5 })
    const held = String((await json('trigger', 'held')).paymentId)
    expect(await json('payments', 'unhold', held)).toMatchObject({ paymentState: 'Captured' })
    const open = String((await json('trigger', 'created')).paymentId)
    expect(await json('payments', 'cancel', open)).toMatchObject({ paymentState: 'Failed' })
    expect(await json('payments', 'recheck', held)).toMatchObject({ paymentState: 'Captured' })
    expect(await json('payments', '--limit', '2')).toHaveLength(2)
    const { out } = await tender('payments', 'get', id)
    expect(out).toContain(`${paymentId}  Captured  25 `)
  })

  it('lists events and webhooks, and sends them again', async () => {
    await settings(service.sandbox, { paymentWebhookUrl: receiver.url })
    const { paymentId } = await json('trigger', 'captured')
    const events = await json('events', '--payment', String(paymentId), '--limit', '1')
    expect(events).toMatchObject([{ payment: { paymentState: 'Captured' } }])
    const { eventId } = events[0]
    await expect.poll(() => receiver.states(paymentId)).toHaveLength(3)
    await expect
      .poll(async () => (await json('webhooks', 'list', '--payment', String(paymentId)))[0].status)
      .toBe('delivered')
    expect(await json('webhooks', 'resend', eventId)).toMatchObject({ eventId })
    await expect.poll(() => receiver.states(paymentId)).toHaveLength(4)
    expect(await json('webhooks', 'resend-failed')).toEqual({ resent: 0 })
    expect(await json('webhooks', 'test')).toMatchObject({ type: 'webhook.test', status: 'delivered' })
    await settings(service.sandbox, { paymentWebhookUrl: '' })
  })

  it('adds a webhook endpoint with its states and kinds, lists it and removes it', async () => {
    const chosen = ['--states', 'Captured,Refunded', '--kinds', 'payment,refund']
    const made = await json('endpoints', 'create', receiver.url, ...chosen)
    expect(made).toMatchObject({ states: ['Captured', 'Refunded'], kinds: ['payment', 'refund'] })
    expect((await tender('endpoints', 'list')).out).toMatch(/Captured,Refunded +payment,refund/)
    expect((await tender('endpoints', 'create', receiver.url, '--kinds', 'payout')).code).toBe(1)
    expect((await tender('endpoints', 'remove', made.endpointId)).code).toBe(0)
  })

  it('creates, rotates and revokes API keys', async () => {
    const created = await json('keys', 'create', '--name', 'Till\u001b[31m')
    const rotated = await json('keys', 'rotate', created.keyId, '--overlap', '60')
    expect(rotated.apiKey).toMatch(/^sk_sandbox_/)
    expect((await json('keys', 'revoke', rotated.keyId)).revokedTime).not.toBeNull()
    const { out } = await tender('keys')
    expect(out).not.toContain('\u001b')
    expect(out).not.toContain(rotated.apiKey)
  })

  it('creates licences, invites owners and enters a licence, for the operator', async () => {
    const { ctx } = service.service
    const asOperator = async (...args: string[]) => {
      const token = ctx.config.operatorToken?.reveal() ?? ''
      const env = { TENDER_URL: service.url, TENDER_OPERATOR_TOKEN: token }
      const { out, err, exit } = start([...args, '--json'], undefined, env)
      return { code: await exit, err: err.join('\n'), json: JSON.parse(out.join('') || 'null') }
    }
    const now = ctx.clock.now()
    const operator = { personId: 'usr_cli', email: 'operator@example.com', name: 'Op', passwordHash: null }
    await insertPerson(ctx.db, { ...operator, isOperator: true, now })
    const created = await asOperator('licenses', 'create', '--name', 'Tea', '--owner', 'tea@example.com')
    const { licenseId, invitationLink, apps } = created.json
    expect(invitationLink).toMatch(/\/console\/join\/[\w-]{43}$/)
    const again = await asOperator('licenses', 'invite-owner', licenseId, '--owner', 'other@example.com')
    expect(again.json).toMatchObject({ licenseId, email: 'other@example.com' })
    const visit = ['licenses', 'enter', licenseId, '--operator', operator.email, '--reason']
    const entered = await asOperator(...visit, 'Ticket 4711: no webhooks')
    expect(entered.json).toMatchObject({
      role: 'Viewer',
      appIds: apps.map((app: { appId: string }) => app.appId),
    })
    const refused = await asOperator(...visit, 'why')
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('reason must have 10 to 500 characters.'),
    ])
    const without = start(['licenses', 'create', '--name', 'Tea'])
    expect([await without.exit, without.err]).toEqual([2, ['Set TENDER_OPERATOR_TOKEN. Try: tender --help']])
  })

  it('prints the OpenAPI document and completions without an app', async () => {
    const env = { TENDER_URL: service.url }
    const document = start(['openapi'], undefined, env)
    expect(await document.exit).toBe(0)
    expect(JSON.parse(document.out.join(''))).toMatchObject({ openapi: '3.1.0' })
    const completion = start(['completion'], undefined, env)
    expect(await completion.exit).toBe(0)
    expect(completion.out.join('')).toContain('resend-failed')
  })

  it('explains itself', async () => {
    expect(await tender()).toMatchObject({
      code: 0,
      out: expect.stringContaining('payments refund paymentId'),
    })
    const { out } = await tender('listen', '--help')
    expect(out).toContain('--forward-to url')
    expect(out).not.toContain('payments refund')
  })
})

describe('exit codes', () => {
  it('are 2 for wrong usage, with one line that says what is wrong', async () => {
    const wrong = [
      ['bogus'],
      ['payments', 'bogus'],
      ['payments', 'get'],
      ['payments', 'refund'],
      ['payments', 'refund', '1', '2'],
      ['payments', '--limit', 'many'],
      ['payments', '--bogus'],
      ['trigger', 'toString'],
      ['listen'],
      ['listen', '--forward-to', 'http://'],
    ]
    for (const args of wrong) {
      const { code, out, err } = await tender(...args)
      expect([args, code, out]).toEqual([args, 2, ''])
      expect(err).toMatch(/^[^\n]+ Try: tender --help$/)
    }
    const missing = start(['payments'], undefined, { TENDER_APP_ID: 'app_1' })
    expect([await missing.exit, missing.err]).toEqual([2, ['Set TENDER_API_KEY. Try: tender --help']])
  })

  it('are 1 for a refusal, with its code and every bad field', async () => {
    const { paymentId } = await json('trigger', 'created')
    const refused = await tender('payments', 'capture', String(paymentId))
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).toMatch(/\(payment_not_capturable, req_\w+\)/)
    const bad = await tender('payments', 'refund', String(paymentId), '--amount', 'much')
    expect([bad.code, bad.err]).toEqual([1, expect.stringMatching(/^ {2}amount must be /m)])
  })

  it('are 3 without an answer', async () => {
    const url = `http://127.0.0.1:${await freePort('127.0.0.1')}`
    const { code, err } = await tender('payments', '--url', url)
    expect([code, err]).toEqual([3, expect.stringContaining('(no_answer)')])
  })
})

describe('tender listen', () => {
  it('forwards new events only, signed, once and in order for each payment', async () => {
    await json('trigger', 'captured')
    const target = await startReceiver()
    const stop = new AbortController()
    const listening = start(
      ['listen', '--forward-to', target.url.replace('http://', ''), '--json'],
      stop.signal,
    )
    try {
      await expect.poll(() => listening.err.join()).toContain('Ready')
      const secret = /WEBHOOK_SECRET=(\S+)/.exec(listening.err.join())?.[1] ?? ''
      const first = await json('trigger', 'refunded')
      const second = await json('trigger', 'captured')
      // A later poll finds the same events again, and this one.
      await expect.poll(() => target.states(second.paymentId)).toHaveLength(3)
      const third = await json('trigger', 'created')
      await expect.poll(() => target.states(third.paymentId)).toEqual(['Created'])
      const refunded = ['Created', 'SaleInProgress', 'Captured', 'Refunding', 'Refunded']
      expect(target.states(first.paymentId)).toEqual(refunded)
      expect(target.hooks).toHaveLength(9)
      for (const { body, headers } of target.hooks) await verifyWebhook(body, headers, secret)
      await expect.poll(() => listening.out).toHaveLength(9)
      expect(JSON.parse(listening.out[8] ?? '')).toMatchObject({ paymentState: 'Created', answer: 200 })
    } finally {
      stop.abort()
      expect(await listening.exit).toBe(0)
      await target.stop()
    }
  })

  it('goes on when the program does not answer', async () => {
    const port = await freePort('127.0.0.1')
    const stop = new AbortController()
    const listening = start(['listen', '--forward-to', `127.0.0.1:${port}`], stop.signal)
    await expect.poll(() => listening.err.join()).toContain('Ready')
    await json('trigger', 'captured')
    await expect.poll(() => listening.out.filter((line) => line.endsWith('→ no answer'))).toHaveLength(3)
    stop.abort()
    expect(await listening.exit).toBe(0)
  })
})
