import type { ServiceProcess } from '../support/service-process.ts'
import type { Tally } from '../support/shoppers.ts'
import type { Rig } from './rig.ts'

/** The environment of a scenario. A scenario may replace `service`. */
export interface Stage {
  readonly rig: Rig
  service: ServiceProcess
  log(text: string): void
}

export interface Outcome {
  /** The main observation, for the report. */
  readonly what: string
  /** Responses that the shoppers got, if there were any. */
  readonly tally?: Tally
  /** How long the service was stopped: requests in flight could not be answered earlier. */
  readonly stoppedMs?: number
  readonly problems: readonly string[]
}

export interface Scenario {
  readonly name: string
  /** Description of the fault, for the report. */
  readonly fault: string
  /** Why this machine cannot run the scenario, or undefined. */
  readonly skipReason?: () => Promise<string | undefined>
  /** A folder for the database, removed afterwards. Default: a temporary folder. */
  readonly folder?: () => Promise<{ readonly path: string; remove(): Promise<void> }>
  /** Shoppers before the first memory measurement, if the default does not reach the usual memory size. */
  readonly warmUp?: number
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
  run(stage: Stage): Promise<Outcome>
}

export const total = ({ statuses }: Tally): number =>
  [...statuses.values()].reduce((sum, one) => sum + one, 0)
