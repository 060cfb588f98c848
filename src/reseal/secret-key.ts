import type { Vault } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import type { Database } from '../db/database.ts'
import { selectSample } from './store.ts'

/** Stops a start with another SECRET_KEY than the data was sealed with. */
export async function checkSecretKey({ db, vault }: { db: Database; vault: Vault }): Promise<void> {
  const sample = await selectSample(db)
  if (sample && !isOpened(vault, sample)) throw wrongKey()
}

function isOpened(vault: Vault, sealed: Uint8Array): boolean {
  try {
    vault.open(sealed)
    return true
  } catch {
    return false
  }
}

const wrongKey = (): StartError =>
  new StartError(
    'SECRET_KEY does not open what is stored in this database: it was sealed by another key. Set ' +
      'SECRET_KEY to the key that the service had before. To change it, set both, the new one first and ' +
      'the earlier one after a comma, start the service, and run `tender reseal`. Without SECRET_KEY the ' +
      'key is the file secret-key of the DATA_DIR that belongs to this database.',
  )
