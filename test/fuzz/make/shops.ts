import { MEASURES, RULE_ACTIONS } from '../../../src/fraud/policy.ts'
import { parsed } from '../checks.ts'
import type { World } from '../world.ts'
import { type Calls, created, paymentOf } from './stories.ts'
import { AMOUNTS } from './values.ts'

/** A policy that holds or rejects, and payments that match it. */
export async function fraudStory(world: World, calls: Calls): Promise<void> {
  const { dice } = world
  const held = { action: 'HoldPayment', measure: 'SingleAmount', threshold: 0.01 }
  const answer = await calls.call('POST', '/fraud-policies', {
    body: {
      name: `Policy ${world.next()}`,
      rules: [
        {
          action: dice.pick(RULE_ACTIONS),
          measure: dice.pick(Object.keys(MEASURES)),
          threshold: dice.pick(AMOUNTS),
          period: dice.pick(['Daily', 'Weekly', 'Monthly', null]),
          ...(dice.chance(0.5) ? held : {}),
        },
      ],
      firewall: { blockedCountries: ['KP'], blockedAddresses: ['203.0.113.0/24'], whenUnavailable: 'Accept' },
    },
  })
  const { fraudPolicyId } = (parsed(answer.text) ?? {}) as { fraudPolicyId?: number }
  if (answer.status !== 201) return
  const payment = await created(world, calls, { fraudPolicyId })
  if (!payment) return
  const body = { outcome: 'approved', payerIp: dice.pick(['203.0.113.7', '198.51.100.1', 'nonsense', '::1']) }
  await calls.call('POST', `/test-helpers/payments/${payment.paymentId}/pay`, { body })
  await calls.call('POST', `/payments/${payment.paymentId}/unhold`)
  await calls.call('GET', `/payments/${payment.paymentId}/fraud`)
  if (dice.chance(0.5)) await calls.call('DELETE', `/fraud-policies/${fraudPolicyId}`)
}

/** The app's webhooks: their address, the list, and resending. */
export async function webhookStory(world: World, calls: Calls): Promise<void> {
  const { dice } = world
  const paymentWebhookUrl = `${world.hooks}/${dice.pick(['200', '500', '410', '302'])}`
  await calls.call('PATCH', '', { body: { paymentWebhookUrl: { value: paymentWebhookUrl } } })
  await created(world, calls)
  await calls.call('POST', '/webhooks/test')
  await calls.call('GET', '/webhooks', { query: [`pageSize=${dice.pick(['1', '20', '500'])}`] })
  await calls.call('GET', '/events', { query: [`pageSize=${dice.pick(['1', '20', '500'])}`] })
  const eventId = world.known.any('eventId', dice)
  if (eventId) await calls.call('POST', `/webhooks/${encodeURIComponent(eventId)}/resend`)
  if (dice.chance(0.3)) await calls.call('PATCH', '', { body: { paymentWebhookUrl: { value: null } } })
}

/** Faults of the bank: each charge must be counted once. */
export async function faultStory(world: World, calls: Calls): Promise<void> {
  const { dice } = world
  const step = dice.pick(['authorise', 'capture', 'refund', 'cancel', 'any'])
  const effect = dice.pick(['decline', 'reply-lost', 'request-lost', 'http-500-after-acting', 'unreadable'])
  await calls.call('POST', '/test-helpers/faults', { body: { step, effect, times: 1 } })
  const payment = await created(world, calls)
  if (payment) {
    const at = `/payments/${payment.paymentId}`
    await calls.call('POST', `/test-helpers${at}/pay`, { body: {} })
    const headers = [['Prefer', 'wait=1']] as const
    for (const action of ['capture', 'refund']) await calls.call('POST', `${at}/${action}`, { headers })
    await calls.call('POST', `${at}/recheck`, { headers })
    const seen = paymentOf(await calls.call('GET', at))
    if (seen && seen.refundedAmount > seen.capturedAmount) calls.fail('more is refunded than captured')
  }
  await calls.call('DELETE', '/test-helpers/faults')
}
