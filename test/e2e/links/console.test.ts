import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Answer, good } from '../../support/tender.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_reusable_links')
})
afterAll(() => world?.stop())

const FIXED = { kind: 'fixed', amount: '12,50', currency: 'EUR', description: 'Ticket <b>' }
const CHOSEN = { ...FIXED, kind: 'chosen', amount: '', minimumAmount: '5', maximumAmount: '500' }

const create = (fields: Record<string, string>) => world.post('Manager', 'links/reusable/new', fields)

async function made(fields: Record<string, string>): Promise<Answer> {
  const { location, html } = await create(fields)
  const id = /\/links\/reusable\/(link_[0-9a-z]{16})\?note=created$/.exec(location ?? '')?.[1]
  if (!id) throw new Error(html)
  return good(await world.sandbox.call('GET', `payment-links/${id}`))
}

it('the form makes a link with a fixed amount or with bounds', async () => {
  const more = { maximumPayments: '40', referenceId: 'gala', returnUrl: 'https://shop.example/thanks' }
  expect(await made({ ...FIXED, ...more, minimumAmount: '3', expirationTime: '2099-12-31' })).toMatchObject({
    ...{ amount: 12.5, minimumAmount: null, currency: 'EUR', description: 'Ticket <b>', referenceId: 'gala' },
    ...{ maximumPayments: 40, returnUrl: 'https://shop.example/thanks', isReusable: true },
    expirationTime: expect.stringMatching(/^(2099-12-31|2100-01-01)T/),
  })
  expect(await made(CHOSEN)).toMatchObject({
    ...{ amount: null, minimumAmount: 5, maximumAmount: 500, maximumPayments: null, expirationTime: null },
  })
})

it('the form keeps the input and names what is wrong', async () => {
  const wrong = [
    [{ ...FIXED, amount: 'ten' }, 'Amount must be an amount'],
    [{ ...FIXED, amount: '' }, 'Amount is required.'],
    [{ ...CHOSEN, maximumAmount: '' }, 'Most amount is required.'],
    [{ ...CHOSEN, minimumAmount: '600' }, 'Least amount must be an amount of at most 500'],
    [{ ...FIXED, maximumPayments: 'many' }, 'Number of payments must be'],
    [{ ...FIXED, expirationTime: '2020-01-01' }, 'Last day must be a time in the future.'],
    [{ ...FIXED, expirationTime: 'soon' }, 'Last day must be'],
    [{ ...FIXED, returnUrl: 'nowhere' }, 'Return URL must be'],
  ] as const
  for (const [fields, sentence] of wrong) {
    const { status, html } = await create(fields)
    expect([sentence, status]).toEqual([sentence, 400])
    expect(html).toContain(sentence)
    expect(html).toContain('value="Ticket &lt;b>"')
  }
})

it('the page of a link has its QR code, its sums and its payments, and withdraws it', async () => {
  const link = await made({ ...CHOSEN, maximumPayments: '2' })
  const page = `links/reusable/${link.paymentLinkId}`
  const empty = (await world.get('Manager', page)).html
  for (const text of [link.url, 'class="qr"', 'No payments yet', '0 of 2']) expect(empty).toContain(text)
  const form = /name="form" value="([^"]+)"/.exec(await (await fetch(link.url)).text())?.[1] ?? ''
  await fetch(link.url, {
    method: 'POST',
    body: new URLSearchParams({ form, amount: '25' }),
    redirect: 'manual',
  })
  const [payment] = good(await world.sandbox.call('GET', `payment-links/${link.paymentLinkId}/payments`))
  good(await world.sandbox.pay(payment.paymentId))
  const { html } = await world.get('Manager', page)
  for (const text of ['1 of 2', '€25.00', `/payments/${payment.paymentId}"`, 'Active'])
    expect(html).toContain(text)
  expect((await world.get('Manager', 'links/reusable')).html).toContain(page)
  expect((await world.get('Manager', 'links')).html).toContain('/links/reusable"')
  expect((await world.get('Manager', `${page}/withdraw`)).html).toContain('Withdraw this link?')
  expect((await world.post('Manager', `${page}/withdraw`, {})).location).toContain(`${page}?note=withdrawn`)
  expect((await world.get('Manager', page)).html).toContain('Withdrawn')
  expect((await world.get('Manager', 'audit')).html).toContain('Withdrew the payment link')
  expect(good(await world.sandbox.call('GET', `payment-links/${link.paymentLinkId}`)).isActive).toBe(false)
})

it('the figures of a link open exactly the payments that they count', async () => {
  const link = await made(CHOSEN)
  const other = await made(CHOSEN)
  const pays = async ({ url, paymentLinkId }: Answer, amount: string, isPaid: boolean): Promise<number> => {
    const form = /name="form" value="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? ''
    await fetch(url, { method: 'POST', body: new URLSearchParams({ form, amount }), redirect: 'manual' })
    const [{ paymentId }] = good(await world.sandbox.call('GET', `payment-links/${paymentLinkId}/payments`))
    if (isPaid) good(await world.sandbox.pay(paymentId))
    return paymentId
  }
  const [open, foreign] = [await pays(link, '30', false), await pays(other, '9', true)]
  const paid = [await pays(link, '10', true), await pays(link, '20', true)]
  good(await world.sandbox.act(paid[0] ?? 0, 'refund'))
  const page = (await world.get('Manager', `links/reusable/${link.paymentLinkId}`)).html
  const opened = [...page.matchAll(/href="[^"]*\/(payments\?q=link:[^"]+)"[^>]*>(.*?)<\/a>/g)]
  expect(opened.map(([, , text]) => text?.replaceAll(/<[^>]+>/g, ''))).toEqual(['2', '€30.00'])
  for (const [, list = ''] of opened) {
    const { html } = await world.get('Manager', list.replaceAll('&amp;', '&'))
    const shown = [...html.matchAll(/data-payment="(\d+)"/g)].map(([, id]) => Number(id))
    expect(shown.sort()).toEqual(paid)
    expect(shown).not.toContain(open)
    expect(shown).not.toContain(foreign)
  }
  const search = async (q: string) => (await world.get('Manager', `payments?q=${q}`)).html
  expect(await search(`link:${link.paymentLinkId}+state:created`)).toContain(`data-payment="${open}"`)
  expect(await search('link:link_0000000000000000')).not.toContain('data-payment=')
  for (const wrong of ['link:nothing', `-link:${link.paymentLinkId}`])
    expect(await search(wrong)).toContain(`<bdi>${wrong}</bdi>`)
})

it('a payer without a name is no customer of the list until something is known', async () => {
  const link = await made({ ...FIXED, description: 'Poster' })
  const form = /name="form" value="([^"]+)"/.exec(await (await fetch(link.url)).text())?.[1] ?? ''
  await fetch(link.url, { method: 'POST', body: new URLSearchParams({ form }), redirect: 'manual' })
  const one = { amount: '3', currency: 'EUR', description: 'One', expiry: 'week', customerKind: 'none' }
  expect((await world.post('Manager', 'links/new', one)).location).toContain('note=created')
  const recurring = { ...one, recurring: 'yes' }
  expect((await world.post('Manager', 'links/new', recurring)).location).toContain('note=created')
  await world.sandbox.paid({ customerOrder: { customer: { customerId: 'payer-of-the-shop' } } })
  const idsIn = (text: string) => [...new Set(text.match(/\b(?:payer-|link_)[0-9a-z-]+/g) ?? [])].sort()
  const everyone = good(await world.sandbox.call('GET', 'customers?pageSize=500'))
  const unnamed: string[] = everyone
    .map(({ customerId }: Answer) => customerId)
    .filter((id: string) => /^payer-[0-9a-z]{24}$/.test(id))
  expect(unnamed.length).toBeGreaterThanOrEqual(2)
  const titlesIn = async (query = '') =>
    idsIn(
      [...(await world.get('Manager', `customers${query}`)).html.matchAll(/customers\/([^"]+)"/g)].join(' '),
    )
  const stored = expect.stringMatching(/^link_[0-9a-z]{20}$/)
  expect(await titlesIn()).toEqual([stored, 'payer-of-the-shop'])
  const [first = '', second = ''] = unnamed
  expect(await titlesIn(`?q=${first}`)).toEqual([first])
  const exported = async () => {
    const { exportId } = good(await world.sandbox.call('POST', 'exports', { kind: 'customers' }))
    return idsIn((await world.sandbox.call('GET', `exports/${exportId}/file`)).body)
  }
  expect(await exported()).toEqual([stored, 'payer-of-the-shop'])
  good(await world.sandbox.call('PATCH', `customers/${first}`, { isBlocked: true }))
  good(await world.sandbox.call('PATCH', `customers/${second}`, { firstName: 'Ada' }))
  const known = [stored, ...[second, 'payer-of-the-shop'].sort()]
  expect(await titlesIn()).toEqual(known)
  expect(await exported()).toEqual(known)
  expect(await titlesIn('?blocked=yes')).toEqual([first])
  expect(await titlesIn('?blocked=no')).toEqual(known)
  expect((await world.get('Manager', 'payments')).html).toContain('Payer of a link')
  expect((await world.get('Manager', 'payments?lang=de')).html).toContain('Zahler eines Links')
})

it('links for payers and invitations are made and withdrawn on the same connections', async () => {
  // More of each than the service has connections.
  for (let n = 0; n < 12; n++) {
    const link = await made(CHOSEN)
    const invited = await world.post('Owner', 'team/invite', { email: `p${n}@example.com`, role: 'Viewer' })
    expect([n, invited.status]).toEqual([n, 200])
    const page = `links/reusable/${link.paymentLinkId}`
    expect((await world.post('Manager', `${page}/withdraw`, {})).status).toBe(303)
  }
  const { html } = await world.get('Owner', 'team')
  const [withdraw = ''] = /team\/invitations\/[^"/]+\/withdraw/.exec(html) ?? []
  expect((await world.post('Owner', withdraw, {}, 'team')).status).toBe(303)
})

it('only people who may make payments see links', async () => {
  expect((await world.get('Viewer', 'links/reusable')).status).toBe(403)
  expect((await world.get('Manager', 'links/reusable/link_0000000000000000')).status).toBe(404)
})
