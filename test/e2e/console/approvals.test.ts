import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

  it('is sent at once with an API key', async () => {
    const paymentId = await paid()
    expect((await world.sandbox.call('POST', `payments/${paymentId}/refund`, { amount: 30 })).status).toBe(
      200,
    )
  })
})
