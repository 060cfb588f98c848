import { hmacSha256, type Secret, sameBytes } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'

// The manifest of an archive is signed under SECRET_KEY: a checksum alone proves nothing about who made it.

/** Where its signature is in an archive, after the manifest. */
export const SIGNATURE = 'manifest.hmac'

const hmacOf = (key: Secret, manifest: Uint8Array): Buffer =>
  hmacSha256(hmacSha256(key.reveal(), 'tender:backup-manifest'), manifest)

/** Decision 0148. */
export const signatureOf = (key: Secret, manifest: Uint8Array): string =>
  hmacOf(key, manifest).toString('hex')

/** Throws unless one of the keys signed the manifest. */
export function checkSignature(keys: readonly Secret[], manifest: Uint8Array, signature: string): void {
  const given = Buffer.from(signature, 'hex')
  if (keys.some((key) => sameBytes(hmacOf(key, manifest), given))) return
  throw unverified(reasonOf(keys, signature))
}

function reasonOf(keys: readonly Secret[], signature: string): string {
  if (signature === '') return 'it has no signature, as of a version before signatures or of another program'
  if (keys.length === 0)
    return 'SECRET_KEY is not set; a key that the service generated is the file secret-key of its DATA_DIR'
  return 'no key of SECRET_KEY signed it: it was made under another key, or it was changed'
}

const unverified = (reason: string): StartError =>
  new StartError(
    `The archive cannot be verified: ${reason}. Nothing was restored. Who changes an archive can run ` +
      'programs on this machine. Use --unverified only if no other person can write where it was stored.',
  )
