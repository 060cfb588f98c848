import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/db/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { good, startTestService, type TestApp, type TestService } from '../support/tender.ts'

/** Settings of an app beside its own object, and their entries in the audit log. */
let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_settings')
})
afterAll(() => tender?.stop())

async function actionsOf({ appId }: TestApp): Promise<string[]> {
  const text = 'select action, target from audit_log where app_id = $1 order by entry_id'
  const statement = sql<{ action: string; target: string }>('test.actions', text)
  const rows = await tender.service.ctx.db.query(statement, [appId])
  return rows.map(({ action, target }) => `${action} ${target.replace(/:.*/, '')}`)
}

describe('fraud policies', () => {
  it('are deleted by an id in the query too, and their changes are audited', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const { fraudPolicyId } = good(await app.call('POST', 'fraud-policies', { name: 'One', rules: [] }))
    good(await app.call('PATCH', `fraud-policies/${fraudPolicyId}`, { isDefault: true }))
    good(await app.call('PATCH', `fraud-policies/${fraudPolicyId}/rules`, []))
    const path = `fraud-policies?fraudPolicyId=${fraudPolicyId}`
    expect((await app.call('DELETE', path)).body.code).toBe('fraud_policy_in_use')
    good(await app.call('PATCH', `fraud-policies/${fraudPolicyId}`, { isDefault: false }))
    expect((await app.call('DELETE', path)).status).toBe(200)
    expect((await app.call('DELETE', path)).status).toBe(404)
    expect((await app.call('DELETE', 'fraud-policies')).status).toBe(400)
    const [deleted] = good(await app.call('GET', `fraud-policies/${fraudPolicyId}/versions`))
    expect(deleted).toMatchObject({ change: 'Deleted', changedBy: { name: 'First key' } })
    expect(await actionsOf(app)).toEqual([
      'policy.created policy',
      'policy.changed policy',
      'policy.changed policy',
      'policy.changed policy',
      'policy.deleted policy',
    ])
  })

  it('have metadata of how methods are added', async () => {
    const list = good(await tender.sandbox.call('GET', 'fraud-policies/payment-method-policy-rule-metadata'))
    const bank = list.find(
      (one: { paymentMethodAddCategory: string }) => one.paymentMethodAddCategory === 'ElectronicCheck',
    )
    expect(bank.paymentMethodRuleItems[0]).toMatchObject({
      paymentMethodAddMode: 'CustomerPanel',
      paymentMethodVerificationTypes: ['Provider', 'MicroDeposit'],
      paymentProfile: { paymentProfileName: 'Sandbox bank accounts' },
    })
  })
})

describe('routing', () => {
  it('is audited, also when one default profile is set', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const [{ paymentProfileId }] = good(await app.call('GET', 'payment-profiles'))
    const defaults = [{ currency: 'EUR', paymentProfileId }]
    good(await app.call('PUT', 'routing', { defaultProfiles: defaults }))
    good(await app.call('PATCH', '', { defaultRoutedProfile: { currency: 'USD', paymentProfileId } }))
    expect(good(await app.call('GET', 'routing')).defaultProfiles).toEqual([
      ...defaults,
      { currency: 'USD', paymentProfileId },
    ])
    expect(await actionsOf(app)).toEqual(['routing.changed app', 'routing.changed app'])
  })
})

describe('the signature of webhooks', () => {
  it('is turned off and on again', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const shop = await startReceiver()
    good(await app.call('PATCH', '', { paymentWebhookUrl: shop.url }))
    const signature = async () => {
      good(await app.call('POST', 'webhooks/test'))
      return shop.hooks.at(-1)?.headers['webhook-signature']
    }
    expect(await signature()).toMatch(/^v1,/)
    expect((await app.call('DELETE', 'webhook-signing-secret')).status).toBe(200)
    expect(good(await app.call('GET', '')).webhookSettings.isSigningEnabled).toBe(false)
    expect(await signature()).toBeUndefined()
    good(await app.call('POST', 'webhook-signing-secret'))
    expect(good(await app.call('GET', '')).webhookSettings.isSigningEnabled).toBe(true)
    expect(await signature()).toMatch(/^v1,/)
    expect(await actionsOf(app)).toEqual([
      'app.changed app',
      'webhook_secret.removed app',
      'webhook_secret.rotated app',
    ])
    const shown = good(await app.call('GET', ''))
    expect(shown).toMatchObject({ lastWebhookError: null })
    expect(Date.parse(shown.lastWebhookProcessTime)).toBeGreaterThan(0)
    await shop.stop()
  })
})
