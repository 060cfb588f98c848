import type { Clock } from '../../../base/clock.ts'
import { type Asking, type EndpointKey, Permit } from './permit.ts'

/** Free slots, by app and endpoint. */
export type FreeSlots = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The permits of this node. */
export interface Permits {
  /** Whether a slot can be expected soon: never at the first use. Asks for slots in the background. */
  expects(key: EndpointKey, asking: Asking): boolean
  find(key: EndpointKey): Permit | undefined
  /** A claimed delivery uses a slot that was lent; returns a function that ends this. */
  enter(key: EndpointKey): () => void
  /** Runs a claim that may use half of the free slots; `enter` is called before its end. */
  lend<Result>(claim: (free: FreeSlots) => Promise<Result>): Promise<Result>
}

/** Endpoints that are remembered. Each payment may have an endpoint of its own. */
const MOST_ENDPOINTS = 10_000

const keyOf = ({ appId, endpoint }: EndpointKey): string => `${appId}\n${endpoint}`

export function createPermits(clock: Clock): Permits {
  const permits = new Map<string, Permit>()
  const find = (key: EndpointKey) => permits.get(keyOf(key))
  let isLending = false

  function add({ appId, endpoint }: EndpointKey): void {
    if (permits.size >= MOST_ENDPOINTS)
      for (const [key, permit] of permits) if (permit.isIdle) permits.delete(key)
    const key = { appId, endpoint }
    if (permits.size < MOST_ENDPOINTS) permits.set(keyOf(key), new Permit(key, clock))
  }

  function lendSlots(): FreeSlots {
    const free: Record<string, Record<string, number>> = {}
    for (const permit of permits.values()) {
      const slots = permit.lend()
      const { appId, endpoint } = permit.key
      if (slots > 0) free[appId] = Object.assign(free[appId] ?? {}, { [endpoint]: slots })
    }
    return free
  }

  return {
    find,
    expects(key, asking) {
      const permit = find(key)
      if (!permit) add(key)
      return permit?.expects(asking) ?? false
    },
    enter(key) {
      const permit = find(key)
      if (permit) permit.used++
      return () => permit?.free()
    },
    async lend(claim) {
      if (isLending) return await claim({})
      isLending = true
      return await claim(lendSlots()).finally(() => {
        isLending = false
        for (const permit of permits.values()) permit.takeBack()
      })
    },
  }
}
