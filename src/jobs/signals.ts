/** Wake-ups within one process: "there may be something due". A lost one costs a poll, never work. */
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
        // Topics may be as many as payments: an empty one is not kept.
        if (all.size === 0 && topics.get(topic) === all) topics.delete(topic)
      }
    },
  }
}
