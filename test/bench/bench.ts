import type { Rig } from './rig.ts'

/** One row of the result table. */
export interface Figure {
  readonly what: string
  readonly value: string
  readonly target?: string
  /** Whether the target is met. */
  readonly ok?: boolean
  /** Values for the JSON output. */
  readonly numbers: Readonly<Record<string, number>>
}

export interface Bench {
  readonly name: string
  /** Slow: runs only if it is named. */
  readonly onlyByName?: true
  /** A missed target fails the run. */
  readonly mustMeet?: true
  /** Resolves host names with the benchmark's name server. */
  readonly ownNames?: true
  /** Runs the sandbox's bank in a process and a database of its own. */
  readonly bankApart?: true
  /** Runs simulators of the providers, which the service calls. */
  readonly providers?: true
  /** The debugger can connect to the service. */
  readonly inspected?: true
  /** A folder in which the database stays for the next run. */
  readonly keptIn?: string | undefined
  run(rig: Rig, say: (text: string) => void): Promise<Figure[]>
}

export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b)
