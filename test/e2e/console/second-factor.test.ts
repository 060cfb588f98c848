import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findSession } from '../../../src/people/sessions/sessions.ts'
import { activateTotp, prepareSecondFactor } from '../../../src/people/totp/commands.ts'
import { codeOf, stepOf } from '../../../src/people/totp/totp.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

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

describe('a refund where the app demands a second factor', () => {
  it('needs a person who has one, the code, and the right code', async () => {
    const { ctx } = world.tender.service
    const { paymentId } = await world.sandbox.paid({ amount: 50, autoCapture: true })
    const path = `payments/${paymentId}/refund?amount=10`
    await world.sandbox.call('PATCH', '', { isTwoFactorAuthenticationEnabled: { value: true } })
    expect(await asPerson('Owner', 'POST', path)).toMatchObject({
      status: 403,
      body: { TypeName: 'NeedToActive2FaException' },
    })
    const person = await findSession(ctx, world.tokens.Owner)
    if (!person) throw new Error('no session')
    const secret = bytesOf((await prepareSecondFactor(ctx, person)).secret)
    const code = (step = 0) => codeOf(secret, stepOf(ctx.clock.now()) + step)
    const { token } = await activateTotp(ctx, person, code(-1))
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
    await world.sandbox.call('PATCH', '', { isTwoFactorAuthenticationEnabled: { value: false } })
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

it('a Viewer may read and not refund', async () => {
  const { paymentId } = await world.sandbox.paid({ amount: 5, autoCapture: true })
  expect((await asPerson('Viewer', 'GET', `payments/${paymentId}`)).status).toBe(200)
  expect((await asPerson('Viewer', 'POST', `payments/${paymentId}/refund`)).status).toBe(403)
})
