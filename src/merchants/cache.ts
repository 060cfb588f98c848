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
 * Remembers what was read for a short while. Requests at the same time share one read, and age counts from
 * its start. What was not found is remembered as well, in the same bounded room, so that a flood of one wrong
 * key costs two reads a second.
 */
export function createCache<Value>({ clock, maxAgeMs, maxSize, load }: CacheOptions<Value>): Cache<Value> {
  const entries = new Map<string, Entry<Value>>()
  return {
    get(key) {
      const nowMs = clock.now().getTime()
      const known = entries.get(key)
      const ageMs = nowMs - (known?.sinceMs ?? Number.NEGATIVE_INFINITY)
      // A clock that was set back makes it younger than nothing: that says nothing about its age.
      if (known && ageMs >= 0 && ageMs < maxAgeMs) return known.value
      entries.delete(key)
      const value = load(key)
      const entry = { value, sinceMs: nowMs }
      entries.set(key, entry)
      value.catch(() => {
        // A failed read is nobody's answer: the next one asks again.
        if (entries.get(key) === entry) entries.delete(key)
      })
      // Map keeps the order of insertion: the first entry is the oldest.
      const [oldest] = entries.size > maxSize ? entries.keys() : []
      if (oldest !== undefined) entries.delete(oldest)
      return value
    },
    forget: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}
