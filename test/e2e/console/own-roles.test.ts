import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directory } from '../../../src/merchants/directory-cache.ts'
import { createOwnRole, listOwnRoles } from '../../../src/people/members/own-roles.ts'
import { createFakeClock } from '../../support/clock.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

let world: TestConsole
beforeAll(async () => {
  // Time stands still, so that nothing that is kept of a session for half a second ends by itself.
  world = await startTestConsole('console_own_roles', { clock: createFakeClock(new Date()) })
})
afterAll(() => world?.stop())

/** A request to the API of the team with the session of a person. */
async function team(role: 'Owner' | 'Manager', method: string, path: string, body?: object) {
  const reply = await fetch(`${world.origin}/api/team/resources/${world.sandbox.appId}/${path}`, {
    method,
    headers: { cookie: `console=${world.tokens[role]}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, json: await reply.json() }
}

const idOf = async (name: string): Promise<string> => {
  const { json } = await team('Owner', 'GET', 'roles')
  return (json as { roleId: string; roleName: string }[]).find((role) => role.roleName === name)?.roleId ?? ''
}

const personOf = async (role: string): Promise<string> => {
  const { html } = await world.get('Owner', 'team')
  const row = html.split('<tr').find((one) => one.includes(`${role.toLowerCase()}@example.com`)) ?? ''
  return /team\/members\/(usr_\w+)/.exec(row)?.[1] ?? ''
}

describe('Finance and Risk', () => {
  it('read money or decide about risk, and neither refunds', async () => {
    const { paymentId } = await world.sandbox.paid()
    for (const role of ['Finance', 'Risk'] as const) {
      expect((await world.get(role, 'payments')).status, role).toBe(200)
      expect((await world.get(role, `payments/${paymentId}/refund`)).status, role).toBe(403)
    }
    expect((await world.get('Risk', 'reviews')).status).toBe(200)
    expect((await world.get('Finance', 'reviews')).status).toBe(403)
  })
})

describe('a role of the merchant', () => {
  const posted = (name: string, ...permissions: string[]) => ({
    name,
    ...Object.fromEntries(permissions.map((one) => [one, 'yes'])),
  })

  it('has the permissions that were ticked, from the next request of its members on', async () => {
    await world.post('Owner', 'team/roles/new', posted('Bookkeeper', 'PaymentRead'))
    const roleId = await idOf('Bookkeeper')
    expect(roleId).toMatch(/^role_/)
    const member = await personOf('Viewer')
    expect((await world.get('Viewer', 'customers')).status).toBe(200)
    await world.post('Owner', `team/members/${member}/role`, { role: roleId })
    expect((await world.get('Owner', 'team')).html).toContain('Bookkeeper')
    expect((await world.get('Viewer', 'payments')).status).toBe(200)
    expect((await world.get('Viewer', 'customers')).status).toBe(403)
    await world.post('Owner', `team/roles/${roleId}`, posted('Bookkeeper', 'CustomerRead'))
    expect((await world.get('Viewer', 'customers')).status).toBe(200)
    expect((await world.get('Viewer', 'payments')).status).toBe(403)
    expect((await world.get('Viewer', 'overview')).status).toBe(200)
  })

  it('cannot be removed while a member has it', async () => {
    const roleId = await idOf('Bookkeeper')
    expect((await world.post('Owner', `team/roles/${roleId}/remove`, {})).status).toBe(422)
    await world.post('Owner', `team/members/${await personOf('Viewer')}/role`, { role: 'Viewer' })
    expect((await world.post('Owner', `team/roles/${roleId}/remove`, {})).status).toBe(303)
    expect(await idOf('Bookkeeper')).toBe('')
  })

  it('never manages people or licences, has a name of its own, and belongs to its licence', async () => {
    const make = (body: object, role: 'Owner' | 'Manager' = 'Owner') => team(role, 'POST', 'roles', body)
    const greedy = { roleName: 'Second admin', permissions: ['RoleWrite'] }
    expect((await make(greedy)).status).toBe(400)
    expect((await make({ roleName: 'Owner', permissions: ['PaymentRead'] })).status).toBe(400)
    expect((await make({ roleName: 'Cashier', permissions: ['PaymentRead'] }, 'Manager')).status).toBe(403)
    expect((await make({ roleName: 'Cashier', permissions: ['PaymentRefund'] })).status).toBe(200)
    expect((await make({ roleName: 'Cashier', permissions: ['PaymentRead'] })).status).toBe(400)
    const member = await personOf('Viewer')
    const foreign = await world.post('Owner', `team/members/${member}/role`, { role: 'role_of_others' })
    expect(foreign.status).toBe(404)
  })

  it('is kept while an open invitation has it, and renamed to no name that is taken', async () => {
    const body = (roleName: string) => ({ roleName, permissions: ['PaymentRead'] })
    for (const name of ['Invited', 'Renamed'])
      expect((await team('Owner', 'POST', 'roles', body(name))).status).toBe(200)
    const [invited, renamed] = [await idOf('Invited'), await idOf('Renamed')]
    await world.post('Owner', 'team/invite', { email: 'new@example.com', role: invited })
    expect((await world.post('Owner', `team/roles/${invited}/remove`, {})).status).toBe(422)
    expect(await idOf('Invited')).toBe(invited)
    const taken = await team('Owner', 'PUT', `roles/${renamed}`, body('Invited'))
    expect([taken.status, await idOf('Renamed')]).toEqual([400, renamed])
    expect((await team('Owner', 'PUT', `roles/${renamed}`, body('renamed'))).status).toBe(200)
    expect((await world.post('Owner', `team/roles/${renamed}/remove`, {})).status).toBe(303)
  })

  it('is not seen, given, changed or removed by another licence', async () => {
    const { ctx } = world.tender.service
    const other =
      (await directory(ctx).app((await world.tender.newMerchant()).sandbox.appId))?.licenseId ?? ''
    const role = { name: 'Foreign', permissions: ['PaymentRead'] } as const
    const { roleId } = await createOwnRole(ctx, other, role)
    expect(await idOf('Foreign')).toBe('')
    const member = await personOf('Viewer')
    expect((await world.post('Owner', `team/members/${member}/role`, { role: roleId })).status).toBe(404)
    const body = { roleName: 'Mine', permissions: ['PaymentRead'] }
    expect((await team('Owner', 'PUT', `roles/${roleId}`, body)).status).toBe(404)
    const removed = await world.post('Owner', `team/roles/${roleId}/remove`, {}, 'team/roles/new')
    expect(removed.status).toBe(404)
    expect(await listOwnRoles(ctx, other)).toEqual([{ roleId, ...role, permissions: expect.anything() }])
  })

  it('is one of twelve at most', async () => {
    const { ctx } = world.tender.service
    const licence =
      (await directory(ctx).app((await world.tender.newMerchant()).sandbox.appId))?.licenseId ?? ''
    const make = (n: number) => createOwnRole(ctx, licence, { name: `Role ${n}`, permissions: [] })
    for (let n = 0; n < 12; n++) await make(n)
    await expect(make(12)).rejects.toMatchObject({ code: 'not_possible' })
    // Whatever form or route asks for it.
    const greedy = createOwnRole(ctx, licence, { name: 'Second admin', permissions: ['RoleWrite'] })
    await expect(greedy).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('refunds up to its daily limit if it has one', async () => {
    const roleId = await idOf('Cashier')
    const permissions = ['PaymentRead', 'PaymentRefund']
    await team('Owner', 'PUT', `roles/${roleId}`, { roleName: 'Cashier', permissions })
    const member = await personOf('Viewer')
    const give = (refundLimits: string) =>
      world.post('Owner', `team/members/${member}/role`, { role: roleId, refundLimits })
    await give('EUR 1.00')
    const { paymentId } = await world.sandbox.paid()
    const refund = (amount: string) => world.post('Viewer', `payments/${paymentId}/refund`, { amount })
    expect((await refund('2.00')).status).toBe(403)
    expect((await refund('1.00')).status).toBe(303)
    await give('')
    expect((await refund('2.00')).status).toBe(303)
  })

  it('gives no captured money back by a cancel unless it may refund', async () => {
    const rules = [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 10 }]
    const policy = await world.sandbox.call('POST', 'fraud-policies', { name: 'Large', rules })
    const { paymentId } = await world.sandbox.create({ fraudPolicyId: policy.body.fraudPolicyId, amount: 60 })
    await world.sandbox.pay(paymentId, { method: 'ElectronicCheck' })
    await world.sandbox.advance('10s')
    const stateOf = async () => (await world.sandbox.read(paymentId)).paymentState
    expect(await stateOf()).toBe('CapturedHold')
    const permissions = ['PaymentRead', 'PaymentWrite']
    expect((await team('Owner', 'POST', 'roles', { roleName: 'Clerk', permissions })).status).toBe(200)
    const member = await personOf('Viewer')
    const roleId = await idOf('Clerk')
    await world.post('Owner', `team/members/${member}/role`, { role: roleId })
    const cancel = () =>
      fetch(`${world.origin}/api/apps/${world.sandbox.appId}/payments/${paymentId}/cancel`, {
        method: 'POST',
        headers: { cookie: `console=${world.tokens.Viewer}` },
      })
    expect((await cancel()).status).toBe(403)
    await world.post('Viewer', `payments/${paymentId}/cancel`, {}, 'payments')
    await world.post('Viewer', 'payments/bulk/cancel', { ids: String(paymentId) }, 'payments')
    expect((await world.get('Viewer', `payments/${paymentId}`)).html).not.toContain(
      `payments/${paymentId}/cancel"`,
    )
    expect(await stateOf()).toBe('CapturedHold')
    const more = { roleName: 'Clerk', permissions: [...permissions, 'PaymentRefund'] }
    expect((await team('Owner', 'PUT', `roles/${roleId}`, more)).status).toBe(200)
    expect((await cancel()).status).toBe(200)
    expect(await stateOf()).toBe('Failed')
    await world.post('Owner', `team/members/${member}/role`, { role: 'Viewer' })
  })
})
