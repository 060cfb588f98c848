import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acting } from '../../../src/context.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { cancelPayment, getPayment } from '../../../src/payments/actions.ts'
import { findSession } from '../../../src/people/sessions/sessions.ts'
import { activateTotp, prepareSecondFactor } from '../../../src/people/totp/commands.ts'
import { codeOf, stepOf } from '../../../src/people/totp/totp.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { good } from '../../support/tender.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_second_factor')
})
afterAll(() => world?.stop())

/** Calls the API with the session of a person. */
async function asPerson(role: 'Owner' | 'Support' | 'Viewer', method: string, path: string, token?: string) {
  const reply = await fetch(`${world.origin}/api/apps/${world.sandbox.appId}/${path}`, {
    method,
    headers: { cookie: `console=${token ?? world.tokens[role]}` },
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return { status: reply.status, body: (await reply.json()) as any }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function bytesOf(secret: string): Uint8Array {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** Sets up a second factor: the new token of the session, and codes of the next steps of time. */
async function enrolled(role: 'Owner' | 'Manager') {
  const { ctx } = world.tender.service
  const person = await findSession(ctx, world.tokens[role])
  if (!person) throw new Error('no session')
  const secret = bytesOf((await prepareSecondFactor(ctx, person)).secret)
  const code = (step = 0) => codeOf(secret, stepOf(ctx.clock.now()) + step)
  const { token } = await activateTotp(ctx, person, code(-1))
  return { token, code }
}

describe('a refund where the app demands a second factor', () => {
  it('of several payments at once is not asked for, because a code counts once', async () => {
    const ids = [await world.sandbox.paid(), await world.sandbox.paid()].map(({ paymentId }) => paymentId)
    const question = async () =>
      (await world.get('Manager', `payments/bulk/refund?ids=${ids.join('.')}`)).html
    expect(await question()).toContain('Refund 2 payments')
    await world.sandbox.call('PATCH', '', { isTwoFactorAuthenticationEnabled: { value: true } })
    const refused = await question()
    expect(refused).toContain('Refund the payments one by one.')
    expect(refused).not.toContain('Refund 2 payments')
    // A form that was opened before the rule refunds nothing either.
    const sent = await world.post('Manager', 'payments/bulk/refund', { ids: ids.join('.') }, 'payments')
    expect(sent.location).not.toContain('done=')
    for (const id of ids) expect((await world.sandbox.read(id)).refundedAmount).toBe(0)
    await world.sandbox.settings({ isTwoFactorAuthenticationEnabled: { value: false } })
    const done = await world.post('Manager', 'payments/bulk/refund', { ids: ids.join('.') }, 'payments')
    expect(done.location).toContain('done=')
  })

  it('needs a person who has one, the code, and the right code', async () => {
    const { paymentId } = await world.sandbox.paid({ amount: 50, autoCapture: true })
    const path = `payments/${paymentId}/refund?amount=10`
    await world.sandbox.call('PATCH', '', { isTwoFactorAuthenticationEnabled: { value: true } })
    expect(await asPerson('Owner', 'POST', path)).toMatchObject({
      status: 403,
      body: { TypeName: 'NeedToActive2FaException' },
    })
    const { token, code } = await enrolled('Owner')
    // What is asked for is read before who asks is checked.
    expect(await asPerson('Owner', 'POST', `${path}x`, token)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'amount' }] },
    })
    expect(await asPerson('Owner', 'POST', path, token)).toMatchObject({
      status: 403,
      body: { TypeName: 'Need2FaException' },
    })
    expect(await asPerson('Owner', 'POST', `${path}&otpCode=000000`, token)).toMatchObject({
      status: 403,
      body: { TypeName: 'Invalid2FaException' },
    })
    expect((await world.sandbox.read(paymentId)).refundedAmount).toBe(0)
    const done = await asPerson('Owner', 'POST', `${path}&otpCode=${code()}`, token)
    expect(done).toMatchObject({ status: 200, body: { refundedAmount: 10 } })
    // An API key needs no code, unless the app says so.
    expect((await world.sandbox.call('POST', path)).status).toBe(200)
    await world.sandbox.call('PATCH', '', { requireOtpForApiKeys: { value: true } })
    expect((await world.sandbox.call('POST', path)).body).toMatchObject({
      TypeName: 'NeedToActive2FaException',
    })
    await world.sandbox.settings({ isTwoFactorAuthenticationEnabled: { value: false } })
  })
})

describe('a Support member', () => {
  it('refunds up to the limit of the day; a refused refund is not counted', async () => {
    const { paymentId } = await world.sandbox.paid({ amount: 150, currency: 'USD', autoCapture: true })
    const refund = (amount: number) =>
      asPerson('Support', 'POST', `payments/${paymentId}/refund?amount=${amount}`)
    expect((await refund(100.01)).status).toBe(403)
    expect((await refund(1_000)).status).toBe(422)
    expect((await refund(60)).status).toBe(200)
    expect((await refund(41)).status).toBe(403)
    expect((await refund(40)).status).toBe(200)
    expect((await refund(0.01)).status).toBe(403)
  })

  it('is named in the audit log with the amount', async () => {
    const { html } = await world.get('Admin', 'audit?action=payment.refund')
    expect(html).toContain('support@example.com')
  })
})

describe('a refund of a payment that is refunded already', () => {
  it('is a conflict for a person and for a key, also where a second factor is demanded', async () => {
    const { paymentId } = await world.sandbox.paid({ amount: 50, autoCapture: true })
    good(await world.sandbox.act(paymentId, 'refund'))
    const path = `payments/${paymentId}/refund?amount=10`
    const conflict = { status: 409, body: { code: 'payment_not_refundable', paymentState: 'Refunded' } }
    expect(await asPerson('Support', 'POST', path)).toMatchObject(conflict)
    expect(await world.sandbox.call('POST', path)).toMatchObject(conflict)
    await world.sandbox.call('PATCH', '', { isTwoFactorAuthenticationEnabled: { value: true } })
    expect(await asPerson('Support', 'POST', path)).toMatchObject(conflict)
    // The same refund again is a repeat.
    expect((await asPerson('Support', 'POST', `payments/${paymentId}/refund`)).status).toBe(200)
    await world.sandbox.settings({ isTwoFactorAuthenticationEnabled: { value: false } })
  })
})

describe('the rejection of a held payment whose money is captured', () => {
  it('is a refund: it needs the code where the app demands a second factor', async () => {
    const { sandbox } = world
    const rules = [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 10 }]
    const { fraudPolicyId } = good(await sandbox.call('POST', 'fraud-policies', { name: 'Large', rules }))
    const { paymentId } = await sandbox.create({ fraudPolicyId, amount: 60 })
    await sandbox.pay(paymentId, { method: 'ElectronicCheck' })
    await sandbox.advance('10s')
    expect((await sandbox.read(paymentId)).paymentState).toBe('CapturedHold')
    await sandbox.call('PATCH', '', { isTwoFactorAuthenticationEnabled: { value: true } })
    const { token, code } = await enrolled('Manager')
    const cancel = await asPerson('Owner', 'POST', `payments/${paymentId}/cancel`, token)
    expect(cancel).toMatchObject({ status: 403, body: { TypeName: 'Need2FaException' } })
    for (const page of ['reviews', 'payments']) {
      const url = `${world.origin}/console/${sandbox.appId}/${page}/${paymentId}`
      const asked = await send(`${url}/${page === 'reviews' ? 'reject' : 'cancel'}`, token)
      expect(asked.html).toContain('name="otpCode"')
    }
    const url = `${world.origin}/console/${sandbox.appId}/reviews/${paymentId}/reject`
    expect((await send(url, token, { note: 'Stolen' })).status).toBe(403)
    expect((await sandbox.read(paymentId)).paymentState).toBe('CapturedHold')
    expect((await send(url, token, { note: 'Stolen', otpCode: code() })).status).toBe(303)
    expect(await sandbox.read(paymentId)).toMatchObject({ paymentState: 'Failed', refundedAmount: 60 })
    await sandbox.settings({ isTwoFactorAuthenticationEnabled: { value: false } })
  })
})

describe('a held payment that is captured while its rejection is carried out', () => {
  it('needs the second factor and the limit of a refund nevertheless', async () => {
    const { sandbox } = world
    const { ctx } = world.tender.service
    const rules = [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 10 }]
    const { fraudPolicyId } = good(await sandbox.call('POST', 'fraud-policies', { name: 'Race', rules }))
    const { paymentId } = await sandbox.create({ fraudPolicyId, amount: 120 })
    await sandbox.pay(paymentId, { method: 'ElectronicCheck' })
    await sandbox.advance('10s')
    const cancel = async (role: 'admin' | 'support') => {
      const app = await loadApp(ctx, sandbox.appId)
      if (!app) throw new Error('no app')
      const captured = await getPayment(ctx, app, paymentId)
      expect(captured.state).toBe('CapturedHold')
      // As it was read before the provider captured.
      const read = { ...captured, state: 'ProviderAuthorizedHold', version: captured.version - 1 } as const
      const by = {
        kind: 'person',
        id: `usr_${role}`,
        name: role,
        address: '',
        requestId: 'req_race',
      } as const
      return cancelPayment(acting(ctx, by), app, read, { waitMs: 10_000 })
    }
    await expect(cancel('support')).rejects.toMatchObject({ code: 'forbidden' })
    await sandbox.call('PATCH', '', { isTwoFactorAuthenticationEnabled: { value: true } })
    await expect(cancel('admin')).rejects.toMatchObject({ code: 'otp_not_enrolled' })
    await sandbox.settings({ isTwoFactorAuthenticationEnabled: { value: false } })
    expect((await cancel('admin')).state).toBe('Failed')
  })
})

/** Reads a page of the console, or posts its form. */
async function send(url: string, token: string, fields?: Record<string, string>) {
  const headers = { cookie: `console=${token}` }
  const read = await fetch(url, { headers })
  const html = await read.text()
  if (!fields) return { status: read.status, html }
  const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const body = new URLSearchParams({ form, ...fields })
  const reply = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: reply.status, html: await reply.text() }
}

it('a Viewer may read and not refund', async () => {
  const { paymentId } = await world.sandbox.paid({ amount: 5, autoCapture: true })
  expect((await asPerson('Viewer', 'GET', `payments/${paymentId}`)).status).toBe(200)
  expect((await asPerson('Viewer', 'POST', `payments/${paymentId}/refund`)).status).toBe(403)
})
