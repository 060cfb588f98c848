import { hookOf } from './merchant.ts'
import type { Scene } from './scene.ts'

/** Each event reached its merchant, for the first time in the order of its payment. */
export function everyEventIsDelivered({ world, merchants, events }: Scene): string[] {
  const arrived = new Set<string>()
  const latest = new Map<number, number>()
  const problems: string[] = []
  for (const { url, eventId, paymentId, sequence } of world.received) {
    if (arrived.has(`${url} ${eventId}`)) continue
    arrived.add(`${url} ${eventId}`)
    if (sequence !== (latest.get(paymentId) ?? 0) + 1) problems.push(`${eventId} came out of order`)
    latest.set(paymentId, sequence)
  }
  const hooks = new Map(merchants.map((merchant) => [merchant.appId, hookOf(merchant.mark)]))
  for (const { app_id, payment_id, sequence } of events)
    if (!arrived.has(`${hooks.get(app_id)} evt_${payment_id}_${sequence}`))
      problems.push(`evt_${payment_id}_${sequence} was never delivered`)
  return problems
}
