/** One line of JSON for each event: a name, then its data. Card numbers and secrets never go in. */
export interface Log {
  debug(event: string, data?: object): void
  info(event: string, data?: object): void
  warn(event: string, data?: object): void
  error(event: string, data?: object): void
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

interface ErrorData {
  readonly error: string
  readonly cause?: string
  readonly stack?: string
}

/** Loggable data of an error: name and message of it and of its cause, never a statement's values. */
export function errorData(error: unknown): ErrorData {
  if (!(error instanceof Error)) return { error: String(error) }
  const { cause, stack } = error
  return {
    error: nameAndMessage(error),
    ...(cause instanceof Error && { cause: nameAndMessage(cause) }),
    ...(stack && { stack }),
  }
}

const nameAndMessage = ({ name, message }: Error): string => `${name}: ${message}`
