import type { Clock } from '../base/clock.ts'

export interface Cache<Value> {
  get(key: string): Promise<Value | undefined>
  forget(key: string): void
  clear(): void
}

interface Entry<Value> {
  readonly value: Promise<Value | undefined>
  readonly sinceMs: number
}

interface CacheOptions<Value> {
  readonly clock: Clock
  readonly maxAgeMs: number
  readonly maxSize: number
  readonly load: (key: string) => Promise<Value | undefined>
}

/**
 * A cache with a short maximum age. Concurrent requests share one load, and the age counts from its start.
 * Missing values are cached too, within the same size limit, so that repeated requests with one unknown key
 * cost two reads a second.
 */
export function createCache<Value>({ clock, maxAgeMs, maxSize, load }: CacheOptions<Value>): Cache<Value> {
  const entries = new Map<string, Entry<Value>>()
  return {
    get(key) {
      const nowMs = clock.now().getTime()
      const known = entries.get(key)
      const ageMs = nowMs - (known?.sinceMs ?? Number.NEGATIVE_INFINITY)
      // A negative age means that the clock was set back: load again.
      if (known && ageMs >= 0 && ageMs < maxAgeMs) return known.value
      entries.delete(key)
      const value = load(key)
      const entry = { value, sinceMs: nowMs }
      entries.set(key, entry)
      value.catch(() => {
        // Failed loads are not cached.
        if (entries.get(key) === entry) entries.delete(key)
      })
      // A Map keeps insertion order: the first entry is the oldest.
      const [oldest] = entries.size > maxSize ? entries.keys() : []
      if (oldest !== undefined) entries.delete(oldest)
      return value
    },
    forget: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}
