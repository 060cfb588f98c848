import { type Random, randomText } from '../../base/ids.ts'
import { sha256 } from '../../base/secret.ts'

const COUNT = 10
const GROUPS = 4
const GROUP_LENGTH = 4

/** Ten codes of 80 random bits, for a lost authenticator. */
export const newRecoveryCodes = (random: Random): string[] =>
  Array.from({ length: COUNT }, () =>
    Array.from({ length: GROUPS }, () => randomText(random, GROUP_LENGTH)).join('-'),
  )

const LETTERS_MISREAD: Readonly<Record<string, string>> = { i: '1', l: '1', o: '0' }

/** The hash of a code as typed. Case, spaces and hyphens do not count; i, l and o are digits. */
export function recoveryHash(typed: string): Uint8Array {
  const code = typed
    .toLowerCase()
    .slice(0, 64)
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[ilo]/g, (letter) => LETTERS_MISREAD[letter] ?? letter)
  return sha256(code)
}
