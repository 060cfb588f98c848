import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { newWebhookSecret, systemRandom } from '../../base/ids.ts'
import { signedHeaders } from './sign.ts'

const secrets = [newWebhookSecret(systemRandom), newWebhookSecret(systemRandom)] as const
const body = '{"type":"payment.state_changed","price":"10 € – naïve"}'
const now = new Date()
const headers = signedHeaders({ id: 'evt_1_1', body, now, secrets })

it.each(secrets)('the official library verifies what we sign, with either secret', (secret) => {
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
})

it('the official library refuses another body, another id and another secret', () => {
  const verifier = new Webhook(secrets[0])
  expect(() => verifier.verify(body.replace('10', '11'), headers)).toThrow()
  expect(() => verifier.verify(body, { ...headers, 'webhook-id': 'evt_1_2' })).toThrow()
  expect(() => new Webhook(newWebhookSecret(systemRandom)).verify(body, headers)).toThrow()
})

it('there is one signature for each secret, the newest first', () => {
  const [first] = String(headers['webhook-signature']).split(' ')
  expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/=]+ v1,[A-Za-z0-9+/=]+$/)
  expect(signedHeaders({ id: 'evt_1_1', body, now, secrets: [secrets[0]] })['webhook-signature']).toBe(first)
  expect(headers['webhook-timestamp']).toBe(String(Math.floor(now.getTime() / 1_000)))
})
