import type { Rig } from './rig.ts'

/** One line of the table at the end. */
export interface Figure {
  readonly what: string
  readonly value: string
  readonly target?: string
  /** Whether the target is met. */
  readonly ok?: boolean
  /** For the JSON beside the table. */
  readonly numbers: Readonly<Record<string, number>>
}

export interface Bench {
  readonly name: string
  /** Takes long: only when it is asked for by name. */
  readonly onlyByName?: true
  /** A target that is missed makes the whole run fail. */
  readonly mustMeet?: true
  /** Host names are resolved by the benchmark's own name server. */
  readonly ownNames?: true
  run(rig: Rig, say: (text: string) => void): Promise<Figure[]>
}

export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b)
