import type { ScenarioName } from './scenarios.ts'

export interface LoadApp {
  readonly appId: string
  readonly apiKey: string
}

/** Input of the load process. */
export interface Plan {
  readonly url: string
  readonly scenario: ScenarioName
  readonly apps: readonly LoadApp[]
  readonly connections: number
  readonly seconds: number
  /** Requests started per second, independent of earlier ones. Undefined: a closed loop. */
  readonly perSecond?: number
  /** The first number of the references, which must be unique. */
  readonly from: number
  /** The last path part of each URL to read. */
  readonly things?: readonly string[]
  /** Uses another local address for each connection. */
  readonly ownAddresses?: true
}

/** The result. An unexpected response ends the run with an error instead. */
export interface Outcome {
  /** All of them; the times of the first second of a fixed rate are left out. */
  readonly count: number
  /** When the first request began, on the clock shared by all processes. */
  readonly startMs: number
  readonly seconds: number
  /** From the first byte sent to the last byte received. */
  readonly tookMs: readonly number[]
  /** The payment id or key of each request, in the order of `tookMs`. */
  readonly made: readonly string[]
}
