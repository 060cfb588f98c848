/** One line of JSON for each event: a name, then its data. Card numbers and secrets never go in. */
export interface Log {
  debug(event: string, data?: object): void
  info(event: string, data?: object): void
  warn(event: string, data?: object): void
  error(event: string, data?: object): void
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** Loggable data of an error: its name and message, never a statement's values. */
export function errorData(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  return { error: `${error.name}: ${error.message}`, ...(error.stack ? { stack: error.stack } : {}) }
}
