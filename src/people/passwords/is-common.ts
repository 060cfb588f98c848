import { sha256 } from '../../base/secret.ts'
import { COMMON_PASSWORDS } from './common.ts'

const PREFIX_BYTES = 4

let prefixes: ReadonlySet<number> | undefined

function loadPrefixes(): ReadonlySet<number> {
  const bytes = Buffer.from(COMMON_PASSWORDS.replaceAll('\n', ''), 'base64')
  const count = Math.floor(bytes.length / PREFIX_BYTES)
  return new Set(Array.from({ length: count }, (_, n) => bytes.readUInt32BE(n * PREFIX_BYTES)))
}

/** Whether the text, in lower case, is in the list. One other password in a million is refused by chance. */
export function isCommonPassword(lower: string): boolean {
  prefixes ??= loadPrefixes()
  return prefixes.has(sha256(lower).readUInt32BE(0))
}
