/** Runs work one after the other for each key, within this process. */
export interface Queue {
  /** Runs the work after earlier work of the same key. */
  serialize<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createQueue(): Queue {
  const last = new Map<string, Promise<unknown>>()
  return {
    serialize(key, work) {
      const result = (last.get(key) ?? Promise.resolve()).then(work, work)
      // The next task runs after this one ends, whether it succeeded or failed.
      const settled = result
        .catch(() => undefined)
        .finally(() => {
          if (last.get(key) === settled) last.delete(key)
        })
      last.set(key, settled)
      return result
    },
  }
}
