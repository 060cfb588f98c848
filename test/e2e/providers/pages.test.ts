import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, good, hostedPage, newReference } from '../../support/tender.ts'
import { cancelled, open, type Script, type Scripted, snapshot, startScripted } from './scripted.ts'

/** Pages of a provider that takes the money there, when they must be closed. */

let scripted: Scripted
let tender: Scripted['tender']
let script: Script
let calls: Scripted['calls']

beforeAll(async () => {
  scripted = await startScripted('e2e_provider_pages')
  ;({ tender, script, calls } = scripted)
})
afterAll(() => tender?.stop())
beforeEach(() => scripted.reset())

const create = (more?: object): Promise<Answer> => scripted.create(more)
const recheck = (paymentId: number): Promise<Answer> => scripted.recheck(paymentId)
const read = (paymentId: number): Promise<Answer> => scripted.read(paymentId)
const soon = (): Promise<string> => scripted.soon()

describe('an expired link', () => {
  it('closes the page at the provider first', async () => {
    const { paymentId } = await create({ expirationTime: await soon() })
    script.retrieve = (reference) => open(reference)
    await tender.sandbox.advance('61m')
    expect(await read(paymentId)).toMatchObject({ paymentState: 'Failed', failure: { code: 'expired' } })
    expect(calls.at(-1)).toMatchObject({ step: 'cancel' })
  })

  it('waits while the provider cannot close its page', async () => {
    const { paymentId } = await create({ expirationTime: await soon() })
    script.retrieve = (reference) => open(reference)
    script.cancel = () => ({ kind: 'unknown', why: 'timeout' })
    await tender.sandbox.advance('61m')
    expect((await read(paymentId)).paymentState).toBe('Created')
    script.retrieve = (reference) => snapshot(reference)
    await tender.sandbox.advance('2h')
    expect((await read(paymentId)).paymentState).toBe('Captured')
  })

  it('gives back what still comes', async () => {
    const { paymentId } = await create({ expirationTime: await soon() })
    script.retrieve = (reference) => open(reference)
    await tender.sandbox.advance('61m')
    expect((await read(paymentId)).paymentState).toBe('Failed')
    script.retrieve = (reference) => snapshot(reference)
    await recheck(paymentId)
    expect(calls.at(-1)?.step).toBe('refund')
  })

  it.each(['bad-request', 'unsupported', 'bad-credentials'] as const)(
    'ends although the provider refuses to close its page (%s), and gives back what comes there',
    async (why) => {
      const { paymentId } = await create({ expirationTime: await soon() })
      const own = calls.findLast(({ step }) => step === 'start')?.key
      script.retrieve = (reference) => open(reference)
      script.cancel = () => ({ kind: 'not-done', why })
      await tender.sandbox.advance('61m')
      expect(await read(paymentId)).toMatchObject({ paymentState: 'Failed', failure: { code: 'expired' } })
      script.retrieve = (reference) => (reference === own ? snapshot(reference) : cancelled(reference))
      await tender.sandbox.advance('25h')
      expect(calls.filter(({ step }) => step === 'refund')).toHaveLength(1)
      expect(await read(paymentId)).toMatchObject({ paymentState: 'Failed', capturedAmount: 0 })
    },
  )
})

describe('a payer who chooses another way', () => {
  it('stays with a page that the provider refuses to close, and what is paid there is found', async () => {
    const body = { ...hostedPage({ referenceId: newReference() }), paymentProfiles: [scripted.profileId] }
    const { paymentId, redirectUrl } = good(await tender.sandbox.call('POST', 'payments/hosted-page', body))
    const choose = async (place: number) => {
      const html = await (await fetch(redirectUrl)).text()
      const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec(html) ?? []
      const ways = [...html.matchAll(/name="way"[^>]*value="([^"]+)"|value="([^"]+)"[^>]*name="way"/g)]
      const way = ways[place]?.slice(1).find(Boolean) ?? ''
      const form = new URLSearchParams({ attempt, way })
      return fetch(`${redirectUrl}/pay`, { method: 'POST', body: form, redirect: 'manual' })
    }
    await choose(0)
    script.retrieve = (reference) => open(reference)
    script.cancel = () => ({ kind: 'not-done', why: 'bad-request' })
    expect((await choose(1)).headers.get('location')).toContain('open=yes')
    expect(calls.map(({ step }) => step)).toEqual(['start', 'cancel'])
    script.retrieve = (reference) => snapshot(reference)
    await tender.sandbox.advance('25h')
    expect((await read(paymentId)).paymentState).toBe('Captured')
  })
})

it('a page that the provider does not close is read again, also if no notification comes', async () => {
  const { paymentId } = await create()
  script.cancel = () => ({ kind: 'not-done', why: 'bad-credentials' })
  script.retrieve = (reference) => open(reference)
  expect(good(await tender.sandbox.act(paymentId, 'cancel')).paymentState).toBe('Created')
  script.retrieve = (reference) => snapshot(reference)
  await tender.sandbox.advance('25h')
  expect((await read(paymentId)).paymentState).toBe('Captured')
})
