import type { Dice } from './dice.ts'
import type { Counter } from './tally.ts'

/** What can go wrong, by name, and how often each goes wrong in the worst of worlds. */
const WORST = {
  /** The request never left: nothing happened, and the sender knows. */
  'request not sent': 0.1,
  'request lost': 0.15,
  'timeout after effect': 0.15,
  'lost answer': 0.15,
  'unreadable answer': 0.1,
  '5xx before effect': 0.1,
  '5xx after effect': 0.1,
  /** 429: the provider takes no more calls now. */
  'rate limited': 0.08,
  /** 401: the key was changed, and the new one is not known here yet. */
  'key refused': 0.03,
  duplicate: 0.2,
  /** Held back while others overtake it, and still answered. */
  reordered: 0.2,
  /** It arrives when nobody waits for its answer any more. */
  late: 0.08,
  'forged notification': 0.3,
  /** The bank believes that it was received; in the worst of worlds it has the wrong address. */
  'lost notification': 1,
  /** At any step of a node that reaches outside of it. */
  'process crash': 0.004,
  'receiver silent': 0.2,
  'receiver 5xx': 0.2,
  /** The receiver has read the webhook; we never hear of it. */
  'receiver answer lost': 0.2,
  'clock jump': 0.05,
} as const

export type Fault = keyof typeof WORST
export const FAULTS = Object.keys(WORST) as Fault[]

/** How badly one world behaves. */
type Rates = Readonly<Record<Fault, number>>

const ratesBy = (rate: (fault: Fault) => number): Rates =>
  Object.fromEntries(FAULTS.map((fault) => [fault, rate(fault)])) as Rates

/** Most worlds are mild in most respects and bad in a few: that is how days are. */
const drawRates = (dice: Dice): Rates =>
  ratesBy((fault) => (dice.chance(0.5) ? 0 : dice.next() * WORST[fault]))

const NO_FAULTS = ratesBy(() => 0)

export interface Faults {
  strikes(fault: Fault): boolean
  begin(): void
  end(): void
}

/** Faults at the rates that this world draws, from `begin` to `end`. */
export function createFaults(dice: Dice, counter: Counter): Faults {
  const drawn = drawRates(dice)
  let rates = NO_FAULTS
  return {
    strikes(fault) {
      const happens = dice.chance(rates[fault])
      if (happens) counter.count(`fault ${fault}`)
      return happens
    },
    begin() {
      rates = drawn
    },
    end() {
      rates = NO_FAULTS
    },
  }
}
