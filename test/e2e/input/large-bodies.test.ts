import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../src/base/limits.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { csvOf, profileOf } from '../../support/settlement-file.ts'

let world: TestConsole
let path: string
beforeAll(async () => {
  world = await startTestConsole('e2e_large_bodies')
  path = `settlement-reports?paymentProfileId=${profileOf(await world.sandbox.paid())}`
})
afterAll(() => world?.stop())

interface Sending {
  readonly call: ClientRequest
  readonly answer: Promise<IncomingMessage>
}

/** A request that declares a body and sends only its beginning. */
function begin(url: string, headers: Record<string, string | number>): Sending {
  const call = request(url, { method: 'POST', headers })
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    call.on('response', resolve).on('error', reject)
  })
  answer.catch(() => undefined)
  call.write('line_id')
  return { call, answer }
}

const api = () => `${world.origin}/api/apps/${world.sandbox.appId}/${path}`
const withKey = () => ({ authorization: `Bearer ${world.sandbox.apiKey}` })
const fees = (name: string, count: number) =>
  csvOf(
    Array.from({ length: count }, (_, n) => ({
      ...{ line_id: `${name}-${n}`, kind: 'fee', gross: 0, fee: 1, net: -1, currency: 'EUR' },
      time: '2026-01-01T00:00:00Z',
    })),
  )
/** Sent again for as long as it is told to try again. */
async function sendUntilTaken(file: string) {
  for (;;) {
    const answer = await sendFile(file)
    if (answer.status !== 429) return answer
  }
}
const sendFile = (file: string) => world.sandbox.call('POST', path, file, { 'content-type': 'text/csv' })

describe('a form with a file', () => {
  const form = (headers: object) =>
    begin(`${world.origin}/console/${world.sandbox.appId}/payouts/reports`, {
      'content-type': 'multipart/form-data; boundary=x',
      ...headers,
    })

  it('is not read for a stranger, whatever length it declares', async () => {
    for (const length of [{ 'content-length': LIMITS.bodyBytes + 1 }, { 'transfer-encoding': 'chunked' }]) {
      const { call, answer } = form(length)
      const { statusCode, headers } = await answer
      expect([statusCode, headers.location]).toEqual([303, '/console/sign-in'])
      call.destroy()
    }
  })

  it('is read for a person with a session', async () => {
    const { call, answer } = form({
      'transfer-encoding': 'chunked',
      cookie: `console=${world.tokens.Owner}`,
    })
    call.end()
    expect((await answer).statusCode).toBe(400)
  })
})

describe('a large body of an app', () => {
  it('waits while another one of the app is received; smaller ones do not, nor those of others', async () => {
    const large = fees('large', 6_000)
    expect(large.length).toBeGreaterThan(LIMITS.bodyBytes)
    const first = begin(api(), { ...withKey(), 'content-length': LIMITS.bodyBytes + 1 })
    await expect.poll(() => first.call.socket?.bytesWritten ?? 0, { timeout: 20_000 }).toBeGreaterThan(0)
    expect((await sendFile(fees('before', 1))).status).toBe(201)
    let isAnswered = false
    const second = sendUntilTaken(large).finally(() => {
      isAnswered = true
    })
    for (let n = 0; n < 5; n++) expect((await sendFile(fees(`small-${n}`, 1))).status).toBe(201)
    const { sandbox: other } = await world.tender.newMerchant()
    const profileId = profileOf(await other.paid())
    const theirs = await other.call('POST', `settlement-reports?paymentProfileId=${profileId}`, large)
    expect([theirs.status, isAnswered]).toEqual([201, false])
    first.call.destroy()
    expect((await second).status).toBe(201)
  })

  it('is refused for a moment when it has waited too long', async () => {
    const first = begin(api(), { ...withKey(), 'content-length': LIMITS.bodyBytes + 1 })
    await expect.poll(() => first.call.socket?.bytesWritten ?? 0, { timeout: 20_000 }).toBeGreaterThan(0)
    expect((await sendFile(fees('after', 1))).status).toBe(201)
    const refused = await sendFile(fees('more', 6_000))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    first.call.destroy()
  })
})
