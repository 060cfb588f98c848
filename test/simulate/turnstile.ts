import type { Dice } from './dice.ts'

interface Waiting {
  readonly who: string
  readonly run: () => Promise<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/**
 * Everything that reaches outside a node passes here, one at a time, in an order that the dice choose. So the
 * same seed gives the same interleaving, and a node can die between any two of its steps. Decision 0070.
 */
export interface Turnstile {
  pass<T>(who: string, run: () => Promise<T>): Promise<T>
  /** Lets everybody through until nobody waits any more. */
  drain(): Promise<void>
}

export interface TurnstileOptions {
  readonly dice: Dice
  /** Asked before each step: does this one die now? */
  readonly dies: (who: string) => boolean
  readonly died: (who: string) => void
}

export function createTurnstile({ dice, dies, died }: TurnstileOptions): Turnstile {
  let waiting: Waiting[] = []
  const dead = new Set<string>()

  function bury(who: string): void {
    dead.add(who)
    waiting = waiting.filter((one) => one.who !== who)
    died(who)
  }

  async function letOneThrough(): Promise<void> {
    const place = dice.below(waiting.length)
    const [one] = waiting.splice(place, 1)
    if (!one) return
    const isLast = dies(one.who)
    // Half of the dead die after the deed: it is done, and nobody knows.
    if (isLast && dice.chance(0.5)) return bury(one.who)
    try {
      const value = await one.run()
      if (!isLast) one.resolve(value as never)
    } catch (error) {
      if (!isLast) one.reject(error)
    }
    if (isLast) bury(one.who)
  }

  return {
    pass: (who, run) =>
      new Promise((resolve, reject) => {
        // Whoever is dead waits for ever, also when it slept while it died.
        if (!dead.has(who)) waiting.push({ who, run, resolve, reject })
      }),
    async drain() {
      await quiet()
      while (waiting.length > 0) {
        await letOneThrough()
        await quiet()
      }
    },
  }
}

/**
 * Until nobody can go on by himself. Promises settle within one turn of the event loop, and whoever needs
 * another turn has asked for it: when nobody has, whatever is left waits for us.
 */
async function quiet(): Promise<void> {
  let turns = 0
  do await new Promise<void>((resolve) => setImmediate(resolve))
  while (++turns < TURNS || process.getActiveResourcesInfo().includes('Immediate'))
}

/** Bun does not tell who has asked for another turn, so there everybody gets several. */
const TURNS = 'bun' in process.versions ? 20 : 1
