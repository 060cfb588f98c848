import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { after, DAY, HOUR } from '../../../src/base/clock.ts'
import { sql } from '../../../src/db/database.ts'
import { DISPUTES } from '../../../src/disputes/limits.ts'
import {
  type Answer,
  good,
  nextPath,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

let tender: TestService
let app: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_disputes')
  app = tender.sandbox
})
afterAll(() => tender?.stop())

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n')

/** A captured payment that the payer's bank disputes. */
async function disputed(wish: object = {}, of = app): Promise<Answer> {
  const { paymentId } = await of.paid()
  const payment = good(await of.call('POST', `test-helpers/payments/${paymentId}/dispute`, wish))
  return payment.disputes[0]
}

async function upload(disputeId: string, kind: string, bytes: Uint8Array) {
  const response = await fetch(
    `${tender.url}/api/apps/${app.appId}/disputes/${encodeURIComponent(disputeId)}/files/${kind}`,
    { method: 'PUT', headers: { authorization: `Bearer ${app.apiKey}` }, body: new Uint8Array(bytes) },
  )
  return { status: response.status, body: (await response.json()) as Answer }
}

const save = (disputeId: string, texts: object) =>
  app.call('PUT', `disputes/${disputeId}/evidence`, { texts })

/** The answer of an operation whose time has come: the clock of the service is the real one. */
async function retried(disputeId: string): Promise<Answer> {
  const { db, clock } = tender.service.ctx
  const past = after(clock.now(), -HOUR)
  await db.query(
    sql('test.due_now', 'update dispute_answers set due_time = $2 where dispute_id = $1 and due_time > $2'),
    [disputeId, past],
  )
  return read(disputeId)
}

const read = async (disputeId: string): Promise<Answer> =>
  good(await app.call('GET', `disputes/${disputeId}`))

describe('the list of disputes', () => {
  it('has open ones by deadline, then without, then decided ones, and pages through them', async () => {
    const { sandbox } = await tender.newMerchant()
    const add = async (wish: object): Promise<string> => (await disputed(wish, sandbox)).disputeId
    const lost = await add({ outcome: 'lost' })
    const late = await add({ dueDays: 30, amount: 5 })
    const soon = await add({ dueDays: 2 })
    const marked = (await sandbox.paid()).paymentId
    good(await sandbox.call('POST', `payments/${marked}/mark-as-dispute`, { reason: 'By letter' }))
    await sandbox.advance('1h')
    const won = await add({ outcome: 'won' })
    const listed = good(await sandbox.call('GET', 'disputes'))
    expect(listed.map((one: Answer) => one.disputeId)).toEqual([soon, late, `marked-${marked}`, won, lost])
    expect(listed[1]).toMatchObject({ state: 'open', amount: 5, provider: 'sandbox', reason: 'fraudulent' })
    expect(Date.parse(listed[1].evidenceDueTime) - Date.parse(listed[1].openedTime)).toBeGreaterThan(29 * DAY)
    expect(good(await sandbox.call('GET', 'disputes?state=won'))).toHaveLength(1)
    const ids: string[] = []
    let path: string | undefined = 'disputes?pageSize=2'
    while (path) {
      const page = await sandbox.call('GET', path)
      ids.push(...good(page).map((one: Answer) => one.disputeId))
      path = nextPath(page)
    }
    expect(ids).toEqual(listed.map((one: Answer) => one.disputeId))
    good(await sandbox.call('POST', `payments/${marked}/mark-as-refund`, { reason: 'Paid back' }))
    expect(good(await sandbox.call('GET', `disputes/marked-${marked}`))).toMatchObject({
      ...{ state: 'lost', amount: 25.5, limits: null },
    })
    expect((await app.call('GET', `disputes/${soon}`)).status).toBe(404)
  })
})

describe('evidence', () => {
  it('is saved as a draft, submitted once and removed here when the provider has it', async () => {
    const { disputeId, ...dispute } = await disputed()
    expect(dispute.evidenceDueTime).not.toBeNull()
    good(await save(disputeId, { explanation: 'Delivered: winning_evidence', trackingNumber: '  ' }))
    const draft = (await upload(disputeId, 'receipt', PDF)).body
    expect(draft).toMatchObject({
      ...{ answer: 'draft', texts: { explanation: 'Delivered: winning_evidence' }, problem: null },
      files: [{ kind: 'receipt', mediaType: 'application/pdf', size: PDF.length, isSent: false }],
    })
    const stored = sql<{ sealed: Uint8Array }>(
      'test.sealed',
      'select sealed from dispute_files where dispute_id = $1 and sealed is not null',
    )
    const [file] = await tender.service.ctx.db.query(stored, [disputeId])
    expect(Buffer.from(file?.sealed ?? []).includes('%PDF')).toBe(false)
    const submitted = good(await app.call('POST', `disputes/${disputeId}/submit`))
    expect(submitted).toMatchObject({
      answer: 'submitted',
      state: 'won',
      texts: {},
      files: [{ isSent: true }],
    })
    expect(await tender.service.ctx.db.query(stored, [disputeId])).toEqual([])
    expect(good(await app.call('POST', `disputes/${disputeId}/submit`)).answer).toBe('submitted')
    expect(await app.call('PUT', `disputes/${disputeId}/evidence`, { texts: {} })).toMatchObject({
      status: 422,
    })
  })

  it('is submitted once when the reply is lost: the provider is read before a repetition', async () => {
    const { disputeId } = await disputed()
    good(await save(disputeId, { explanation: 'A signed receipt' }))
    await app.fault('dispute', 'reply-lost')
    expect(good(await app.call('POST', `disputes/${disputeId}/submit`)).answer).toBe('submitting')
    await expect.poll(async () => (await retried(disputeId)).answer, { timeout: 60_000 }).toBe('submitted')
    const { paymentId } = await read(disputeId)
    const sent = async () => {
      const calls = good(await app.call('GET', `payments/${paymentId}/provider-log`))
      return calls.filter((call: Answer) => JSON.stringify(call).includes('dispute-answers')).length
    }
    // The log is written in batches.
    await expect.poll(sent, { timeout: 60_000 }).toBeGreaterThan(0)
    expect(await sent()).toBe(1)
  })

  it('is sent again with the same key when the request never arrived', async () => {
    const { disputeId } = await disputed()
    good(await save(disputeId, { explanation: 'losing_evidence' }))
    await app.fault('dispute', 'request-lost')
    expect(good(await app.call('POST', `disputes/${disputeId}/submit`)).answer).toBe('submitting')
    await expect.poll(async () => (await retried(disputeId)).answer, { timeout: 60_000 }).toBe('submitted')
    await expect.poll(async () => (await read(disputeId)).state, { timeout: 60_000 }).toBe('lost')
  })

  it('is refused beyond the limits, by content and for disputes that take none', async () => {
    const { disputeId } = await disputed()
    const long = await save(disputeId, { explanation: 'x'.repeat(2_001), accessLog: 'y' })
    expect([long.status, long.body.errors]).toEqual([
      400,
      [{ field: 'texts.explanation', message: 'texts.explanation must have at most 2000 characters.' }],
    ])
    const html = await upload(disputeId, 'receipt', Buffer.from('<html><script>alert(1)</script>'))
    expect(html.body.errors).toEqual([
      { field: 'receipt', message: 'receipt must be a PDF, JPEG or PNG file.' },
    ])
    const large = Buffer.concat([PDF, Buffer.alloc(2_000_000)])
    expect((await upload(disputeId, 'receipt', large)).body.errors[0].message).toContain('2000000 bytes')
    expect((await upload(disputeId, 'other', Buffer.alloc(DISPUTES.fileBytes + 1))).status).toBe(413)
    const most = Buffer.concat([PDF, Buffer.alloc(1_900_000)])
    for (const kind of ['receipt', 'policy']) expect((await upload(disputeId, kind, most)).status).toBe(200)
    expect((await upload(disputeId, 'other', most)).body.errors[0].message).toContain('with all others')
    expect((await read(disputeId)).files).toHaveLength(2)
    good(await app.call('DELETE', `disputes/${disputeId}/files/policy`))
    expect((await read(disputeId)).files).toHaveLength(1)
    expect((await app.call('POST', `disputes/${(await disputed()).disputeId}/submit`)).status).toBe(422)
    const decided = await disputed({ outcome: 'lost' })
    expect((await save(decided.disputeId, { explanation: 'Too late' })).body.detail).toContain('decided')
  })

  it('after the deadline comes back as a draft with the reason', async () => {
    const { disputeId } = await disputed({ dueDays: 0 })
    good(await save(disputeId, { explanation: 'A day late' }))
    const late = good(await app.call('POST', `disputes/${disputeId}/submit`))
    expect(late).toMatchObject({ answer: 'draft', problem: 'closed', texts: { explanation: 'A day late' } })
  })

  it('is erased with the customer', async () => {
    const { sandbox } = await tender.newMerchant()
    const { disputeId } = await disputed({ outcome: 'open' }, sandbox)
    good(await sandbox.call('PUT', `disputes/${disputeId}/evidence`, { texts: { customerName: 'Dana' } }))
    good(await sandbox.call('POST', 'customers/dana/erase'))
    expect(good(await sandbox.call('GET', `disputes/${disputeId}`))).toMatchObject({
      answer: null,
      texts: {},
    })
  })
})

describe('a dispute', () => {
  it('that is accepted is lost, and the money goes to the payer', async () => {
    const { disputeId } = await disputed()
    const accepted = good(await app.call('POST', `disputes/${disputeId}/accept`))
    expect(accepted).toMatchObject({ answer: 'accepted', state: 'lost', canRefund: false })
    expect(await app.read(accepted.paymentId)).toMatchObject({
      paymentState: 'Refunded',
      refundedAmount: 25.5,
    })
  })

  it('that is an inquiry can be refunded now', async () => {
    const { disputeId } = await disputed({ isInquiry: true })
    const { paymentId, canRefund } = await read(disputeId)
    expect(canRefund).toBe(true)
    good(await app.call('POST', `payments/${paymentId}/refund`))
    expect((await read(disputeId)).canRefund).toBe(false)
    const chargeback = await disputed()
    expect((await read(chargeback.disputeId)).canRefund).toBe(false)
  })
})
