import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeLogs } from '../../../src/logs/jobs.ts'
import { sessions } from '../../../src/people/sessions/cache.ts'
import { enableTotp, prepareTotp } from '../../../src/people/store/secrets.ts'
import { codeOf, stepOf } from '../../../src/people/totp/totp.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Answer, good } from '../../support/tender.ts'

let console_: TestConsole
beforeAll(async () => {
  console_ = await startTestConsole('console_payment')
})
afterAll(() => console_?.stop())

const paid = (more: object = {}) => console_.sandbox.paid({ amount: 25.5, ...more })
const page = (payment: Answer, more = '') => `payments/${payment.paymentId}${more}`
const stateOf = (html: string) => /<h1>.*?data-state="(\w+)"/s.exec(html)?.[1]
const refundedOf = async ({ paymentId }: Answer) => (await console_.sandbox.read(paymentId)).refundedAmount

describe('the page of a payment', () => {
  it('shows state, facts, items, timeline and what the API returns', async () => {
    const order = {
      orderId: '10042',
      customer: { customerId: 'dana', firstName: 'Dana', lastName: 'Klein' },
      items: [{ name: 'Blue chair', amount: 25.5, quantity: 1, sku: 'CH-1' }],
    }
    const payment = await paid({ customerOrder: order })
    const { status, html } = await console_.get('Viewer', page(payment))
    expect(status).toBe(200)
    expect(stateOf(html)).toBe('Captured')
    for (const text of ['Order 10042', 'Dana Klein', '•••• 4242', 'Blue chair', 'CH-1', payment.referenceId])
      expect(html).toContain(text)
    expect(html).toContain('data-state="Created"')
    expect(html).toContain('&quot;paymentState&quot;: &quot;Captured&quot;')
  })

  it('tells declines, attempts and providers in the language of the person', async () => {
    const { paymentId } = await console_.sandbox.create({})
    for (let attempt = 0; attempt < 2; attempt++)
      good(await console_.sandbox.pay(paymentId, { outcome: 'insufficient-funds' }))
    const english = (await console_.get('Owner', `payments/${paymentId}`)).html
    const german = (await console_.get('Owner', `payments/${paymentId}?lang=de`)).html
    expect(english).toContain('The account does not have enough money.')
    const shown = german.slice(0, german.indexOf('id="raw"'))
    expect(shown).not.toContain('The account does not have enough money.')
    expect(shown).not.toContain('<code> insufficient-funds</code>')
    const said = /<td[^>]*><span class="wrap">Das Konto ist nicht ausreichend gedeckt\./g
    expect(shown.match(said)).toHaveLength(2)
    expect(shown).toMatch(/<dd><bdi>Sandbox<\/bdi><\/dd>/)
  })

  it('escapes what customers wrote', async () => {
    const text = '<script>alert(1)</script>'
    const order = { orderId: text, customer: { customerId: text, firstName: text }, items: [{ name: text }] }
    const payment = await paid({ customerOrder: order, referenceId: `${text}-1` })
    for (const path of ['', '/refund', '/mark-disputed'])
      expect((await console_.get('Owner', page(payment, path))).html).not.toContain('<script>alert')
  })

  it('shows what is disputed, until when it can be answered, and where', async () => {
    const payment = await paid()
    const dispute = {
      ...{
        id: 'dp_1',
        state: 'open',
        amountMinor: '2550',
        reason: 'fraudulent',
        evidenceDue: '2026-12-01T00:00:00Z',
      },
      url: 'https://pay.example/disputes/1',
    }
    await console_.tender.service.ctx.db.query(
      { name: 'test.dispute', text: 'update payments set pay_info = $2 where payment_id = $1' },
      [payment.paymentId, JSON.stringify({ disputes: [dispute] })],
    )
    const { html } = await console_.get('Viewer', page(payment))
    for (const text of ['Dispute: Open', 'fraudulent', 'Evidence is due', '2026-12-01T00:00', dispute.url])
      expect(html).toContain(text)
  })

  it('filters the timeline', async () => {
    const payment = await paid()
    await console_.post('Owner', page(payment, '/refund'), { amount: '1', reason: 'damaged' })
    const people = await console_.get('Owner', page(payment, '?show=people'))
    expect(people.html).toContain('requested a refund')
    expect(people.html).not.toContain('class="item state"')
    expect((await console_.get('Owner', page(payment, '?show=state'))).html).toContain('class="item state"')
    await writeLogs(console_.tender.service.ctx)
    const calls = (await console_.get('Owner', page(payment, '?show=api'))).html
    expect(calls).toContain('API key <bdi>“First key”</bdi>')
  })

  it('is not found with the id of another app or of nothing', async () => {
    const other = await console_.tender.newMerchant()
    const payment = await other.sandbox.create()
    expect((await console_.get('Owner', page(payment))).status).toBe(404)
    expect((await console_.get('Owner', 'payments/no-number')).status).toBe(404)
  })

  it('offers to each role what it may do', async () => {
    const payment = await paid()
    const buttons = async (role: 'Owner' | 'Support' | 'Developer' | 'Viewer') => {
      const { html } = await console_.get(role, page(payment))
      const names = ['Refund', 'Recheck', 'Mark as disputed', 'Resend the last webhook']
      return names.filter((name) => new RegExp(`<button[^>]*>${name}</button>`).test(html))
    }
    expect(await buttons('Owner')).toEqual([
      'Refund',
      'Recheck',
      'Mark as disputed',
      'Resend the last webhook',
    ])
    expect(await buttons('Support')).toEqual(['Refund'])
    expect(await buttons('Developer')).toEqual(['Resend the last webhook'])
    expect(await buttons('Viewer')).toEqual([])
    expect((await console_.get('Viewer', page(payment, '/refund'))).status).toBe(403)
    expect((await console_.post('Viewer', page(payment, '/refund'), {}, page(payment))).status).toBe(403)
  })
})

describe('a refund', () => {
  it('returns a part, and tells of it', async () => {
    const payment = await paid()
    expect((await console_.get('Support', page(payment, '/refund'))).html).toContain('within 5 to 10 days')
    const asked = await console_.get('Owner', page(payment, '/refund'))
    expect(asked.html).toContain('dana gets €25.50 back to Visa •••• 4242.')
    expect(asked.html).toMatch(/data-amount-text="Refund \{amount\}"[^>]*>Refund<\/button>/)
    const { status, location } = await console_.post('Owner', page(payment, '/refund'), {
      amount: '10,5',
      reason: 'damaged',
    })
    expect(status).toBe(303)
    const { html } = await console_.get('Owner', location ?? '')
    expect(html).toContain('Refunded €10.50.')
    expect(html).toContain('“damaged”')
    expect(await refundedOf(payment)).toBe(10.5)
  })

  it('happens once for a form that is sent twice', async () => {
    const payment = await paid()
    const { html } = await console_.get('Owner', page(payment, '/refund'))
    const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const send = (amount: string) => console_.post('Owner', page(payment, '/refund'), { form, amount })
    const answers = await Promise.all([send('4'), send('4')])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    expect(await refundedOf(payment)).toBe(4)
    const changed = await send('5')
    expect(changed.status).toBe(422)
    expect(changed.html).toContain('This form was sent before with other values.')
    expect(await refundedOf(payment)).toBe(4)
  })

  it.each([
    ['100', 'Enter at most €25.50.'],
    ['ten', 'Enter an amount such as 10.00.'],
    ['0', 'Enter an amount such as 10.00.'],
    ['1,000', 'Enter an amount such as 10.00.'],
  ])('of %s is refused beside the field, with the values kept', async (amount, message) => {
    const payment = await paid()
    const { status, html } = await console_.post('Owner', page(payment, '/refund'), {
      amount,
      reason: 'late',
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(html).toContain(message)
    expect(html).toContain(`value="${amount}"`)
    expect(html).toContain('>late</textarea>')
    expect(await refundedOf(payment)).toBe(0)
  })

  it('that the state forbids is explained in a sentence', async () => {
    const payment = await paid()
    const path = page(payment, '/refund')
    const { html } = await console_.get('Owner', path)
    const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
    await console_.sandbox.act(payment.paymentId, 'refund')
    const late = await console_.post('Owner', path, { form, amount: '25.50' }, page(payment))
    expect(late.status).toBe(409)
    expect(late.html).toContain('The payment is now “Refunded”, so this is not possible any more.')
    const asked = await console_.get('Owner', path)
    expect(asked.location).toContain('note=unavailable')
  })

  it('by a Support member stays below the limit', async () => {
    const payment = await paid({ amount: 250 })
    const { html } = await console_.get('Support', page(payment, '/refund'))
    expect(html).toContain('You may refund €100.00 more today.')
    expect(html).toMatch(/data-amount-text="Refund \{amount\}"[^>]*>Refund<\/button>/)
    const above = await console_.post('Support', page(payment, '/refund'), { amount: '100.01' })
    expect(above.status).toBe(403)
    expect(above.html).toContain('You may refund €100.00 more today. Ask an owner or admin for more.')
    expect((await console_.post('Support', page(payment, '/refund'), { amount: '90' })).status).toBe(303)
    const again = await console_.post('Support', page(payment, '/refund'), { amount: '10.01' })
    expect(again.html).toContain('You may refund €10.00 more today.')
  })

  it('that the provider refuses is told', async () => {
    const payment = await paid()
    await console_.sandbox.fault('refund', 'decline')
    const { location } = await console_.post('Owner', page(payment, '/refund'), { amount: '5' })
    expect((await console_.get('Owner', location ?? '')).html).toContain('The provider refused the refund.')
  })
})

describe('a second factor that the app demands', () => {
  const secret = Buffer.from('a secret of twenty bytes')
  const codeNow = () => codeOf(secret, stepOf(console_.tender.service.ctx.clock.now()))
  const demand = (isDemanded: boolean) =>
    console_.sandbox.settings({ isTwoFactorAuthenticationEnabled: { value: isDemanded } })
  beforeAll(async () => {
    const { ctx } = console_.tender.service
    await prepareTotp(ctx.db, 'usr_admin', ctx.vault.seal(secret.toString('base64')))
    await enableTotp(ctx.db, 'usr_admin', ctx.clock.now(), [])
    sessions(ctx).clear()
    await demand(true)
  })
  afterAll(() => demand(false))

  it('is asked for, checked, and used once by a form', async () => {
    const payment = await paid()
    const path = page(payment, '/refund')
    const { html } = await console_.get('Admin', path)
    expect(html).toContain('Code from your authenticator app')
    const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const send = (otpCode: string) =>
      console_.post('Admin', path, { form, amount: '5', reason: 'Torn <b>', otpCode })
    for (const wrong of ['', '000000', 'abc']) {
      const refused = await send(wrong)
      expect(refused.status).toBe(403)
      expect(refused.html).toContain('Enter the current code from your authenticator app.')
    }
    expect(await refundedOf(payment)).toBe(0)
    const code = codeNow()
    expect((await send(code)).status).toBe(303)
    expect((await send(code)).status).toBe(303)
    expect(await refundedOf(payment)).toBe(5)
    const other = await console_.post('Admin', path, { amount: '5', otpCode: code })
    expect(other.status).toBe(403)
    const shown = (await console_.get('Admin', page(payment))).html.replaceAll(/<[^>]+>/g, '')
    expect(shown).toContain('requested a refund “Torn &lt;b>” (with a second factor)')
    expect(await refundedOf(payment)).toBe(5)
  })

  it('must be set up first', async () => {
    const payment = await paid()
    const path = page(payment, '/mark-refunded')
    expect((await console_.get('Owner', path)).html).toContain('Set one up in your profile first.')
    const { status, html } = await console_.post('Owner', path, { note: 'by hand' })
    expect(status).toBe(403)
    expect(html).toContain('Set one up in your profile first.')
    expect(await refundedOf(payment)).toBe(0)
  })

  it('is not asked for other actions', async () => {
    const payment = await paid({ autoCapture: false })
    expect((await console_.post('Owner', page(payment, '/capture'), { amount: '1' })).status).toBe(303)
  })
})

describe('other actions', () => {
  it('capture says when the authorization ends', async () => {
    const payment = await paid({ autoCapture: false })
    const asked = await console_.get('Owner', page(payment, '/capture'))
    expect(asked.html).toContain('The authorization ends on')
    expect(asked.html).toMatch(/data-amount-text="Capture \{amount\}"[^>]*>Capture<\/button>/)
    const { location } = await console_.post('Owner', page(payment, '/capture'), { amount: '20' })
    const { html } = await console_.get('Owner', location ?? '')
    expect(html).toContain('Captured €20.00.')
    expect(stateOf(html)).toBe('Captured')
  })

  it('cancel says what happens to the money', async () => {
    const authorised = await paid({ autoCapture: false })
    const asked = await console_.get('Owner', page(authorised, '/cancel'))
    expect(asked.html).toContain('The reserved €25.50 on Visa •••• 4242 is released.')
    const { location } = await console_.post('Owner', page(authorised, '/cancel'), {})
    expect((await console_.get('Owner', location ?? '')).html).toContain('The payment was cancelled.')
    const open = await console_.sandbox.create()
    expect((await console_.get('Owner', page(open, '/cancel'))).html).toContain('The link stops working.')
  })

  it('release names the rule that holds the payment', async () => {
    const rules = [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 99 }]
    const policy = good(await console_.sandbox.call('POST', 'fraud-policies', { name: 'Large', rules }))
    const payment = await paid({ amount: 120, fraudPolicyId: policy.fraudPolicyId })
    const asked = await console_.get('Support', page(payment, '/release'))
    expect(asked.html).toContain('Rule 1:')
    expect(asked.html).toContain('After the release €120.00 is captured.')
    const { location } = await console_.post('Support', page(payment, '/release'), { note: 'known customer' })
    const { html } = await console_.get('Support', location ?? '')
    expect(html).toContain('The payment was released.')
    expect(stateOf(html)).toBe('Captured')
  })

  it.each([
    ['mark-disputed', 'Disputed'],
    ['mark-refunded', 'Refunded'],
  ])('%s needs a note', async (action, state) => {
    const payment = await paid()
    const without = await console_.post('Owner', page(payment, `/${action}`), { note: '  ' })
    expect(without.status).toBe(400)
    expect(without.html).toContain('Enter a note.')
    await console_.post('Owner', page(payment, `/${action}`), { note: 'case 7' })
    expect((await console_.sandbox.read(payment.paymentId)).paymentState).toBe(state)
  })

  it('recheck asks the provider', async () => {
    const payment = await console_.sandbox.create()
    await console_.sandbox.fault('authorise', 'reply-lost')
    await console_.sandbox.pay(payment.paymentId)
    const { location } = await console_.post('Owner', page(payment, '/recheck'), {}, page(payment))
    expect(location).toContain('note=recheck')
    expect((await console_.sandbox.read(payment.paymentId)).paymentState).toBe('Captured')
  })

  it('a webhook without an address is not sent again', async () => {
    const payment = await paid()
    const { location } = await console_.post('Owner', page(payment, '/resend'), {}, page(payment))
    expect((await console_.get('Owner', location ?? '')).html).toContain('There is no webhook address.')
  })

  it('each is recorded with the person', async () => {
    const payment = await paid({ autoCapture: false })
    await console_.post('Owner', page(payment, '/capture'), { amount: '25.50' })
    const { html } = await console_.get('Owner', `audit?target=payment:${payment.paymentId}`)
    expect(html).toContain('Captured €')
    expect(html).toContain('owner@example.com')
  })
})

describe('links of shop plugins', () => {
  it('lead to the pages of the console', async () => {
    const payment = await paid()
    const { appId } = console_.sandbox
    const by = async (query: string) =>
      (await console_.get('Owner', `/${appId}/payments/detail?${query}`)).location
    expect(await by(`paymentId=${payment.paymentId}`)).toBe(`/console/${appId}/payments/${payment.paymentId}`)
    const found = await by(`referenceId=${payment.referenceId}`)
    expect((await console_.get('Owner', found ?? '')).location).toBe(
      `/console/${appId}/payments/${payment.paymentId}`,
    )
    expect((await console_.get('Owner', `/${appId}/gateways`)).location).toBe(`/console/${appId}/providers`)
  })
})

describe('the dock', () => {
  it.each(['logs', 'webhooks', 'events', 'timeline', 'api'])('%s is a fragment', async (tab) => {
    const payment = await paid()
    const { status, html } = await console_.get('Owner', `dock?for=payment:${payment.paymentId}&tab=${tab}`)
    expect(status).toBe(200)
    expect(html).not.toContain('<html')
  })

  it('of the app has its events, for developers only', async () => {
    await paid()
    expect((await console_.get('Owner', 'dock?for=app&tab=events')).html).toContain('payment.')
    expect((await console_.get('Viewer', 'dock?for=app&tab=events')).status).toBe(403)
    expect((await console_.get('Owner', 'dock?for=app&tab=nothing')).status).toBe(404)
  })
})

it('the list of shortcuts has the menu of the person', async () => {
  const { html } = await console_.get('Owner', '/console/shortcuts')
  expect(html).toContain('<kbd>g a</kbd>')
})
