import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { money } from '../../../src/base/money.ts'
import type { Snapshot } from '../../../src/providers/outcome.ts'
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
    await expect.poll(() => calls.at(-1)?.step, { timeout: 20_000 }).toBe('refund')
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

describe('money that arrives after the link, in an app that keeps it', () => {
  const keep = async (acceptLatePayments: boolean | { value: null }) =>
    good(await tender.sandbox.call('PATCH', '', { acceptLatePayments }))
  beforeEach(() => keep(true))
  afterEach(() => keep({ value: null }))

  /** A payment whose link has expired, and whose page the provider did not close. */
  async function expired(): Promise<Answer & { readonly key: string }> {
    const made = await create({ expirationTime: await soon() })
    const key = calls.findLast(({ step }) => step === 'start')?.key ?? ''
    script.retrieve = (reference) => open(reference)
    script.cancel = () => ({ kind: 'not-done', why: 'bad-request' })
    await tender.sandbox.advance('61m')
    expect(await read(made.paymentId)).toMatchObject({ paymentState: 'Failed', failure: { code: 'expired' } })
    calls.length = 0
    return { ...made, key }
  }

  /** The payer pays this one after all, and the provider is read. */
  async function paysLate(key: string, more: Partial<Snapshot> = {}): Promise<void> {
    script.retrieve = (reference) => (reference === key ? snapshot(reference, more) : cancelled(reference))
    await tender.sandbox.advance('25h')
  }
  const refunds = () => calls.filter(({ step }) => step === 'refund')

  it('is accepted, once, and can be refunded as always', async () => {
    const { paymentId, key } = await expired()
    await paysLate(key)
    expect(await read(paymentId)).toMatchObject({
      ...{ paymentState: 'Captured', capturedAmount: 25.5, failure: null, lastError: null },
    })
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Captured' })
    await tender.sandbox.advance('25h')
    expect(refunds()).toEqual([])
    const attempts = good(await tender.sandbox.call('GET', `payments/${paymentId}/attempts`))
    expect(attempts.at(-1)).toMatchObject({ status: 'Approved' })
    expect(good(await tender.sandbox.act(paymentId, 'refund')).paymentState).toBe('Refunded')
  })

  it('is read once more, for what was reported while the payment was still failed', async () => {
    const { paymentId, key } = await expired()
    await paysLate(key)
    expect(await read(paymentId)).toMatchObject({ paymentState: 'Captured' })
    const lost = { id: 'd', state: 'lost', amount: money(2550n, 'EUR') } as const
    await paysLate(key, { disputes: [lost] })
    expect(await read(paymentId)).toMatchObject({ paymentState: 'Refunded' })
  })

  it.each<[string, Partial<Snapshot>]>([
    ['a part of the amount', { authorised: money(2550n, 'EUR'), captured: money(1000n, 'EUR') }],
    ['disputed already', { disputes: [{ id: 'd', state: 'open', isRefundable: true }] }],
  ])('is given back if it is %s', async (_what, more) => {
    const { paymentId, key } = await expired()
    await paysLate(key, more)
    expect(await read(paymentId)).toMatchObject({ paymentState: 'Failed', capturedAmount: 0 })
    expect(refunds()).toHaveLength(1)
  })

  it('is given back if the merchant had cancelled the payment', async () => {
    const { paymentId } = await create()
    script.retrieve = (reference) => open(reference)
    expect(good(await tender.sandbox.act(paymentId, 'cancel')).paymentState).toBe('Failed')
    script.retrieve = (reference) => snapshot(reference)
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Failed' })
    await expect.poll(() => calls.at(-1)?.step, { timeout: 20_000 }).toBe('refund')
  })

  it('is not accepted once a refund was sent, whatever the setting is later', async () => {
    await keep(false)
    const { paymentId, key } = await expired()
    script.refund = () => ({ kind: 'unknown', why: 'timeout' })
    await paysLate(key)
    expect(refunds().length).toBeGreaterThan(0)
    await keep(true)
    await paysLate(key)
    expect(await read(paymentId)).toMatchObject({ paymentState: 'Failed' })
  })
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
