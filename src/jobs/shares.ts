import type { Share } from '../db/fair-claim.ts'

/** The app and profile that work belongs to. The profile is null when no provider is called. */
export interface Owner {
  readonly appId: string
  readonly profileId: number | null
}

export interface Caps {
  readonly perProfile: number
  readonly perApp: number
  readonly perNode: number
}

/** Counts work in progress, so that one profile or app cannot use the whole node. */
export interface Shares {
  /** Counts one more, unless a cap is reached. */
  take(owner: Owner): boolean
  /** Counts one more that was claimed within `share`. */
  add(owner: Owner): void
  /** Counts one less. Returns whether a cap was reached before, so that more work may be waiting. */
  release(owner: Owner): boolean
  share(): Share
}

export function createShares({ perProfile, perApp, perNode }: Caps): Shares {
  const profiles = createCounter()
  const apps = createCounter()
  let total = 0
  const isFull = ({ appId, profileId }: Owner): boolean =>
    total >= perNode || apps.of(appId) >= perApp || profiles.of(profileId) >= perProfile
  function add({ appId, profileId }: Owner): void {
    total++
    apps.change(appId, 1)
    profiles.change(profileId, 1)
  }
  return {
    add,
    take(owner) {
      if (isFull(owner)) return false
      add(owner)
      return true
    },
    release(owner) {
      const wasFull = isFull(owner)
      total--
      apps.change(owner.appId, -1)
      profiles.change(owner.profileId, -1)
      return wasFull
    },
    share: () => ({
      limit: Math.max(0, perNode - total),
      perProfile,
      perApp,
      profiles: profiles.all(),
      apps: apps.all(),
    }),
  }
}

function createCounter() {
  const counts = new Map<string, number>()
  return {
    of: (id: string | number | null): number => counts.get(String(id)) ?? 0,
    change(id: string | number | null, by: number): void {
      // Work without a profile is bounded by its app's share.
      if (id === null) return
      const count = (counts.get(String(id)) ?? 0) + by
      if (count > 0) counts.set(String(id), count)
      else counts.delete(String(id))
    },
    all: (): Record<string, number> => Object.fromEntries(counts),
  }
}
