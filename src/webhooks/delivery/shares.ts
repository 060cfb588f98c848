import { WEBHOOKS } from '../schedule.ts'

/**
 * In flight on this node, by app. Places are given out on a sliding scale: the more an app has, the emptier
 * the node must be for it to get another. One app alone reaches `perApp`; however many apps hang, an app
 * with nothing in flight still finds a place.
 */
export interface DeliveryShares {
  readonly total: number
  /** How many of each app; one without any is not in it. */
  readonly byApp: ReadonlyMap<string, number>
  /** Whether one more of this app may start now. */
  mayStart(appId: string): boolean
  enter(appId: string): void
  leave(appId: string): void
  /** The scale may have held back something of this app: worth a new claim when one of its tries ends. */
  isTight(appId: string): boolean
}

/** How many places of the node stay free for others, for each that an app has. */
export const NODE_STEP = WEBHOOKS.perNode / (2 * WEBHOOKS.perApp)
/** The same inside an app: how many of its places stay free for its other endpoints. */
export const APP_STEP = WEBHOOKS.perApp / (2 * WEBHOOKS.perEndpoint)

export function createShares(): DeliveryShares {
  const apps = new Map<string, number>()
  let total = 0
  const used = (appId: string): number => apps.get(appId) ?? 0
  return {
    get total() {
      return total
    },
    byApp: apps,
    mayStart: (appId) => mayStart(used(appId), total),
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

const mayStart = (used: number, total: number): boolean =>
  used < WEBHOOKS.perApp && total < WEBHOOKS.perNode - used * NODE_STEP
