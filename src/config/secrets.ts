import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import { keptSecret } from '../db/embedded/secret-file.ts'

/** A secret that is generated once and stored in a file of DATA_DIR. */
async function generatedSecret(dataDir: string, name: string): Promise<Secret> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    return new Secret(await keptSecret(join(dataDir, name)))
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`)
  }
}

interface SecretSettings {
  readonly SECRET_KEY: readonly Secret[] | undefined
  readonly OPERATOR_TOKEN: Secret | undefined
  readonly DATA_DIR: string
}

interface Secrets {
  readonly secretKeys: readonly Secret[]
  readonly operatorToken?: Secret
  /** The file of a generated operator token. */
  readonly operatorTokenFile?: string
}

/** Production generates no secrets: a key stored only on one machine's disk would be lost with it. */
export async function secretsOf(
  { SECRET_KEY, OPERATOR_TOKEN, DATA_DIR }: SecretSettings,
  production: boolean,
): Promise<Secrets> {
  const secretKeys = SECRET_KEY ?? [await generatedSecret(DATA_DIR, 'secret-key')]
  if (OPERATOR_TOKEN) return { secretKeys, operatorToken: OPERATOR_TOKEN }
  if (production) return { secretKeys }
  const operatorToken = await generatedSecret(DATA_DIR, 'operator-token')
  return { secretKeys, operatorToken, operatorTokenFile: join(DATA_DIR, 'operator-token') }
}
