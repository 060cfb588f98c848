import { slot } from '../node/slot.ts'
import type { Sample } from './rules.ts'

/** The recent calls to a profile by this node. */
export interface ProfileWatch {
  samples: Sample[]
  /** A diagnosis is being written. */
  writing: boolean
  probedMs: number
}

export interface ProfileWatches {
  of(appId: string, profileId: number): ProfileWatch
}

const MAX_WATCHES = 10_000

export function createProfileWatches(): ProfileWatches {
  const all = new Map<string, ProfileWatch>()
  return {
    of(appId, profileId) {
      const key = `${appId} ${profileId}`
      const watch = all.get(key) ?? { samples: [], writing: false, probedMs: Number.NEGATIVE_INFINITY }
      // A Map keeps insertion order: evict the least recently called profile.
      all.delete(key)
      all.set(key, watch)
      const [oldest] = all.size > MAX_WATCHES ? all.keys() : []
      if (oldest !== undefined) all.delete(oldest)
      return watch
    },
  }
}

export const profileWatches = slot('profileWatches', createProfileWatches, {
  holds: 'recent calls to each profile',
  until: 'newer calls; a successful probe',
  restart: 'the calls: a failing profile is found after new ones',
})
