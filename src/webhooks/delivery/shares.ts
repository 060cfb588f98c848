import { WEBHOOKS } from '../schedule.ts'

/**
 * Deliveries in flight on this node, by app. The more slots an app holds, the more of the node must be free
 * before it gets another. One app alone reaches `perApp`; however many apps have hanging endpoints, an app
 * with nothing in flight still gets a slot. Decision 0094.
 */
export interface DeliveryShares {
  readonly total: number
  /** In flight per app; apps with none are absent. */
  readonly byApp: ReadonlyMap<string, number>
  /** Whether one more delivery of this app may start, to an endpoint with this many in flight. */
  mayStart(appId: string, atEndpoint?: number): boolean
  enter(appId: string): void
  leave(appId: string): void
  /** Deliveries of this app may have been held back: claim again when one of its tries ends. */
  isTight(appId: string): boolean
}

/** Slots of the node that must stay free for other apps, per slot that an app holds. */
export const NODE_STEP = WEBHOOKS.perNode / (2 * WEBHOOKS.perApp)
/** Slots of an app that must stay free for its other endpoints, per slot that an endpoint holds. */
export const APP_STEP = WEBHOOKS.perApp / (2 * WEBHOOKS.perEndpoint)

export function createDeliveryShares(): DeliveryShares {
  const apps = new Map<string, number>()
  let total = 0
  const used = (appId: string): number => apps.get(appId) ?? 0
  return {
    get total() {
      return total
    },
    byApp: apps,
    mayStart: (appId, atEndpoint = 0) =>
      used(appId) < WEBHOOKS.perApp - atEndpoint * APP_STEP &&
      total < WEBHOOKS.perNode - used(appId) * NODE_STEP,
    isTight: (appId) => used(appId) > WEBHOOKS.perApp / 2 || total > WEBHOOKS.perNode / 2,
    enter(appId) {
      apps.set(appId, used(appId) + 1)
      total++
    },
    leave(appId) {
      const left = used(appId) - 1
      if (left > 0) apps.set(appId, left)
      else apps.delete(appId)
      total--
    },
  }
}
