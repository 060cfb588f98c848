import type { ScenarioName } from './scenarios.ts'

export interface LoadApp {
  readonly appId: string
  readonly apiKey: string
}

/** What the load process is asked to do. */
export interface Plan {
  readonly url: string
  readonly scenario: ScenarioName
  readonly apps: readonly LoadApp[]
  readonly connections: number
  readonly seconds: number
  /** So many begin each second, whether or not earlier ones have ended; without it, one after the other. */
  readonly perSecond?: number
  /** The first number: references are made of it and never come twice. */
  readonly from: number
  /** What to read: the last part of each address. */
  readonly things?: readonly string[]
  /** Every connection from an address of its own, as payers have. */
  readonly ownAddresses?: true
}

/** What came of it. An answer other than the expected one ends the run with an error instead. */
export interface Outcome {
  readonly count: number
  /** When the first began: the same moment in every process. */
  readonly startMs: number
  readonly seconds: number
  /** From the first byte sent to the last byte received. */
  readonly tookMs: readonly number[]
  /** What each was about: a payment's id, or its key. In the order of `tookMs`. */
  readonly made: readonly string[]
}
