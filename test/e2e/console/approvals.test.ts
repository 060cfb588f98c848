import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acting } from '../../../src/context.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { getPayment, refundPayment } from '../../../src/payments/actions.ts'
import { approvedKey } from '../../../src/payments/approvals/check.ts'
import { decideApproval, selectApproval } from '../../../src/payments/approvals/store.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_approvals')
  const settings = { friendlyName: 'Shop', timeZone: 'UTC', refundApprovalAbove: 'EUR 10,00' }
  expect((await world.post('Owner', 'settings', settings)).status).toBe(303)
})
afterAll(() => world?.stop())

const paid = async () => (await world.sandbox.paid({ amount: 30 })).paymentId as number
const ask = (role: 'Admin' | 'Owner' | 'Manager', paymentId: number, amount: string) =>
  world.post(role, `payments/${paymentId}/refund`, { amount })
const refundedOf = async (paymentId: number) => (await world.sandbox.read(paymentId)).refundedAmount
const waiting = async (paymentId: number): Promise<string> => {
  const { body } = await world.sandbox.call('GET', 'refund-approvals?state=open')
  return body.find((one: { paymentId: number }) => one.paymentId === paymentId)?.approvalId ?? ''
}

describe('a refund above the amount of the app', () => {
  it('waits, and is sent once after the yes of another person', async () => {
    const paymentId = await paid()
    const asked = await ask('Admin', paymentId, '12.00')
    expect([asked.status, await refundedOf(paymentId)]).toEqual([409, 0])
    expect(asked.html).toContain('needs a second person')
    const id = await waiting(paymentId)
    expect((await world.get('Owner', 'overview')).html).toContain('waits for a second person')
    expect((await world.post('Admin', `approvals/${id}/approve`, {})).status).toBe(403)
    expect((await world.get('Viewer', 'approvals')).status).toBe(403)
    expect((await world.post('Manager', `approvals/${id}/approve`, {})).status).toBe(303)
    expect(await refundedOf(paymentId)).toBe(12)
    await world.post('Manager', `approvals/${id}/approve`, {})
    expect(await refundedOf(paymentId)).toBe(12)
  })

  it('counts what was refunded before, so that parts do not escape', async () => {
    const paymentId = await paid()
    expect((await ask('Admin', paymentId, '8.00')).status).toBe(303)
    expect((await ask('Admin', paymentId, '8.00')).status).toBe(409)
    expect(await refundedOf(paymentId)).toBe(8)
  })

  it('counts parts together that were checked at the same time', async () => {
    const { ctx } = world.tender.service
    const app = await loadApp(ctx, world.sandbox.appId)
    if (!app) throw new Error('there is no app')
    const origin = { address: '127.0.0.1', requestId: 'req_test' }
    const admin = { kind: 'person', id: 'usr_admin', name: 'admin@example.com', ...origin } as const
    const paymentId = await paid()
    // Both requests have read the payment before either refunds.
    const seen = await getPayment(ctx, app, paymentId)
    const part = () => refundPayment(acting(ctx, admin), app, seen, { amountMinor: 800n, waitMs: 10_000 })
    await part()
    await expect(part()).rejects.toMatchObject({ code: 'refund_needs_approval' })
    expect(await refundedOf(paymentId)).toBe(8)
  })

  it('is refused by another person, or taken back, and then cannot be approved', async () => {
    const paymentId = await paid()
    await ask('Manager', paymentId, '20.00')
    const id = await waiting(paymentId)
    expect((await world.post('Manager', `approvals/${id}/refuse`, {})).status).toBe(303)
    expect((await world.sandbox.call('POST', `refund-approvals/${id}/approve`)).status).toBe(403)
    expect((await world.post('Owner', `approvals/${id}/approve`, {}, 'approvals')).status).toBe(422)
    expect(await refundedOf(paymentId)).toBe(0)
  })

  it('has a new id for a changed amount, so that no one approves what they did not see', async () => {
    const paymentId = await paid()
    await ask('Manager', paymentId, '11.00')
    const seen = await waiting(paymentId)
    await ask('Manager', paymentId, '30.00')
    expect((await world.post('Owner', `approvals/${seen}/approve`, {}, 'approvals')).status).toBe(404)
    expect(await waiting(paymentId)).not.toBe(seen)
    expect(await refundedOf(paymentId)).toBe(0)
  })

  it('may be the rejection of a held payment, which the second person carries out', async () => {
    const rules = [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 10 }]
    const made = await world.sandbox.call('POST', 'fraud-policies', { name: 'Large', rules })
    const { paymentId } = await world.sandbox.create({ fraudPolicyId: made.body.fraudPolicyId, amount: 60 })
    await world.sandbox.pay(paymentId, { method: 'ElectronicCheck' })
    await world.sandbox.advance('10s')
    const stateOf = async () => (await world.sandbox.read(paymentId)).paymentState
    expect(await stateOf()).toBe('CapturedHold')
    const rejected = await world.post('Manager', `reviews/${paymentId}/reject`, { note: 'Stolen' })
    expect([rejected.status, await stateOf()]).toEqual([409, 'CapturedHold'])
    const id = await waiting(paymentId)
    expect((await world.post('Manager', `approvals/${id}/approve`, {})).status).toBe(403)
    expect((await world.post('Owner', `approvals/${id}/approve`, {})).status).toBe(303)
    expect([await stateOf(), await refundedOf(paymentId)]).toEqual(['Failed', 60])
  })

  it('is decided by people, however many keys they have', async () => {
    const paymentId = await paid()
    await ask('Admin', paymentId, '12.00')
    const id = await waiting(paymentId)
    for (const verb of ['approve', 'refuse']) {
      const answer = await world.sandbox.call('POST', `refund-approvals/${id}/${verb}`)
      expect([verb, answer.status]).toEqual([verb, 403])
    }
    expect((await world.post('Admin', `approvals/${id}/approve`, {}, 'approvals')).status).toBe(403)
    expect([await refundedOf(paymentId), await waiting(paymentId)]).toEqual([0, id])
  })

  it('is found by its own app alone', async () => {
    const paymentId = await paid()
    await ask('Manager', paymentId, '12.00')
    const id = await waiting(paymentId)
    const elsewhere = `/console/${world.live.appId}/approvals`
    for (const verb of ['approve', 'refuse']) {
      expect((await world.get('Owner', `approvals/${id}/${verb}`)).status).toBe(200)
      expect((await world.get('Owner', `${elsewhere}/${id}/${verb}`)).status).toBe(404)
      // With the form of a page that the person may see.
      const posted = await world.post('Owner', `${elsewhere}/${id}/${verb}`, {}, 'approvals')
      expect([verb, posted.status]).toEqual([verb, 404])
    }
    expect((await world.get('Owner', elsewhere)).html).not.toContain(id)
    expect((await world.live.call('GET', 'refund-approvals')).body).toEqual([])
    expect([await refundedOf(paymentId), await waiting(paymentId)]).toEqual([0, id])
    const { ctx } = world.tender.service
    expect(await selectApproval(ctx.db, world.live.appId, id)).toBeUndefined()
    const open = await selectApproval(ctx.db, world.sandbox.appId, id)
    if (!open) throw new Error('nothing waits')
    const yes = { decidedBy: 'usr_owner', decidedName: 'Owner', decidedTime: ctx.clock.now() }
    const foreign = { ...open, appId: world.live.appId }
    expect(await decideApproval(ctx.db, foreign, { state: 'approved', ...yes })).toBeUndefined()
    expect(await waiting(paymentId)).toBe(id)
  })

  it('is sent at once with an API key', async () => {
    const paymentId = await paid()
    expect((await world.sandbox.call('POST', `payments/${paymentId}/refund`, { amount: 30 })).status).toBe(
      200,
    )
  })

  it('is sent by a key for its own approval only: decided, of this payment and this amount', async () => {
    const { ctx } = world.tender.service
    const app = await loadApp(ctx, world.sandbox.appId)
    if (!app) throw new Error('there is no app')
    const name = 'admin@example.com'
    const origin = { address: '127.0.0.1', requestId: 'req_test' }
    const admin = acting(ctx, { kind: 'person', id: 'usr_admin', name, ...origin })
    const send = async (id: string, of: number, amountMinor: bigint) => {
      const how = { requestKey: approvedKey(id), amountMinor, waitMs: 10_000 }
      return refundPayment(admin, app, await getPayment(ctx, app, of), how)
    }
    const refused = { code: 'refund_needs_approval' }
    const [paymentId, other] = [await paid(), await paid()]
    await ask('Manager', paymentId, '12.00')
    await expect(send(await waiting(paymentId), paymentId, 1_200n)).rejects.toMatchObject(refused)
    const id = await waiting(paymentId)
    const open = await selectApproval(ctx.db, app.appId, id)
    if (!open) throw new Error('nothing waits')
    // As after a crash between the yes and the refund.
    const yes = { decidedBy: 'usr_owner', decidedName: 'Owner', decidedTime: ctx.clock.now() }
    await decideApproval(ctx.db, open, { state: 'approved', ...yes })
    await expect(send(id, paymentId, 2_000n)).rejects.toMatchObject(refused)
    await expect(send(id, other, 1_200n)).rejects.toMatchObject(refused)
    expect([await refundedOf(paymentId), await refundedOf(other)]).toEqual([0, 0])
    await send(id, paymentId, 1_200n)
    expect(await refundedOf(paymentId)).toBe(12)
  })
})
