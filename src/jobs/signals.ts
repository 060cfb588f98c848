/** Wake-ups within one process: rows may be due. A lost signal delays work until the next poll. */
export interface Signals {
  wake(topic: string): void
  on(topic: string, woken: () => void): () => void
}

export function createSignals(): Signals {
  const topics = new Map<string, Set<() => void>>()
  return {
    wake(topic) {
      for (const woken of topics.get(topic) ?? []) woken()
    },
    on(topic, woken) {
      const all = topics.get(topic) ?? new Set()
      topics.set(topic, all.add(woken))
      return () => {
        all.delete(woken)
        // There may be a topic for each payment, so empty topics are removed.
        if (all.size === 0 && topics.get(topic) === all) topics.delete(topic)
      }
    },
  }
}
