import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../src/base/log.ts'
import { money } from '../../../src/base/money.ts'
import { createHttp } from '../../../src/net/http.ts'
import type { BtcpayOptions } from './simulator.ts'
import { type BtcpayWorld, btcpay, createWorld, operation, VERSIONS } from './world.ts'

describe.each(VERSIONS)('a server of version %s', (version) => {
  let world: BtcpayWorld

  const open = async (options?: BtcpayOptions): Promise<BtcpayWorld> => {
    world = await createWorld({ version, ...options })
    return world
  }

  afterEach(async () => {
    expect(world.simulator.violations).toEqual([])
    await world.close()
  })

  const inbound = (sent: { headers: Readonly<Record<string, string>>; body: string }) => ({
    headers: sent.headers,
    rawBody: Buffer.from(sent.body),
    url: 'https://tender.example/',
  })

  describe('connecting a store', () => {
    it('registers the webhook and stores its secret, once however often it is done', async () => {
      const { simulator, context } = await open()
      const { notifyUrl } = context()
      const first = await btcpay.connect?.(context())
      const second = await btcpay.connect?.(context())
      const endpoints = simulator.webhookEndpoints.filter(({ url }) => url === notifyUrl)
      expect(endpoints).toHaveLength(1)
      expect(second).toEqual({ ok: true, settings: { webhookSecret: endpoints[0]?.secret } })
      expect(first).not.toEqual(second)
    })

    it('verifies notifications with that secret', async () => {
      const { simulator, context, open: openInvoice } = await open()
      const connected = await btcpay.connect?.(context())
      if (!connected?.ok) throw new Error('not connected')
      const config = { ...context().config, ...connected.settings }
      simulator.takeNotifications()
      const opened = await openInvoice()
      const answers = await Promise.all(
        simulator.takeNotifications().map((sent) => btcpay.receive(context({ config }), inbound(sent))),
      )
      // The webhook that the simulator has from the start signs with another secret.
      expect(answers).toEqual([
        { kind: 'forged' },
        { kind: 'events', hints: [{ reference: opened.reference }] },
      ])
    })

    it('says in a sentence what is wrong with the key', async () => {
      const { context, simulator } = await open({ permissions: ['btcpay.store.canviewinvoices'] })
      expect(await btcpay.check(context({ config: simulator.wrongSettings as never }))).toMatchObject({
        ok: false,
        problem: 'The server did not accept the API key.',
        code: 'credentials',
      })
      expect(await btcpay.check(context())).toMatchObject({
        ok: false,
        problem: expect.stringContaining('btcpay.store.canviewpullpayments'),
        code: 'permission',
      })
      expect(await btcpay.connect?.(context())).toMatchObject({
        ok: false,
        problem: expect.stringContaining('btcpay.store.webhooks.canmodifywebhooks'),
      })
      const other = { ...context().config, storeId: 'another' }
      expect(await btcpay.check(context({ config: other }))).toMatchObject({
        ok: false,
        problem: expect.stringContaining('no access to this store'),
      })
    })

    it('compares the version of the server with the lowest one that was tested', async () => {
      const { context } = await open()
      expect(await btcpay.check(context())).toMatchObject({ ok: true, account: context().config.storeId })
      await world.close()
      const old = await open({ version: '2.2.1' })
      expect(await btcpay.check(old.context())).toMatchObject({
        ok: false,
        problem: expect.stringMatching(/has version 2\.2\.1\..* 2\.3\.0/),
      })
      await world.close()
      const strange = await open({ version: 'unreleased' })
      expect(await btcpay.check(strange.context())).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('version')],
      })
    })

    it.each([
      ['FORBIDDEN_ADDRESS', 'private address'],
      ['ENOTFOUND', 'could not be reached (ENOTFOUND)'],
    ])('explains %s', async (cause, message) => {
      const { context } = await open()
      const unreachable = context({ http: { call: async () => ({ kind: 'not-sent', cause }) } })
      expect(await btcpay.check(unreachable)).toMatchObject({
        ok: false,
        problem: expect.stringContaining(message),
      })
    })

    it('is not called on a private address unless that is allowed', async () => {
      const { context, simulator } = await open()
      const http = createHttp(silentLog, undefined, { allowPrivate: false })
      const guarded = context({ http: { call: (call) => http.call({ ...call, isGuarded: true }) } })
      expect(await btcpay.check(guarded)).toMatchObject({
        ok: false,
        problem: 'The server has a private address, which this installation does not call.',
        code: 'unreachable',
      })
      expect(simulator.requests).toEqual([])
      await http.close()
    })

    it('does not take a web page for a BTCPay Server', async () => {
      const { context, proxy } = await open()
      proxy.arm({ kind: 'html' })
      expect(await btcpay.check(context())).toMatchObject({
        ok: false,
        problem: expect.stringContaining('does not come from a BTCPay Server'),
      })
    })
  })

  describe('notifications', () => {
    it('names the payment whose refund was claimed', async () => {
      const { simulator, context, paid } = await open()
      const payment = await paid()
      const op = operation('refund', payment.reference)
      await btcpay.refund(context(), op, payment.handles, money(1050n, 'EUR'))
      simulator.takeNotifications()
      simulator.dashboard(payment.reference, { kind: 'settle' })
      const sent = simulator.takeNotifications()
      expect(sent.map(({ body }) => JSON.parse(body).type)).toEqual([
        'PayoutCreated',
        'PayoutApproved',
        'PayoutUpdated',
      ])
      for (const one of sent)
        expect(await btcpay.receive(context(), inbound(one))).toEqual({
          kind: 'events',
          hints: [{ reference: payment.reference }],
        })
    })

    it('is verified later if the server cannot be asked what a claim belongs to', async () => {
      const { simulator, context, paid, proxy } = await open()
      const payment = await paid()
      simulator.dashboard(payment.reference, { kind: 'refund' })
      simulator.takeNotifications()
      simulator.dashboard(payment.reference, { kind: 'settle' })
      const [claim] = simulator.takeNotifications()
      if (!claim) throw new Error('no notification')
      proxy.arm({ kind: 'error-before' })
      await expect(btcpay.receive(context(), inbound(claim))).rejects.toThrow('did not tell')
      expect(await btcpay.receive(context(), inbound(claim))).toMatchObject({ kind: 'events' })
    })

    it('ignores other stores, other invoices of the store and tests of the webhook', async () => {
      const { simulator, context, open: openInvoice } = await open()
      await openInvoice()
      const [sent] = simulator.takeNotifications()
      if (!sent) throw new Error('no notification')
      const other = { ...context().config, storeId: 'another' }
      expect(await btcpay.receive(context({ config: other }), inbound(sent))).toEqual({ kind: 'ignored' })
      simulator.notify({ type: 'InvoiceSettled', metadata: { orderId: 'order 17 of the shop' } })
      simulator.notify({ type: 'InvoiceSettled', metadata: {} })
      simulator.notify({ type: 'InvoiceCreated' })
      simulator.notify({ type: 'PayoutUpdated', pullPaymentId: 'unknown' })
      const answers = await Promise.all(
        simulator.takeNotifications().map((one) => btcpay.receive(context(), inbound(one))),
      )
      expect(answers).toEqual(Array.from({ length: 4 }, () => ({ kind: 'ignored' })))
    })

    it('is refused without the secret of the webhook', async () => {
      const { simulator, context, open: openInvoice } = await open()
      await openInvoice()
      const [sent] = simulator.takeNotifications()
      if (!sent) throw new Error('no notification')
      const { webhookSecret: _secret, ...config } = context().config
      expect(await btcpay.receive(context({ config }), inbound(sent))).toEqual({ kind: 'forged' })
    })
  })
})
