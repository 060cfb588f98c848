import type { ServiceProcess } from '../support/service-process.ts'
import type { Tally } from '../support/shoppers.ts'
import type { Rig } from './rig.ts'

/** What a scenario works on. It may put another service in the place of the one it was given. */
export interface Stage {
  readonly rig: Rig
  service: ServiceProcess
  say(text: string): void
}

export interface Outcome {
  /** What happened, in a few words for the report. */
  readonly what: string
  /** What shoppers met, where there were any. */
  readonly tally?: Tally
  /** For how long the service itself was stopped: whoever had asked it could not be answered sooner. */
  readonly stoodMs?: number
  readonly problems: readonly string[]
}

export interface Scenario {
  readonly name: string
  /** What is done, for the report. */
  readonly does: string
  /** Why this machine cannot do it, if so. */
  readonly cannot?: () => Promise<string | undefined>
  /** A database elsewhere than in the folder for temporary files; removed afterwards. */
  readonly folder?: () => Promise<{ readonly path: string; remove(): Promise<void> }>
  /** Shoppers before memory is first looked at, where a few do not make the service as large as it gets. */
  readonly warmUp?: number
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
  run(stage: Stage): Promise<Outcome>
}

export const total = ({ statuses }: Tally): number =>
  [...statuses.values()].reduce((sum, one) => sum + one, 0)
