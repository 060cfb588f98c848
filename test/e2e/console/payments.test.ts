import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditEntries } from '../../../src/audit/audit.ts'
import { directory } from '../../../src/merchants/directory-cache.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import type { Answer } from '../../support/tender.ts'

let console_: TestConsole
let paid: Answer
let authorized: Answer
let failed: Answer
beforeAll(async () => {
  console_ = await startTestConsole('console_payments')
  const { sandbox } = console_
  paid = await sandbox.paid({ referenceId: 'INV-1', amount: 10 })
  authorized = await sandbox.paid({ referenceId: 'INV-2', amount: 250, autoCapture: false })
  const customerOrder = { customer: { customerId: '<b>lee</b>', email: 'lee@shop.example' } }
  failed = await sandbox.create({ referenceId: '<script>alert(1)</script>', currency: 'USD', customerOrder })
  await sandbox.act(failed.paymentId, 'cancel')
})
afterAll(() => console_?.stop())

const shown = (html: string): number[] =>
  [...html.matchAll(/data-payment="(\d+)"/g)].map(([, id]) => Number(id))

const list = async (query = ''): Promise<number[]> =>
  shown((await console_.get('Viewer', `payments${query}`)).html)

const entriesOf = async (action: string) => {
  const { ctx } = console_.tender.service
  const app = await directory(ctx).app(console_.sandbox.appId)
  return auditEntries(ctx, app?.licenseId ?? '', { action, limit: 10 })
}

describe('the list of payments', () => {
  it('shows all, newest first, and filters by the address', async () => {
    const [a, b, c] = [paid.paymentId, authorized.paymentId, failed.paymentId]
    expect(await list()).toEqual([c, b, a])
    expect(await list('?q=last4:4242')).toEqual([b, a])
    expect(await list('?state=Captured')).toEqual([a])
    expect(await list('?q=ref:INV-*&min=100')).toEqual([b])
    expect(await list('?currency=USD&customer=%3Cb%3Elee%3C/b%3E')).toEqual([c])
  })

  it('escapes what merchants and customers wrote', async () => {
    const { html } = await console_.get('Owner', 'payments?q=%3Cscript%3Ealert(2)')
    expect(html).not.toContain('<script>alert')
    expect((await console_.get('Owner', 'payments')).html).not.toContain('<script>alert')
  })

  it('leads from a form with empty fields to the short address', async () => {
    const { status, location } = await console_.get('Viewer', 'payments?q=&state=Failed&from=&columns=id')
    expect([status, location]).toEqual([303, expect.stringMatching(/\/payments\?state=Failed&columns=id$/)])
  })

  it('says what it did not understand, and shows removable conditions', async () => {
    const { html } = await console_.get('Viewer', 'payments?q=state:faild+last4:4242&state=Captured')
    expect(html).toContain('Not understood and ignored: state:faild')
    expect(html).toContain('aria-label="Remove last4:4242"')
    expect(html).toMatch(
      /href="[^"]*payments\?q=state:faild\+last4:4242"[^>]*aria-label="Remove State: Captured"/,
    )
  })

  it('shows optional columns that the address names', async () => {
    const { html } = await console_.get('Viewer', 'payments?columns=flow,country,nonsense')
    expect(html).toContain('Hosted page')
    expect(html).toMatch(/<th[^>]*>Country/)
  })

  it('counts newer payments', async () => {
    const { html } = await console_.get('Viewer', 'payments')
    const path = /data-newer="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(JSON.parse((await console_.get('Viewer', path)).html)).toMatchObject({ count: 0 })
    const before = path.replace(/than=\d+/, 'than=1')
    expect(JSON.parse((await console_.get('Viewer', before)).html)).toEqual({ count: 3 })
  })

  it('exports the same filter as CSV and records it', async () => {
    const { html } = await console_.get('Viewer', 'payments/export?q=ref:INV-*')
    const lines = html.trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('INV-2')
    expect(await entriesOf('payments.exported')).toMatchObject([
      { actor: { id: 'usr_viewer' }, after: { filters: 'q' } },
    ])
  })
})

describe('saved views', () => {
  it('belong to a person, are bounded, and can be removed', async () => {
    const save = (name: string, query = 'state=Failed&columns=id') =>
      console_.post('Viewer', 'payments/views', { name, query }, 'payments')
    expect((await save('Failures')).location).toMatch(/\/payments\?state=Failed&columns=id&note=saved$/)
    expect((await save('')).location).toContain('note=nameless')
    const { html } = await console_.get('Viewer', 'payments?state=Failed&columns=id')
    expect(html).toMatch(/aria-current="page"[^>]*><bdi>Failures/)
    expect((await console_.get('Owner', 'payments')).html).not.toContain('Failures')
    for (const place of Array.from({ length: 29 }).keys()) await save(`View ${place}`)
    expect((await save('One more')).location).toContain('note=full')
    expect((await save('Failures', 'state=Captured&evil=1')).location).toContain('state=Captured&note=saved')
    await console_.post('Viewer', 'payments/views/remove', { name: 'Failures' }, 'payments')
    expect((await console_.get('Viewer', 'payments')).html).not.toContain('Failures')
  })
})

describe('actions on several payments', () => {
  it('ask, act on each, and show each result', async () => {
    const ids = `${authorized.paymentId}.${failed.paymentId}.1`
    const picked = await console_.post(
      'Manager',
      'payments/bulk',
      { do: 'capture', payment: String(authorized.paymentId) },
      'payments',
    )
    expect(picked.location).toMatch(new RegExp(`/payments/bulk/capture\\?ids=${authorized.paymentId}$`))
    const asked = await console_.get('Manager', `payments/bulk/capture?ids=${ids}`)
    expect(asked.html).toContain('Capture 2 payments')
    expect(asked.html).toContain('Not possible now for 1 payment.')
    const path = 'payments/bulk/capture'
    const { location } = await console_.post('Manager', path, { ids }, `${path}?ids=${ids}`)
    const result = await console_.get('Manager', location ?? '')
    expect(result.html).toContain('1 of 3 done')
    expect(result.html).toContain('Cannot be captured now')
    expect(result.html).toContain('Not found')
    expect((await console_.sandbox.read(authorized.paymentId)).paymentState).toBe('Captured')
    expect(await entriesOf('payment.capture')).toMatchObject([{ actor: { id: 'usr_manager' } }])
  })

  it('export the selected payments alone, in the columns of the list, and record it', async () => {
    const { html: page } = await console_.get('Manager', 'payments')
    expect(page).toMatch(/<button[^>]*value="export"[^>]*>Export as CSV/)
    const fields = { do: 'export', payment: String(paid.paymentId), query: 'state=Captured' }
    const { location } = await console_.post('Manager', 'payments/bulk', fields, 'payments')
    expect(location).toMatch(new RegExp(`/payments/export\\?ids=${paid.paymentId}$`))
    const all = (await console_.get('Manager', 'payments/export')).html.split('\r\n')
    const { html } = await console_.get('Manager', location ?? '')
    const row = all.find((line) => line.startsWith(`${paid.paymentId},`))
    expect(html.trim().split('\r\n')).toEqual([all[0], row])
    expect((await entriesOf('payments.exported'))[0]).toMatchObject({
      actor: { id: 'usr_manager' },
      after: { ids: String(paid.paymentId) },
    })
    expect((await console_.get('Viewer', 'payments/export?ids=none')).html.trim()).toBe(all[0])
    const none = await console_.post('Manager', 'payments/bulk', { do: 'export' }, 'payments')
    expect(none.location).toMatch(/payments\?note=none$/)
  })

  it('need a selection and the permission', async () => {
    const none = await console_.post(
      'Manager',
      'payments/bulk',
      { do: 'cancel', query: 'state=Created' },
      'payments',
    )
    expect(none.location).toMatch(/payments\?state=Created&note=none$/)
    expect((await console_.get('Viewer', 'payments')).html).not.toContain('id="bulk"')
    expect((await console_.get('Viewer', 'payments/bulk/cancel?ids=1')).status).toBe(403)
    expect((await console_.get('Manager', 'payments/bulk/refund?ids=1')).status).toBe(404)
  })
})
