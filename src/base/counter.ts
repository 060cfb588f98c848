/** Counts occurrences by name, with a bound on the number of names. */
export interface Counter {
  /** The count after this one; 0 when the name is new and the counter is full. */
  add(name: string): number
}

export function createCounter(mostNames: number): Counter {
  const counts = new Map<string, number>()
  return {
    add(name) {
      const count = (counts.get(name) ?? 0) + 1
      if (count === 1 && counts.size >= mostNames) return 0
      counts.set(name, count)
      return count
    },
  }
}
