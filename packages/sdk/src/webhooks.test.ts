import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newWebhookSecret, systemRandom } from '../../../src/base/ids.ts'
import { signedHeaders } from '../../../src/webhooks/delivery/sign.ts'
import { verifyWebhook, WebhookError } from './webhooks.ts'

const secret = newWebhookSecret(systemRandom)
const older = newWebhookSecret(systemRandom)
const body = '{"type":"payment.state_changed","eventId":"evt_1_1","payment":{"referenceId":"naïve – 10 €"}}'
const now = new Date()
const headers = signedHeaders({ id: 'evt_1_1', body, now, secrets: [secret, older] })

const problemOf = (...args: Parameters<typeof verifyWebhook>) =>
  verifyWebhook(...args).then(
    () => 'none',
    (error) => (error instanceof WebhookError ? error.problem : error),
  )

describe('verifyWebhook', () => {
  it('returns the event for a signed body, as text and as bytes', async () => {
    expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body))
    expect(await verifyWebhook(new TextEncoder().encode(body), headers, secret)).toEqual(JSON.parse(body))
  })

  it('accepts headers as a Headers object, in capitals and as lists', async () => {
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    )
    expect(await problemOf(body, new Headers(headers), secret)).toBe('none')
    expect(await problemOf(body, upper, secret)).toBe('none')
  })

  it('accepts either secret during rotation, and a list of secrets', async () => {
    expect(await problemOf(body, headers, older)).toBe('none')
    expect(await problemOf(body, headers, [newWebhookSecret(systemRandom), older])).toBe('none')
  })

  it('accepts what the official library signs', async () => {
    const signature = new Webhook(secret).sign('msg_1', now, body)
    const official = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signature,
    }
    expect(await problemOf(body, official, secret)).toBe('none')
  })

  it.each([
    ['another body', body.replace('10', '99'), headers, secret, 'wrong-signature'],
    ['another id', body, { ...headers, 'webhook-id': 'evt_1_2' }, secret, 'wrong-signature'],
    ['a stranger’s secret', body, headers, newWebhookSecret(systemRandom), 'wrong-signature'],
    ['another version', body, { ...headers, 'webhook-signature': 'v2,AAAA' }, secret, 'wrong-signature'],
    ['no base64', body, { ...headers, 'webhook-signature': 'v1,%%%' }, secret, 'wrong-signature'],
    ['no signature', body, { ...headers, 'webhook-signature': '' }, secret, 'missing-header'],
    ['no headers', body, {}, secret, 'missing-header'],
    ['no number', body, { ...headers, 'webhook-timestamp': 'now' }, secret, 'missing-header'],
    ['no secret', body, headers, '', 'unusable-secret'],
    ['no list of secrets', body, headers, [], 'wrong-signature'],
  ] as const)('refuses %s', async (_what, text, given, key, problem) => {
    expect(await problemOf(text, given, key)).toBe(problem)
  })

  it('refuses timestamps beyond the tolerance, five minutes by default', async () => {
    const at = (seconds: number) => ({ now: new Date(now.getTime() + seconds * 1_000) })
    expect(await problemOf(body, headers, secret, at(299))).toBe('none')
    expect(await problemOf(body, headers, secret, at(302))).toBe('too-old')
    expect(await problemOf(body, headers, secret, at(-302))).toBe('too-new')
    expect(await problemOf(body, headers, secret, { ...at(600), toleranceSeconds: 900 })).toBe('none')
  })

  it('refuses a signed body that is not JSON', async () => {
    const text = 'hello'
    const signed = signedHeaders({ id: 'evt_1_1', body: text, now, secrets: [secret] })
    expect(await problemOf(text, signed, secret)).toBe('not-json')
  })
})
