import type { Mistake } from '../../base/mistakes.ts'

/** NIST SP 800-63B: length is what makes a password hard to guess, rules for its characters do not. */
const MIN_LENGTH = 12
/** More than any passphrase; bounds the work of hashing. */
const MAX_LENGTH = 256
/** `aaaaaaaaaaaa` and `121212121212` are long but among the first guesses. */
const MIN_DISTINCT = 5

/** The same text typed on two systems has the same code points afterwards. */
export const normalPassword = (password: string): string => password.normalize('NFKC')

/** The reason why the password is refused, or undefined. `isCommon` looks it up in the list. */
export function passwordProblem(
  password: string,
  { email, isCommon }: { readonly email: string; readonly isCommon: (text: string) => boolean },
): Mistake | undefined {
  const normal = normalPassword(password)
  const characters = [...normal]
  if (characters.length < MIN_LENGTH) return { code: 'shorter', values: { least: MIN_LENGTH } }
  if (characters.length > MAX_LENGTH) return { code: 'longer', values: { most: MAX_LENGTH } }
  const lower = normal.toLowerCase()
  if (new Set(lower).size < MIN_DISTINCT) return { code: 'sameCharacters' }
  if (isRelated(lower, email)) return { code: 'ownEmail' }
  // `qwertyuiop2024!` is as common as its first ten letters.
  if (isCommon(lower) || isCommon(withoutTail(lower))) return { code: 'common' }
  return undefined
}

const isRelated = (lower: string, email: string): boolean =>
  lower === email || withoutTail(lower) === email.split('@')[0]

function withoutTail(text: string): string {
  let end = text.length
  while (end > 0 && /[^a-z]/.test(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}
