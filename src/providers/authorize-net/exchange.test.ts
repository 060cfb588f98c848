import { describe, expect, it } from 'vitest'
import type { HttpReply } from '../../net/http.ts'
import { answerIn } from './exchange.ts'
import { manifest, pageOrigin } from './manifest.ts'
import { detailsIn, resultIn } from './wire.ts'

const NOW = new Date('2027-01-04T09:00:00Z')
const reply = (body: unknown, status = 200, headers = {}): HttpReply => ({
  kind: 'reply',
  status,
  headers,
  body,
})
const error = (code: string) =>
  reply({ messages: { resultCode: 'Error', message: [{ code, text: 'Text' }] } })

describe('answers of Authorize.Net', () => {
  it.each([
    ['E00007', 'not-done', 'bad-credentials'],
    ['E00011', 'not-done', 'bad-credentials'],
    ['E00040', 'not-done', 'not-found'],
    ['E00053', 'not-done', 'rate-limited'],
    ['E00003', 'not-done', 'bad-request'],
    // An error in the middle of processing proves nothing.
    ['E00001', 'unknown', 'server-error'],
    ['', 'unknown', 'unreadable-reply'],
  ])('%s is %s %s', (code, kind, why) => {
    expect(answerIn(error(code), undefined, NOW)).toMatchObject({ kind, why })
  })

  it.each([
    [500, 'unknown'],
    [302, 'unknown'],
    [429, 'not-done'],
    [401, 'not-done'],
  ])('status %d is %s', (status, kind) => {
    expect(answerIn(reply('', status), undefined, NOW).kind).toBe(kind)
  })

  it('is unknown if it is about another request', () => {
    const body = { refId: 'OTHER', messages: { resultCode: 'Ok', message: [] } }
    expect(answerIn(reply(body), 'OURS', NOW)).toMatchObject({ kind: 'unknown', why: 'unreadable-reply' })
    expect(answerIn(reply({ ...body, refId: 'OURS' }), 'OURS', NOW).kind).toBe('read')
  })

  it('is read although the result code is an error, if a transaction was processed', () => {
    const transactionResponse = {
      responseCode: '2',
      transId: '7',
      errors: [{ errorCode: '8', errorText: 'Expired' }],
    }
    const body = { transactionResponse, messages: { resultCode: 'Error', message: [{ code: 'E00027' }] } }
    expect(answerIn(reply(body), undefined, NOW).kind).toBe('read')
    expect(resultIn(body)).toMatchObject({ code: '2', id: '7', reasonCode: 8, reasonText: 'Expired' })
  })

  it('has no transaction if the id is 0 or the code is unknown', () => {
    expect(resultIn({ transactionResponse: { responseCode: '3', transId: '0' } })?.id).toBeUndefined()
    expect(resultIn({ transactionResponse: { responseCode: '9' } })).toBeUndefined()
  })

  it('has returned items in either form of a list', () => {
    const common = { transId: '5', transactionStatus: 'returnedItem', authAmount: 10.5, settleAmount: 10.5 }
    for (const returnedItems of [[{ code: 'R01' }], { returnedItem: [{ code: 'R01' }] }])
      expect(detailsIn({ transaction: { ...common, returnedItems } }, 'USD')).toMatchObject({
        returnCode: 'R01',
        settled: { minor: 1050n },
      })
    expect(detailsIn({ transaction: { ...common, authAmount: '1.234' } }, 'USD')).toBeUndefined()
  })
})

describe('settings of Authorize.Net', () => {
  const app = { isSandbox: true }

  it('need the login and the key; the signature key may follow', () => {
    const keys = { apiLoginId: 'login', transactionKey: 'KEY' }
    expect(manifest.settings.parse(keys, app)).toEqual({ ok: true, config: keys })
    const wrong = manifest.settings.parse({ apiLoginId: 'a b', signatureKey: 5 }, app)
    expect(wrong.ok ? [] : wrong.problems.map(({ field }) => field)).toEqual([
      'apiLoginId',
      'transactionKey',
      'signatureKey',
    ])
  })

  it('decide the address of the API, which decides that of the page', () => {
    const config = { apiLoginId: 'a', transactionKey: 'b' }
    expect([true, false].map((isSandbox) => pageOrigin(manifest.origin(config, isSandbox)))).toEqual([
      'https://test.authorize.net',
      'https://accept.authorize.net',
    ])
    expect(pageOrigin('http://127.0.0.1:1')).toBe('http://127.0.0.1:1')
  })
})
