import { expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/clock.ts'
import { silentLog } from '../../base/log.ts'
import type { App, Profile } from '../../merchants/app.ts'
import type { Http, HttpReply } from '../../net/http.ts'
import { createLogState } from '../state.ts'
import { createCallRecorder } from './record.ts'

const clock = createFakeClock()

function recorder(isSandbox: boolean, reply: () => Promise<HttpReply>) {
  const logs = createLogState({ clock })
  const http: Http = { call: reply }
  const recorded = createCallRecorder({ logs, log: silentLog })(http, {
    app: { appId: 'app_1', isSandbox } as App,
    profile: { profileId: 3 } as Profile,
    subject: { step: 'start', paymentId: 10_001, attempt: 2 },
    secrets: ['key-of-the-profile'],
    hides: undefined,
    now: clock.now,
  })
  return { http: recorded, lines: () => logs.provider.queue.take(), logs }
}

const PAYER = {
  name: { given_name: 'Dana' },
  email_address: 'dana@example.com',
  phone: '5550100',
  city: 'Oslo',
}
const REPLY: HttpReply = { kind: 'reply', status: 201, headers: {}, body: { id: 'O-1', payer: PAYER } }

const call = {
  method: 'POST',
  url: 'https://api.example/v1/orders?token=abcdef&page=2',
  headers: { Authorization: 'Basic a2V5', 'X-Custom': 'key-of-the-profile', 'Idempotency-Key': 'K1' },
  form: { 'customer[email]': 'dana@example.com', 'customer[note]': 'key-of-the-profile', amount: '500' },
} as const

it('a line tells what was asked and answered, and hides the payer of a live app', async () => {
  const { http, lines } = recorder(false, async () => REPLY)
  expect(await http.call(call)).toBe(REPLY)
  const [line] = lines()
  expect(line).toMatchObject({
    ...{ appId: 'app_1', profileId: 3, paymentId: 10_001, attempt: 2, step: 'start' },
    ...{
      method: 'POST',
      url: 'https://api.example/v1/orders?token=***&page=2',
      outcome: 'reply',
      status: 201,
    },
  })
  expect(JSON.parse(line?.requestHeaders ?? '')).toEqual({
    authorization: '***',
    'x-custom': '***',
    'idempotency-key': 'K1',
  })
  expect(JSON.parse(line?.requestBody ?? '')).toEqual({
    customer: { email: '***', note: '***' },
    amount: '500',
  })
  expect(line?.responseBody).toContain('O-1')
  expect(JSON.stringify(line)).not.toMatch(/dana|5550100|oslo|key-of-the-profile/i)
})

it('the payer of a sandbox app is shown, the key is not', async () => {
  const { http, lines } = recorder(true, async () => REPLY)
  await http.call(call)
  const text = JSON.stringify(lines())
  expect(text).toContain('dana@example.com')
  expect(text).not.toContain('key-of-the-profile')
})

it('a call without an answer is logged with its cause', async () => {
  const { http, lines } = recorder(true, async () => ({
    kind: 'no-answer',
    why: 'timeout',
    cause: 'timeout',
  }))
  await http.call(call)
  expect(lines()).toMatchObject([{ outcome: 'timeout', status: null, responseBody: '"timeout"' }])
})

it('a call that cannot be logged is answered all the same', async () => {
  const { http, logs } = recorder(true, async () => REPLY)
  logs.provider.queue.add = () => {
    throw new Error('broken')
  }
  expect(await http.call(call)).toBe(REPLY)
})
