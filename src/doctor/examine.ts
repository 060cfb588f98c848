import { fileURLToPath } from 'node:url'
import { checkAddress } from './address.ts'
import { checkDatabase } from './database.ts'
import { checkDisk } from './disk.ts'
import type { Finding } from './finding.ts'
import { checkSettings } from './settings.ts'

/** Relative to this file, the same path from src/doctor/ and from dist/doctor/. */
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

interface Examined {
  readonly findings: readonly Finding[]
  /** Where the service answers on this machine; undefined when the settings are invalid. */
  readonly url?: string
}

/** Checks what the service needs on the machine where it runs, with its settings. Writes nothing. */
export async function examineMachine(env: Parameters<typeof checkSettings>[0]): Promise<Examined> {
  const { config, findings } = await checkSettings(env)
  if (!config) return { findings }
  const { databaseUrl, dataDir, publicUrl, port } = config
  const found = [
    ...findings,
    ...(databaseUrl ? [] : await checkDisk(dataDir)),
    ...(await checkDatabase(config, { migrations: MIGRATIONS })),
    ...(await checkAddress(publicUrl)),
  ]
  return { findings: found, url: `http://localhost:${port}` }
}
