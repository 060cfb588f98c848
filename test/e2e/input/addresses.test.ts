import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGuestBrowser } from '../../support/panel.ts'
import { good, hostedPage, newReference, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_addresses')
})
afterAll(() => tender?.stop())

const IRI = 'https://zürich.example/zurück/日本?x=ü&y=%2f+a#ß'
/** Percent-encoded, as in a Location header. */
const ENCODED = 'https://xn--zrich-kva.example/zur%C3%BCck/%E6%97%A5%E6%9C%AC?x=%C3%BC&y=%2f+a#%C3%9F'
const CONTROLS = [
  '\u0001',
  '\u001f',
  '\u007f',
  '\u0085',
  '\t',
  '\n',
  '\r\nset-cookie: a=b',
  ' ',
  '\u2028',
  '\u00a0',
]

const get = (url: string) => fetch(url, { redirect: 'manual' })
const locationOf = async (url: string): Promise<[number, string | null]> => {
  const reply = await get(url)
  return [reply.status, reply.headers.get('location')]
}

describe('a URL that becomes a Location header', () => {
  it('returnUrl: an IRI is accepted, echoed and percent-encoded, its own query otherwise kept', async () => {
    const payment = await tender.sandbox.paid({ returnUrl: IRI })
    expect(payment.returnUrl).toBe(IRI)
    const page = `${tender.url}/c/${payment.paymentKey}/return`
    const added = `paymentId=${payment.paymentId}&referenceId=${payment.referenceId}`
    expect(await locationOf(page)).toEqual([303, ENCODED.replace('#', `&${added}#`)])
  })

  it('refuses control characters and spaces and names the field', async () => {
    for (const control of CONTROLS) {
      const url = `https://shop.example/a${control}b`
      for (const field of ['returnUrl', 'webhookUrl']) {
        const { status, body } = await tender.sandbox.call(
          'POST',
          'payments/hosted-page',
          hostedPage({ [field]: url }),
        )
        expect([control, status, body.errors?.[0]?.field]).toEqual([control, 400, field])
      }
      for (const field of ['returnUrl', 'unauthorizedRedirectUrl']) {
        const path = `customers/dana/panel-link?${field}=${encodeURIComponent(url)}`
        const { status, body } = await tender.sandbox.call('GET', path)
        expect([control, status, body.errors?.[0]?.field]).toEqual([control, 400, field])
      }
    }
  })

  it('returnUrl and unauthorizedRedirectUrl of the panel', async () => {
    const customerId = newReference()
    good(await tender.sandbox.call('POST', 'customers', { customerId }))
    const query = new URLSearchParams({ returnUrl: IRI, unauthorizedRedirectUrl: IRI })
    const link = good(await tender.sandbox.call('GET', `customers/${customerId}/panel-link?${query}`))
    const guest = createGuestBrowser(tender.url)
    await guest.get(link)
    expect((await guest.get('/p/return')).location).toBe(ENCODED)
    await tender.sandbox.advance('2h')
    expect(await locationOf(link)).toEqual([303, ENCODED])
  })

  it('back of the fields of the sandbox bank', async () => {
    for (const tail of ['ü', '日本', '\u0001', '\r\nset-cookie: a=b', '\u{1f600}', ' ', '\ud800']) {
      const body = new URLSearchParams({ back: `${tender.url}/c/x${tail}`, key: 'x', method: 'CreditCard' })
      const reply = await fetch(`${tender.url}/sandbox/tokens`, { method: 'POST', body, redirect: 'manual' })
      const location = reply.headers.get('location') ?? ''
      expect([tail, reply.status]).toEqual([tail, 303])
      expect(location).toMatch(/^[\x21-\x7e]+$/)
      expect(location.startsWith(`${tender.url}/c/x%`)).toBe(true)
      expect(reply.headers.get('set-cookie')).toBeNull()
    }
  })
})

describe('an instant', () => {
  const NO_INSTANTS = [
    '9999-12-31T23:59:59-14:00',
    '0001-01-01T00:00:00+14:00',
    '0000-01-01T00:00:00Z',
    '2031-02-31T00:00:00Z',
    '2031-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2031-04-31T00:00:00Z',
    '2031-00-10T00:00:00Z',
    '2031-01-00T00:00:00Z',
    '2031-13-01T00:00:00Z',
    '2031-01-01T24:00:00Z',
    '2031-01-01T23:60:00Z',
    '2016-12-31T23:59:60Z',
    '2031-01-01T00:00:00+14:01',
    '2031-01-01T00:00:00+23:00',
    '2031-01-01T00:00:00+05:60',
    '+010000-01-01T00:00:00Z',
    '2031-01-01',
    '2031-01-01T00:00:00',
  ]

  it('that is invalid or out of range is refused with the field name, in every field', async () => {
    for (const time of NO_INSTANTS) {
      const text = encodeURIComponent(time)
      const replies = [
        [
          'expirationTime',
          tender.sandbox.call('POST', 'payments/hosted-page', hostedPage({ expirationTime: time })),
        ],
        ['since', tender.sandbox.call('GET', `events?since=${text}`)],
        ['since', tender.sandbox.call('GET', `webhooks?since=${text}`)],
        ['since', tender.sandbox.call('POST', `webhooks/resend-failed?since=${text}`)],
        ['expiresTime', tender.sandbox.call('POST', 'api-keys', { name: 'x', expiresTime: time })],
      ] as const
      for (const [field, reply] of replies) {
        const { status, body } = await reply
        expect([time, field, status, body.errors?.[0]?.field]).toEqual([time, field, 400, field])
      }
    }
  })

  it('at the limits of the range is accepted', async () => {
    const times = ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59+14:00', '2032-02-29T12:00:00-12:00']
    for (const time of times) {
      const payment = await tender.sandbox.create({ expirationTime: time })
      expect(payment.expirationTime).toBe(new Date(time).toISOString())
      expect((await tender.sandbox.read(payment.paymentId)).expirationTime).toBe(payment.expirationTime)
    }
    const last = await tender.sandbox.call(
      'GET',
      `events?since=${encodeURIComponent('0001-01-01T00:00:00Z')}`,
    )
    expect(last.status).toBe(200)
  })

  it('that is invalid in a cursor is refused', async () => {
    for (const before of ['999999999999999-1-1', '253402300800000-1-1'])
      for (const list of ['events', 'webhooks']) {
        const { status, body } = await tender.sandbox.call('GET', `${list}?before=${before}`)
        expect([before, list, status, body.errors?.[0]?.field]).toEqual([before, list, 400, 'before'])
      }
  })
})
