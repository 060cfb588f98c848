/** How often each thing really happened: what never happens proves nothing. */
export type Tally = Readonly<Record<string, number>>

export interface Counter {
  count(what: string): void
  total(): Tally
}

export function createCounter(): Counter {
  const counts = new Map<string, number>()
  return {
    count: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    total: () => Object.fromEntries(counts),
  }
}

export function addUp(tallies: readonly Tally[]): Tally {
  const sum: Record<string, number> = {}
  for (const tally of tallies)
    for (const [what, times] of Object.entries(tally)) sum[what] = (sum[what] ?? 0) + times
  return sum
}
