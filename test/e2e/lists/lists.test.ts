import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appNow } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import type { ListOrder } from '../../../src/payments/search/filter.ts'
import { listPayments } from '../../../src/payments/search/search.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Answer, good } from '../../support/tender.ts'

const DANA = { customerId: 'c-1', firstName: 'Dana', lastName: 'Möller', email: 'dana@shop.example' }

let console_: TestConsole
let payments: Answer[]
let held: Answer
beforeAll(async () => {
  console_ = await startTestConsole('lists')
  const { sandbox } = console_
  const rules = [{ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 }]
  const { fraudPolicyId } = good(await sandbox.call('POST', 'fraud-policies', { name: 'Hold', rules }))
  payments = [
    await sandbox.paid({ amount: 30, referenceId: 'INV-2026-0000000017', customerOrder: { customer: DANA } }),
    await sandbox.paid({ amount: 10 }),
    await sandbox.paid({ amount: 20, currency: 'USD' }),
    await sandbox.paid({ amount: 50, autoCapture: false }),
  ]
  held = await sandbox.create({ amount: 40, fraudPolicyId, customerOrder: { customer: DANA } })
  good(await sandbox.pay(held.paymentId, { outcome: 'elevated-risk' }))
})
afterAll(() => console_?.stop())

const shown = (html: string): number[] =>
  [...html.matchAll(/data-payment="(\d+)"/g)].map(([, id]) => Number(id))
const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const pageOf = async (path: string, role: 'Owner' | 'Viewer' | 'Support' | 'Manager' = 'Owner') =>
  textOf((await console_.get(role, path)).html)

describe('people', () => {
  it('stand in lists with name and e-mail, and by their id where neither is known', async () => {
    const list = await pageOf('payments')
    expect(list).toContain('Dana Möller dana@shop.example')
    expect(await pageOf('reviews')).toContain('Dana Möller dana@shop.example')
    // The end of a reference tells most.
    expect(list).toContain('INV-20…0000017')
  })

  it('are listed newest first with what they paid, and can be sorted and filtered by date', async () => {
    for (const customerId of ['a-new', 'b-newer'])
      good(await console_.sandbox.call('POST', 'customers', { customerId }))
    const { html } = await console_.get('Owner', 'customers')
    expect(html.indexOf('b-newer')).toBeLessThan(html.indexOf('a-new'))
    expect(html.indexOf('a-new')).toBeLessThan(html.indexOf('dana@shop.example'))
    expect(textOf(html)).toMatch(/Dana Möller dana@shop\.example c-1 €30\.00/)
    const oldest = (await console_.get('Owner', 'customers?sort=oldest')).html
    expect(oldest.indexOf('b-newer')).toBeGreaterThan(oldest.indexOf('a-new'))
    expect(await pageOf('customers?period=yesterday')).not.toContain('b-newer')
    expect(await pageOf('customers?period=today')).toContain('b-newer')
    const listed = good(await console_.sandbox.call('GET', 'customers')) as unknown as object[]
    expect(JSON.stringify(listed)).toMatch(/a-new.*b-newer.*c-1/s)
  })
})

describe('the list of payments', () => {
  it('has tabs with counts, and counts and sums what its filter matches', async () => {
    const all = await pageOf('payments')
    expect(all).toMatch(/All Succeeded Refunded Disputed Failed or declined Not captured 1 Held 1/)
    expect(all).toMatch(/5 payments €130\.00 \$20\.00/)
    // Counts of the whole app are not those of a filter.
    expect(await pageOf('payments?currency=EUR')).toMatch(/Failed or declined Not captured Held/)
    const { html } = await console_.get('Owner', 'payments?state=paid')
    expect(shown(html)).toEqual([2, 1, 0].map((place) => payments[place]?.paymentId))
    expect(textOf(html)).toMatch(/3 payments €40\.00 \$20\.00/)
    expect(html).toMatch(/state=paid" aria-current="page">Succeeded/)
    expect(await pageOf('payments?state=Disputed')).toContain('0 payments')
    expect(await pageOf('payments?state=paid,Authorized&currency=EUR')).toContain('3 payments €90.00')
  })

  it('is sorted by time, amount and state, page by page without a gap or a repeat', async () => {
    const { ctx } = console_.tender.service
    const app = await loadApp(ctx, console_.sandbox.appId)
    if (!app) throw new Error('there is no app')
    const walk = async (order: ListOrder, filter = {}) => {
      const amounts: bigint[] = []
      let cursor: string | undefined
      do {
        const page = await listPayments(ctx, app, filter, { order, cursor, pageSize: 2 })
        amounts.push(...page.payments.map(({ amountMinor }) => amountMinor / 100n))
        cursor = page.next
      } while (cursor)
      return amounts.map(Number)
    }
    expect(await walk('largest')).toEqual([50, 40, 30, 20, 10])
    expect(await walk('smallest', { currency: 'EUR' })).toEqual([10, 30, 40, 50])
    expect(await walk('oldest', { state: 'paid' })).toEqual([30, 10, 20])
    // Authorized, captured and captured, held; within a state by time.
    expect(await walk('states')).toEqual([50, 30, 10, 20, 40])
    expect(await walk('statesBack')).toEqual([40, 20, 10, 30, 50])
    expect(await walk('statesBack', { currency: 'EUR' })).toEqual([40, 10, 30, 50])
    expect((await console_.get('Owner', 'payments?sort=states&cursor=Captured%20x~1')).status).toBe(200)
    const { html } = await console_.get('Owner', 'payments?sort=smallest')
    expect(html).toMatch(/aria-sort="ascending"><a href="[^"]*sort=largest"/)
    expect(shown(html)[0]).toBe(payments[1]?.paymentId)
  })

  it('has presets for dates, in the time of the app', async () => {
    const today = shown((await console_.get('Owner', 'payments?period=today')).html)
    expect(today.length).toBe(5)
    await console_.sandbox.advance('24h')
    expect(shown((await console_.get('Owner', 'payments?period=today')).html)).toEqual([])
    expect(shown((await console_.get('Owner', 'payments?period=yesterday')).html).length).toBe(5)
    expect(shown((await console_.get('Owner', 'payments?period=last-7-days')).html).length).toBe(5)
    expect(await pageOf('developers/events?period=today')).toContain('No events')
    expect(await pageOf('developers/events?period=yesterday')).not.toContain('No events')
    expect(await pageOf('reviews?period=today')).toContain('No held payment matches the filter')
    // These two have real time.
    expect(await pageOf('developers/api-log?period=today')).toContain('/payments')
    expect(await pageOf('audit?period=last-month')).toContain('No entry matches the filter')
  })

  it('has the months of the app', async () => {
    const { ctx } = console_.tender.service
    const dayOf = async () => {
      const app = await loadApp(ctx, console_.sandbox.appId)
      return app ? appNow(ctx, app).getUTCDate() : 0
    }
    // A month begins on the 28th at the latest.
    const day = await dayOf()
    if (day > 28) await console_.sandbox.advance(`${32 - day}d`)
    const monthStartsOn = (value: number) => console_.sandbox.call('PATCH', '', { monthStartsOn: { value } })
    good(await monthStartsOn(await dayOf()))
    const listed = async (period: string) =>
      shown((await console_.get('Owner', `payments?period=${period}`)).html).length
    expect([await listed('this-month'), await listed('last-month')]).toEqual([0, 5])
    expect(await pageOf('developers/events?period=this-month')).toContain('No events')
    expect(await pageOf('developers/events?period=last-month')).not.toContain('No events')
    good(await monthStartsOn(1))
  })

  it('shows the columns that a person has chosen, in their order', async () => {
    const act = (act: string) => console_.post('Viewer', 'payments/columns', { act })
    for (const each of ['hide:method', 'show:order', 'up:customer', 'hide:amount', 'show:evil'])
      await act(each)
    const heads = async (role: 'Viewer' | 'Owner', query = '') =>
      [...(await console_.get(role, `payments${query}`)).html.matchAll(/<th[^>]*>(.*?)<\/th>/g)].map(
        ([, text]) => textOf(text ?? '').trim(),
      )
    const chosen = ['Amount ↕', 'Customer', 'State ↕', 'Reference', 'Provider', 'Created (UTC) ↓', 'Order id']
    expect(await heads('Viewer')).toEqual(chosen)
    expect((await heads('Viewer', '?columns=amount,flow')).length).toBe(2)
    expect(await heads('Owner')).toContain('Method')
    await act('reset')
    expect(await heads('Viewer')).toContain('Method')
  })

  it('has views that those who may share show to the team', async () => {
    const query = 'state=Authorized'
    await console_.post('Manager', 'payments/views', { name: 'To capture', query }, 'payments')
    expect(await pageOf('payments', 'Viewer')).not.toContain('To capture')
    const own = { name: 'To capture', owner: 'usr_manager', query }
    const share = (role: 'Manager' | 'Viewer' | 'Owner', shared: string) =>
      console_.post(role, 'payments/views/share', { ...own, shared }, `payments?${query}`)
    expect((await share('Viewer', 'yes')).status).toBe(403)
    // Only its owner can show it to others.
    await share('Owner', 'yes')
    expect(await pageOf('payments', 'Viewer')).not.toContain('To capture')
    await share('Manager', 'yes')
    expect(await pageOf('payments', 'Viewer')).toContain('To capture (shared)')
    await share('Owner', 'no')
    expect(await pageOf('payments', 'Viewer')).not.toContain('To capture')
  })
})

describe('refunds', () => {
  it('of several payments tell the sum, keep limits, and happen once for a form sent twice', async () => {
    const { sandbox } = console_
    const [small, large, open] = [
      await sandbox.paid({ amount: 60 }),
      await sandbox.paid({ amount: 170 }),
      await sandbox.create({ amount: 5 }),
    ]
    const ids = [small, large, open].map(({ paymentId }) => paymentId).join('.')
    const path = 'payments/bulk/refund'
    expect((await console_.get('Viewer', `${path}?ids=${ids}`)).status).toBe(403)
    const { html } = await console_.get('Support', `${path}?ids=${ids}`)
    expect(textOf(html)).toContain('In sum: €230.00')
    expect(textOf(html)).toContain('You may refund €100.00 more today.')
    const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const send = () => console_.post('Support', path, { form, ids, why: 'duplicate' }, 'payments')
    const first = await console_.get('Support', (await send()).location ?? '')
    expect(textOf(first.html)).toContain('1 of 3 done')
    expect(textOf(first.html)).toContain('Above what you may refund today')
    expect(textOf(first.html)).toContain('Cannot be refunded now')
    await send()
    const sums = await Promise.all(
      [small, large].map(async ({ paymentId }) => (await sandbox.read(paymentId)).refundedAmount),
    )
    expect(sums.sort()).toEqual([0, 60])
  })

  it('of a person who may refund no more today are explained, and the button is off', async () => {
    const first = await console_.sandbox.paid({ amount: 40 })
    const path = `payments/${first.paymentId}/refund`
    expect((await console_.post('Support', path, { amount: '40' })).status).toBe(303)
    const { paymentId } = await console_.sandbox.paid({ amount: 5 })
    const { html } = await console_.get('Support', `payments/${paymentId}/refund`)
    expect(html).toContain('You have refunded as much as you may today in this currency.')
    expect(html).toMatch(/<button[^>]*disabled[^>]*>Refund/)
    expect(html).not.toContain('You may refund €0.00')
  })

  it('have a reason, by form and by API, which the timeline shows', async () => {
    const { paymentId } = await console_.sandbox.paid({ amount: 9 })
    await console_.post('Owner', `payments/${paymentId}/refund`, { amount: '4', why: 'fraudulent' })
    good(await console_.sandbox.call('POST', `payments/${paymentId}/refund?amount=2&reason=duplicate`))
    good(await console_.sandbox.call('POST', `payments/${paymentId}/refund?amount=1`))
    const page = await pageOf(`payments/${paymentId}?show=provider`)
    expect(page).toMatch(/€4\.00: \w+ Fraudulent/)
    expect(page).toMatch(/€2\.00: \w+ Duplicate/)
    const wrong = await console_.sandbox.call('POST', `payments/${paymentId}/refund?reason=bored`)
    expect([wrong.status, wrong.body.errors?.[0]?.field]).toEqual([400, 'reason'])
  })
})

it('each tab leads to the payments of its name', async () => {
  const { sandbox } = console_
  const paid = async () => (await sandbox.paid({ amount: 8 })).paymentId
  const made = async (outcome?: string) => {
    const { paymentId } = await sandbox.create({ amount: 8 })
    if (outcome) await sandbox.pay(paymentId, { outcome })
    return paymentId
  }
  const part = await paid()
  good(await sandbox.call('POST', `payments/${part}/refund?amount=2`))
  const disputed = await paid()
  good(await sandbox.call('POST', `test-helpers/payments/${disputed}/dispute`, {}))
  const cancelled = await made()
  good(await sandbox.act(cancelled, 'cancel'))
  const [whole, declined, open] = [await paid(), await made('insufficient-funds'), await made()]
  good(await sandbox.act(whole, 'refund'))
  const added = [part, disputed, cancelled, whole, declined, open]
  const { html } = await console_.get('Owner', 'payments?period=today')
  const tabs = [
    ...html.matchAll(/<a href="([^"]*period=today[^"]*)"[^>]*>(Refunded|Disputed|Failed[^<]*|All)/g),
  ]
  const listed = await Promise.all(
    tabs.map(async ([, href = '', name]) => {
      const page = await console_.get('Owner', href.replaceAll('&amp;', '&'))
      return [name, shown(page.html).filter((id) => added.includes(id))] as const
    }),
  )
  expect(Object.fromEntries(listed)).toEqual({
    All: added.toSorted((a, b) => b - a),
    Refunded: [whole, part],
    Disputed: [disputed],
    'Failed or declined': [declined, cancelled],
  })
})
