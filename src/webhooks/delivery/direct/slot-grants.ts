import type { Clock } from '../../../base/clock.ts'
import { type EndpointKey, SlotGrant, type SlotRequester } from './slot-grant.ts'

/** Free slots, by app and endpoint. */
export type FreeSlots = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The slot grants of this node. */
export interface SlotGrants {
  /** Whether a slot can be expected soon: never at the first use. Requests slots in the background. */
  expectsSlot(key: EndpointKey, requester: SlotRequester): boolean
  find(key: EndpointKey): SlotGrant | undefined
  /** A claimed delivery uses a slot that was lent; returns a function that ends this. */
  enter(key: EndpointKey): () => void
  /** Runs a claim that may use half of the free slots; `enter` is called before its end. */
  withLentSlots<Result>(claim: (free: FreeSlots) => Promise<Result>): Promise<Result>
}

/** Endpoints that are remembered. Each payment may have an endpoint of its own. */
const MAX_ENDPOINTS = 10_000

const keyOf = ({ appId, endpoint }: EndpointKey): string => `${appId}\n${endpoint}`

export function createSlotGrants(clock: Clock): SlotGrants {
  const grants = new Map<string, SlotGrant>()
  const find = (key: EndpointKey) => grants.get(keyOf(key))
  let isLending = false

  function add({ appId, endpoint }: EndpointKey): void {
    if (grants.size >= MAX_ENDPOINTS) for (const [key, grant] of grants) if (grant.isIdle) grants.delete(key)
    const key = { appId, endpoint }
    if (grants.size < MAX_ENDPOINTS) grants.set(keyOf(key), new SlotGrant(key, clock))
  }

  function lendFree(): FreeSlots {
    const free: Record<string, Record<string, number>> = {}
    for (const grant of grants.values()) {
      const slots = grant.lendFree()
      const { appId, endpoint } = grant.key
      if (slots > 0) free[appId] = Object.assign(free[appId] ?? {}, { [endpoint]: slots })
    }
    return free
  }

  return {
    find,
    expectsSlot(key, requester) {
      const grant = find(key)
      if (!grant) add(key)
      return grant?.expectsSlot(requester) ?? false
    },
    enter(key) {
      const grant = find(key)
      if (grant) grant.used++
      return () => grant?.freeSlot()
    },
    async withLentSlots(claim) {
      if (isLending) return await claim({})
      isLending = true
      return await claim(lendFree()).finally(() => {
        isLending = false
        for (const grant of grants.values()) grant.endLoan()
      })
    },
  }
}
