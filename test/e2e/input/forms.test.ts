import { createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as finder from '../../../src/base/cards/find.ts'
import { hostedPage, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_forms')
})
afterAll(() => tender?.stop())

const FORM = 'application/x-www-form-urlencoded'
const DIGITS = '4+1+'.repeat(62_500)

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(tender.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': FORM, ...headers },
    body,
  })

/** Sends the head of a form and none of its body, and resolves with the first line of the answer. */
function answerToHead(path: string, length: number): Promise<string> {
  const { hostname, port } = new URL(tender.url)
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: hostname, port: Number(port) }, () =>
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: ${FORM}\r\n` +
          `content-length: ${length}\r\n\r\n`,
      ),
    )
    socket.once('data', (data) => {
      resolve(data.toString().split('\r\n')[0] ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

describe('a form without files', () => {
  it('has at most 16 KiB, and a longer one is refused without a look at its fields', async () => {
    const looked = vi.spyOn(finder, 'hasCardNumber')
    for (const path of [
      '/console/sign-in',
      '/console/forgot',
      '/c/unknown/cancel',
      '/p/open',
      '/console/app_x/fraud',
    ]) {
      const reply = await post(path, `email=${DIGITS}`)
      expect([path, reply.status]).toEqual([path, 413])
      expect(reply.headers.get('content-type')).toContain('text/html')
    }
    expect(looked.mock.calls.filter(([text]) => text.length > 1_000)).toEqual([])
    looked.mockRestore()
    expect(await answerToHead('/console/sign-in', 16 * 1024 + 1)).toContain('413')
    expect((await post('/console/sign-in', `email=${'a'.repeat(16_000)}`)).status).not.toBe(413)
  })

  it('is counted before its body is read', async () => {
    let refused = ''
    for (let n = 0; n < 1_000 && refused === ''; n++) {
      const { status } = await post('/c/unknown/cancel', 'x=1')
      if (status === 429) refused = await answerToHead('/c/unknown/cancel', 9)
    }
    expect(refused).toContain('429')
  })

  it('of a link that was seen before is let in while its address guesses', async () => {
    const made = await tender.sandbox.call('POST', 'payments/hosted-page', hostedPage())
    const path = new URL(made.body.redirectUrl).pathname
    expect((await fetch(tender.url + path)).status).toBe(200)
    let status = 0
    for (let n = 0; n < 1_000 && status !== 429; n++) status = (await post('/c/unknown/cancel', 'x=1')).status
    expect(status).toBe(429)
    expect((await post(`${path}/cancel`, 'x=1')).status).not.toBe(429)
  })

  it.each([
    [{ origin: 'https://evil.test' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'null' }],
  ])('that begins a session is refused with %j', async (headers) => {
    expect((await post('/console/sign-in', 'email=a&password=b', headers)).status).toBe(403)
  })

  it('of our own pages is accepted', async () => {
    for (const headers of [{ origin: tender.url }, { 'sec-fetch-site': 'same-origin' }, {}])
      expect((await post('/console/sign-in', 'email=a&password=b', headers)).status).not.toBe(403)
  })
})
