import type { Tender } from '../../sdk/src/tender.ts'

/** What the process gives to a command; tests replace it. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
  /** Ends a command that runs until it is stopped. */
  readonly signal: AbortSignal
}

/** The result of a command: data for `--json`, lines for people. */
export interface Shown {
  readonly data: unknown
  readonly lines: readonly string[]
  /** The exit code is 1. */
  readonly hasProblems?: boolean
}

export interface CommandCall {
  readonly tender: Tender
  readonly io: Io
  readonly connection: Connection
  /** Positional arguments, one for each name in `args`. */
  readonly args: readonly string[]
  readonly values: Readonly<Record<string, string | undefined>>
  /** Shows a result before the command ends. */
  show(shown: Shown): void
}

export interface Connection {
  readonly url: string
  readonly appId: string
  readonly apiKey: string
}

interface OptionInfo {
  /** The name of its value in the help text; absent: the option has none and is then `yes`. */
  readonly value?: string
  readonly description: string
}

export interface Command {
  /** As it is typed: `payments refund`. */
  readonly name: string
  readonly description: string
  readonly args?: readonly string[]
  readonly options?: Readonly<Record<string, OptionInfo>>
  /** It runs without an app and its key. */
  readonly isWithoutApp?: true
  run(call: CommandCall): Promise<Shown | undefined>
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {}

/** The command cannot do its work: exit code 1. */
export class RefusedError extends Error {}

/** A whole number of an option. */
export function count(value: string | undefined, otherwise: number): number {
  if (value === undefined) return otherwise
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new UsageError(`'${value}' is not a whole number from 1.`)
  return Number(value)
}

/** The given options by their names in the API; those that were not given are left out. */
export const given = (values: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

/** Columns of equal width. Control characters of a text never reach the terminal. */
export function table(rows: readonly (readonly unknown[])[]): string[] {
  const texts = rows.map((row) => row.map(cell))
  const widths = (texts[0] ?? []).map((_, place) =>
    Math.max(...texts.map((row) => (row[place] ?? '').length)),
  )
  return texts.map((row) =>
    row
      .map((text, place) => text.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const cell = (value: unknown): string => String(value ?? '–').replace(/\p{Cc}/gu, '�')
