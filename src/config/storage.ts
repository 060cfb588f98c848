import { SETTINGS } from '../config.ts'

interface Storage {
  readonly dataDir: string
  /** Whether DATABASE_URL names a server, so that the embedded database is not used. */
  readonly hasOwnServer: boolean
}

/** Where the data is. Unlike loadConfig it requires and generates no secrets. */
export function loadStorage(env: Readonly<Record<string, string | undefined>>): Storage {
  const { parse, byDefault } = SETTINGS.DATA_DIR
  return {
    dataDir: parse(env.DATA_DIR?.trim() || byDefault),
    hasOwnServer: Boolean(env.DATABASE_URL?.trim()),
  }
}
