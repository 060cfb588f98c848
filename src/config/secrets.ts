import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import { keptSecret } from '../db/embedded/secret-file.ts'

/** A secret that is generated once and stored in a file of DATA_DIR. */
export async function generatedSecret(dataDir: string, name: string): Promise<Secret> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    return new Secret(await keptSecret(join(dataDir, name)))
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`)
  }
}
