import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { answerWith, type Receiver, startReceiver } from '../../support/receiver.ts'
import { type Answer, good } from '../../support/tender.ts'

/** The pages of further webhook addresses. */

let world: TestConsole
let books: Receiver
beforeAll(async () => {
  books = await startReceiver()
  world = await startTestConsole('console_endpoints')
})
afterAll(async () => {
  await world?.stop()
  await books?.stop()
})

const NEW = 'developers/endpoints/new'
const listed = async (): Promise<Answer[]> => good(await world.sandbox.call('GET', 'webhook-endpoints'))
const secretIn = (html: string): string => /whsec_[\w+/=]+/.exec(html)?.[0] ?? ''

/** The page of an address, and the secret that the form showed. */
async function added(fields: Record<string, string> = {}) {
  const before = new Set((await listed()).map(({ endpointId }) => endpointId))
  const { status, html } = await world.post('Owner', NEW, { url: books.url, ...fields })
  const one = (await listed()).find(({ endpointId }) => !before.has(endpointId))
  if (!one) throw new Error(`no endpoint: ${status}`)
  return { page: `developers/endpoints/${one.endpointId}`, secret: secretIn(html), one }
}

describe('the form of an address', () => {
  it('adds one with its header and states, and shows its secret once and its header never', async () => {
    const header = { scheme: 'Basic', parameter: 'b00ks-of-the-shop' }
    const { page, secret, one } = await added({ ...header, states: 'Captured' })
    expect(secret).toMatch(/^whsec_/)
    expect(one).toMatchObject({ url: books.url, states: ['Captured'], isPaused: false })
    for (const path of [page, 'developers/webhooks']) {
      const { html } = await world.get('Owner', path)
      expect(html).toContain(books.url)
      expect(html).not.toContain(secret)
      expect(html).not.toContain('b00ks-of-the-shop')
    }
    const { html } = await world.get('Owner', page)
    expect(html).toContain('value="Basic"')
    expect(html).toMatch(/value="Captured" checked/)
    expect(html).not.toMatch(/value="Failed" checked/)
    const { paymentId } = await world.sandbox.paid()
    await books.count(1)
    expect(books.states(paymentId)).toEqual(['Captured'])
    expect(books.hooks[0]?.headers.authorization).toBe('Basic b00ks-of-the-shop')
  })

  it('is refused with the problem beside the field, keeps what was typed, and adds nothing', async () => {
    const before = await listed()
    const wrong = { url: 'nowhere', scheme: 'Odd', states: 'Refunded', paused: 'on' }
    const { status, html } = await world.post('Owner', NEW, wrong)
    expect(status).toBe(400)
    expect(html).toMatch(/id="endpoint-url"[^>]*aria-invalid="true"/)
    for (const kept of [
      /value="nowhere"/,
      /value="Odd"/,
      /value="Refunded" checked/,
      /name="paused"[^>]* checked/,
    ])
      expect(html).toMatch(kept)
    expect(await listed()).toEqual(before)
  })

  it('changes it, keeps the header that is not typed again, and pauses it', async () => {
    const { page, one } = await added({ scheme: 'Bearer', parameter: 'kept-value', states: 'Captured' })
    const read = async () => (await listed()).find(({ endpointId }) => endpointId === one.endpointId)
    const change = { url: `${books.url}/two`, scheme: 'Bearer', parameter: '', states: 'Refunded' }
    const saved = await world.post('Owner', page, { ...change, paused: 'on' })
    expect(saved.location).toMatch(/note=endpoint-saved$/)
    expect(await read()).toMatchObject({ url: change.url, states: ['Refunded'], isPaused: true })
    const html = (await world.get('Owner', 'developers/webhooks')).html
    expect(html).toMatch(/Paused/)
    // Without a tick it is told of every state, and goes on.
    await world.post('Owner', page, { url: books.url, scheme: 'Bearer', parameter: '' })
    expect(await read()).toMatchObject({ states: null, isPaused: false })
    books.answer = answerWith(200)
    const from = books.hooks.length
    expect((await world.post('Owner', `${page}/test`, {}, page)).location).toContain('note=tested&status=200')
    expect(books.hooks.slice(from).map(({ headers }) => headers.authorization)).toEqual(['Bearer kept-value'])
    const refused = await world.post('Owner', page, { url: 'ftp://x', scheme: '', parameter: '' })
    expect(refused.status).toBe(400)
    expect(await read()).toMatchObject({ url: books.url })
  })

  it('chooses kinds, shows them on both pages, and takes all without a tick', async () => {
    const { page, one } = await added({ states: 'Captured', kinds: 'refund' })
    expect(one).toMatchObject({ states: ['Captured'], kinds: ['refund'] })
    const { html } = await world.get('Owner', page)
    expect(html).toMatch(/name="kinds" value="refund" checked/)
    expect(html).not.toMatch(/name="kinds" value="payment" checked/)
    expect((await world.get('Owner', 'developers/webhooks')).html).toContain('Refunds · Captured')
    const wrong = { url: books.url, scheme: '', parameter: '', kinds: 'payout' }
    expect((await world.post('Owner', page, wrong)).status).toBe(400)
    const kinds = async () => (await listed()).find(({ endpointId }) => endpointId === one.endpointId)?.kinds
    expect(await kinds()).toEqual(['refund'])
    expect((await world.post('Owner', page, { ...wrong, kinds: 'dispute' })).status).toBe(303)
    expect(await kinds()).toEqual(['dispute'])
    await world.post('Owner', page, { url: books.url, scheme: '', parameter: '' })
    expect(await kinds()).toBeNull()
  })
})

describe('an address', () => {
  it('is tried, and says what was answered', async () => {
    const { page } = await added()
    books.answer = answerWith(503)
    const { status, html } = await world.post('Owner', `${page}/test`, {}, page)
    expect([status, /role="alert"|class="notice/.test(html)]).toEqual([422, true])
    expect(html).toContain('503')
    books.answer = answerWith(200)
  })

  it('gets a new secret after a question, shown once', async () => {
    const { page, secret } = await added()
    expect((await world.get('Developer', `${page}/secret`)).html).toContain('<form')
    const { html } = await world.post('Developer', `${page}/secret`, {})
    expect(secretIn(html)).toMatch(/^whsec_/)
    expect(secretIn(html)).not.toBe(secret)
    expect((await world.get('Owner', page)).html).not.toContain(secretIn(html))
  })

  it('is removed after a question', async () => {
    const { page, one } = await added()
    expect((await world.get('Owner', `${page}/remove`)).html).toContain(new URL(books.url).host)
    expect(await listed()).toContainEqual(expect.objectContaining({ endpointId: one.endpointId }))
    expect((await world.post('Owner', `${page}/remove`, {})).location).toContain('note=endpoint-removed')
    expect((await listed()).map(({ endpointId }) => endpointId)).not.toContain(one.endpointId)
    expect((await world.get('Owner', page)).status).toBe(404)
  })

  it('is changed by those who may, and belongs to its app', async () => {
    const { page, one } = await added()
    const before = await listed()
    // Developers test and roll; where the webhooks go is for others.
    const shown = (await world.get('Developer', page)).html
    expect(shown).toContain(`${page}/test`)
    expect(shown).not.toContain(`${page}/remove`)
    for (const [path, fields] of [
      [page, { url: 'https://elsewhere.example/' }],
      [`${page}/remove`, {}],
      [NEW, { url: 'https://elsewhere.example/' }],
    ] as const)
      expect([path, (await world.post('Developer', path, fields, 'developers/keys/new')).status]).toEqual([
        path,
        403,
      ])
    expect((await world.get('Support', page)).status).toBe(403)
    const elsewhere = `/console/${world.live.appId}/developers/endpoints/${one.endpointId}`
    expect((await world.get('Owner', elsewhere)).status).toBe(404)
    const posted = await world.post('Owner', `${elsewhere}/remove`, {}, `/console/${world.live.appId}/${NEW}`)
    expect(posted.status).toBe(404)
    expect(await listed()).toEqual(before)
  })
})
