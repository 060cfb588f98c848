import type { Secret } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import { SETTINGS } from './settings.ts'

interface Storage {
  readonly dataDir: string
  /** Whether DATABASE_URL names a server, so that the embedded database is not used. */
  readonly hasOwnServer: boolean
  /** The keys of the environment; empty when it has none. */
  readonly secretKeys: readonly Secret[]
}

/** Where the data is. Unlike loadConfig it requires and generates no secrets. */
export function loadStorage(env: Readonly<Record<string, string | undefined>>): Storage {
  const { parse, byDefault } = SETTINGS.DATA_DIR
  const key = env.SECRET_KEY?.trim() ?? ''
  const secretKeys = key === '' ? [] : SETTINGS.SECRET_KEY.parse(key)
  if (!secretKeys) throw new StartError(`SECRET_KEY must be ${SETTINGS.SECRET_KEY.mustBe}`)
  return {
    dataDir: parse(env.DATA_DIR?.trim() || byDefault),
    hasOwnServer: Boolean(env.DATABASE_URL?.trim()),
    secretKeys,
  }
}
