import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Answer, good } from '../../support/tender.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_disputes')
})
afterAll(() => world?.stop())

async function disputed(wish: object = {}): Promise<Answer> {
  const { paymentId } = await world.sandbox.paid()
  const path = `test-helpers/payments/${paymentId}/dispute`
  return good(await world.sandbox.call('POST', path, wish)).disputes[0]
}

const idsIn = (html: string) => [...html.matchAll(/data-dispute="([^"]+)"/g)].map(([, id]) => id)

/** A form with files, as a browser sends it. */
async function upload(path: string, fields: Record<string, string>, files: Record<string, Blob>) {
  const { html } = await world.get('Manager', path)
  const body = new FormData()
  body.set('form', /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '')
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  for (const [name, file] of Object.entries(files)) body.set(name, file, 'secret name.pdf')
  const reply = await fetch(`${world.origin}/console/${world.sandbox.appId}/${path}`, {
    method: 'POST',
    headers: { cookie: `console=${world.tokens.Manager}` },
    body,
    redirect: 'manual',
  })
  return { status: reply.status, location: reply.headers.get('location'), html: await reply.text() }
}

it('lists disputes by deadline, with counts and sums that the overview agrees with', async () => {
  expect((await world.get('Viewer', 'disputes')).html).toContain('No disputes here')
  const late = await disputed({ dueDays: 20 })
  const soon = await disputed({ dueDays: 1, amount: 5 })
  const won = await disputed({ outcome: 'won' })
  const { html } = await world.get('Viewer', 'disputes')
  expect(idsIn(html)).toEqual([soon.disputeId, late.disputeId])
  expect(html).toContain('Open (2)')
  expect(html).toContain('Payer did not order')
  expect(/data-sum="EUR">(.*?)<\/span>/.exec(html)?.[1]).toContain('€30.50')
  expect(idsIn((await world.get('Viewer', 'disputes?state=all')).html).at(-1)).toBe(won.disputeId)
  const overview = (await world.get('Manager', 'overview')).html
  expect(overview).toMatch(/\/disputes"><bdi>2 disputes are open/)
  const badge = /disputes"[^>]*>(?:(?!<\/a>).)*?Disputes\s*<span class="rail-badge">(\d+)/
  expect(badge.exec(overview)?.[1]).toBe('2')
  const german = (await world.get('Viewer', 'disputes?lang=de')).html
  expect(german).toContain('Anfechtungen')
})

it('names the payer in the list and on the page', async () => {
  const customer = { customerId: 'c-77', firstName: 'Ana', lastName: 'Núñez', email: 'ana@mail.example' }
  const { paymentId } = await world.sandbox.paid({ customerOrder: { customer } })
  const path = `test-helpers/payments/${paymentId}/dispute`
  const [{ disputeId }] = good(await world.sandbox.call('POST', path, { dueDays: 2 })).disputes
  for (const page of ['disputes', `disputes/${disputeId}`]) {
    const { html } = await world.get('Viewer', page)
    expect(html).toContain('<bdi>Ana Núñez</bdi>')
    expect(html).toContain('ana@mail.example')
  }
})

it('saves texts and files, submits them after a question, and tells who did it', async () => {
  const { disputeId } = await disputed({ dueDays: 9 })
  const path = `disputes/${disputeId}`
  const pdf = new Blob(['%PDF-1.7 receipt'], { type: 'application/pdf' })
  const saved = await upload(path, { act: 'save', explanation: 'winning_evidence' }, { 'file-receipt': pdf })
  expect(saved.location).toContain('?note=saved')
  const draft = (await world.get('Manager', path)).html
  expect(draft).toContain('winning_evidence')
  expect(draft).toContain('Remove Receipt or invoice')
  expect(draft).not.toContain('secret name')
  const wrong = await upload(path, { act: 'save', explanation: 'kept' }, { 'file-other': new Blob(['MZ']) })
  expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('Choose a PDF, JPEG or PNG file')])
  await upload(path, { act: 'save', explanation: 'winning_evidence' }, {})
  expect((await world.get('Manager', `${path}/submit`)).html).toContain('1 text and 1 file')
  expect((await world.post('Manager', `${path}/submit`, {})).location).toContain('?note=submit')
  const done = (await world.get('Viewer', path)).html
  expect(done).toContain('The provider has the evidence')
  expect(done).toMatch(/<bdi>[^<]*manager[^<]*<\/bdi> submitted the evidence/i)
  expect((await world.get('Manager', `${path}/submit`)).location).toContain('note=unavailable')
})

it('accepts a dispute after a question and with a fresh proof', async () => {
  const { disputeId } = await disputed()
  const path = `disputes/${disputeId}/accept`
  expect((await world.get('Manager', path)).html).toContain('The payer keeps €25.50.')
  expect((await world.post('Manager', path, {})).location).toContain('note=accept')
  expect((await world.get('Manager', 'disputes?state=lost')).html).toContain(disputeId)
})

it('lets those who may only read see it, without forms, and says why a refund is not possible', async () => {
  const { disputeId } = await disputed()
  const path = `disputes/${disputeId}`
  const viewer = (await world.get('Viewer', path)).html
  expect(viewer).not.toContain('type="file"')
  expect(viewer).toContain('cannot be refunded as well')
  expect((await world.post('Support', path, { explanation: 'x' })).status).toBe(403)
  expect((await world.get('Support', `${path}/accept`)).status).toBe(403)
  const inquiry = await disputed({ isInquiry: true })
  const support = (await world.get('Support', `disputes/${inquiry.disputeId}`)).html
  expect(support).toMatch(/payments\/\d+\/refund" data-dialog/)
  expect(support).toContain('still takes a refund')
})
