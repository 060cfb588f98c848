import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TRANSITIONS } from '../../../src/payments/machine.ts'
import { continuesWith, isOneStep } from '../../../src/payments/provider/one-step.ts'
import { abilitiesFor } from '../../../src/providers/abilities.ts'
import { adyen } from '../../../src/providers/adyen/adapter.ts'
import { EVENTS } from '../../../src/providers/adyen/codes.ts'
import { operation, purchase } from '../../../src/providers/contract/core.ts'
import { type AdyenAccount, openAccount } from './account.ts'

let account: AdyenAccount

describe('connecting', () => {
  const HOOKS = '/v3/merchants/TenderSimulatorECOM/webhooks'
  const bodies = (method: string) =>
    account.simulator.requests
      .filter((request) => request.method === method && request.path.startsWith(HOOKS))
      .filter(({ body }) => body !== '')
      .map(({ body }) => JSON.parse(body))

  afterEach(() => account.close())

  it('subscribes to every event that the adapter handles', async () => {
    account = await openAccount()
    const context = account.context({ notifyUrl: 'https://tender.example/new' })
    expect(await adyen.connect?.(context)).toMatchObject({ ok: true })
    const [{ additionalSettings }] = bodies('POST')
    expect(additionalSettings.includeEventCodes).toEqual(EVENTS)
    expect(additionalSettings.includeEventCodes).toEqual(
      expect.arrayContaining(['CHARGEBACK', 'SCHEME_ARBITRATION_LOST', 'TECHNICAL_CANCEL', 'EXPIRE']),
    )
    expect(additionalSettings.properties).toMatchObject({ addRawAcquirerResult: true })
    const key = account.simulator.requests.find(({ path }) => path.endsWith('/generateHmac'))
    expect([key?.headers['content-type'], key?.body]).toEqual(['application/json', ''])
  })

  it('gives a webhook that exists the events that it lacks, and keeps its key', async () => {
    account = await openAccount({ webhookEvents: ['REPORT_AVAILABLE', 'CHARGEBACK'] })
    const { hmacKey } = account.simulator.settings
    expect(await adyen.connect?.(account.context())).toEqual({ ok: true, settings: { hmacKey } })
    const [{ additionalSettings }] = bodies('PATCH')
    expect(additionalSettings.includeEventCodes).toEqual(
      expect.arrayContaining([...EVENTS, 'REPORT_AVAILABLE']),
    )
    expect(await adyen.connect?.(account.context())).toMatchObject({ ok: true })
    expect(bodies('PATCH')).toHaveLength(1)
    expect(account.simulator.webhookEndpoints).toHaveLength(1)
  })

  it('does without an event that the account cannot have', async () => {
    account = await openAccount({ webhookEvents: [] })
    account.simulator.unknownEvents.add('SETTLED_REVERSED')
    expect(await adyen.connect?.(account.context())).toMatchObject({ ok: true })
    expect(bodies('PATCH').at(-1).additionalSettings.includeEventCodes).toContain('CHARGEBACK')
  })
})

describe('a stored card whose bank wants the customer', () => {
  let token = ''
  beforeEach(async () => {
    account = await openAccount()
    const op = operation('start')
    const opened = await adyen.start(account.context(), op, purchase({ storeMethod: true }))
    if (opened.kind !== 'redirect') throw new Error(opened.kind)
    await account.simulator.payer(opened.url, { kind: 'save' })
    const seen = await adyen.retrieve(account.context(), op.reference, opened.handles, {
      ...{ currency: 'EUR', reported: await account.reported(op.reference) },
    })
    token = (seen.kind === 'snapshot' && seen.facts.stored?.token) || ''
  })
  afterEach(() => account.close())

  it.each(['RedirectShopper', 'ChallengeShopper', '38'])('is paid on a page: %s', async (code) => {
    account.simulator.arm({ kind: 'decline', operation: 'charge', code })
    const op = operation('charge')
    const charge = () => adyen.charge(account.context(), op, purchase({ customerPresent: true }), token)
    const outcome = await charge()
    if (outcome.kind !== 'redirect') throw new Error(outcome.kind)
    expect(outcome.handles).toEqual({ link: expect.any(String) })
    const request = account.simulator.requests.findLast(({ path }) => path === '/v72/paymentLinks')
    expect(JSON.parse(request?.body ?? '{}')).toMatchObject({ shopperReference: token.split('/')[0] })
    // A repeated request opens no other page and charges nothing.
    expect(await charge()).toEqual(outcome)
    expect(account.simulator.ledger(op.reference)).toEqual([])
    await account.simulator.payer(outcome.url, { kind: 'challenge' })
    const reported = await account.reported(op.reference)
    const about = { currency: 'EUR', reported }
    expect(await adyen.retrieve(account.context(), op.reference, outcome.handles, about)).toMatchObject({
      stage: 'authorised',
    })
    expect(account.simulator.ledger(op.reference).map(({ kind }) => kind)).toEqual(['authorise'])
  })

  it('can be cancelled while the customer is away', async () => {
    account.simulator.arm({ kind: 'decline', operation: 'charge', code: 'RedirectShopper' })
    const op = operation('charge')
    const outcome = await adyen.charge(account.context(), op, purchase({ customerPresent: true }), token)
    if (outcome.kind !== 'redirect') throw new Error(outcome.kind)
    const cancel = operation('cancel', op.reference)
    expect((await adyen.cancel(account.context(), cancel, outcome.handles)).kind).toBe('approved')
    await expect(account.simulator.payer(outcome.url, { kind: 'pay' })).rejects.toThrow('410')
  })

  it('is declined if the customer is not there', async () => {
    account.simulator.arm({ kind: 'decline', operation: 'charge', code: 'RedirectShopper' })
    const op = operation('charge')
    expect(
      await adyen.charge(account.context(), op, purchase({ customerPresent: false }), token),
    ).toMatchObject({ kind: 'declined', reason: 'authentication-required' })
  })
})

describe('a check', () => {
  afterEach(() => account.close())

  it('fails while notifications cannot be verified', async () => {
    account = await openAccount()
    const { config, ...context } = account.context()
    expect(await adyen.check({ ...context, config: { ...config, hmacKeys: [] } })).toMatchObject({
      ...{ ok: false, problem: expect.stringContaining('connect the profile first') },
    })
    expect(await adyen.check(account.context())).toMatchObject({
      ok: true,
      account: account.simulator.settings.merchantAccount,
    })
  })
})

describe('a stored card whose sale began at a provider of one step', () => {
  const { CreditCard: card } = adyen.manifest.methods
  const sale = { state: 'SaleInProgress', autoCapture: true } as const

  it('fails over to Adyen, which authorises it and captures at once', () => {
    if (!card) throw new Error('Adyen takes cards')
    const stored = abilitiesFor(card, true)
    expect(stored).toMatchObject({ sale: false, authoriseOnly: true, chargeStored: true })
    expect(continuesWith(sale, stored)).toBe(true)
    expect(isOneStep(sale, { offer: { abilities: card }, token: 'tok' }, undefined)).toBe(false)
    expect(continuesWith({ ...sale, autoCapture: false }, stored), 'a reservation is no sale').toBe(false)
    const next = TRANSITIONS.findLast(({ from, on }) => from === 'SaleInProgress' && on === 'authorized')
    expect(next).toMatchObject({ to: 'Capturing', effect: 'provider.capture' })
  })
})
