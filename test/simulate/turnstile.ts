import type { Dice } from './dice.ts'

interface Waiting {
  readonly who: string
  readonly run: () => Promise<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/**
 * Everything that reaches outside a node passes here, one at a time, in an order that the dice choose. So the
 * same seed gives the same interleaving, and a node can die between any two of its steps.
 */
export interface Turnstile {
  pass<T>(who: string, run: () => Promise<T>): Promise<T>
  /** Lets everybody through until nobody waits any more. */
  drain(): Promise<void>
  /** Whoever waits under this name waits for ever. */
  forget(who: string): void
}

export interface TurnstileOptions {
  readonly dice: Dice
  /** Asked before each step: does this one die now? */
  readonly dies: (who: string) => boolean
  readonly died: (who: string) => void
}

export function createTurnstile({ dice, dies, died }: TurnstileOptions): Turnstile {
  let waiting: Waiting[] = []

  function forget(who: string): void {
    waiting = waiting.filter((one) => one.who !== who)
  }

  async function letOneThrough(): Promise<void> {
    const place = dice.below(waiting.length)
    const [one] = waiting.splice(place, 1)
    if (!one) return
    const dead = dies(one.who)
    // Half of the dead die after the deed: it is done, and nobody knows.
    if (dead && dice.chance(0.5)) {
      forget(one.who)
      return died(one.who)
    }
    try {
      const value = await one.run()
      if (!dead) one.resolve(value as never)
    } catch (error) {
      if (!dead) one.reject(error)
    }
    if (!dead) return
    forget(one.who)
    died(one.who)
  }

  /** True when a few turns of the event loop brought nobody new. */
  async function quiet(): Promise<void> {
    let calm = 0
    let seen = waiting.length
    while (calm < CALM_TURNS) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      calm = waiting.length === seen ? calm + 1 : 0
      seen = waiting.length
    }
  }

  return {
    forget,
    pass: (who, run) =>
      new Promise((resolve, reject) => {
        waiting.push({ who, run, resolve, reject })
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

/** Promises settle within one turn; a request that is injected needs a few. */
const CALM_TURNS = 4
