import { sha256 } from '../../base/secret.ts'
import common from './common.json' with { type: 'json' }

/**
 * The list has the 5,000 most frequent leaked passwords of ten or more characters, in lower case: the first
 * four bytes of the SHA-256 of each, sorted, in base64. Source and licence: docs/decisions/dependencies.md.
 */
const PREFIX_BYTES = 4

let prefixes: ReadonlySet<number> | undefined

function loadPrefixes(): ReadonlySet<number> {
  const bytes = Buffer.from(common.join(''), 'base64')
  const count = Math.floor(bytes.length / PREFIX_BYTES)
  return new Set(Array.from({ length: count }, (_, n) => bytes.readUInt32BE(n * PREFIX_BYTES)))
}

/** Whether the text, in lower case, is in the list. One other password in a million is refused by chance. */
export function isCommonPassword(lower: string): boolean {
  prefixes ??= loadPrefixes()
  return prefixes.has(sha256(lower).readUInt32BE(0))
}
