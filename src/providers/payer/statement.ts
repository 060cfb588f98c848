import { cut, folded } from '../../base/text.ts'

/**
 * A text for the payer's bank statement with the characters that the provider accepts: others are left out,
 * and letters lose their accents. Undefined if no letter is left, which the networks refuse.
 */
export function statementText(
  text: string | undefined,
  { most, others }: { readonly most: number; readonly others: RegExp },
): string | undefined {
  if (text === undefined) return undefined
  const plain = folded(text).normalize('NFKD').replace(/\p{M}/gu, '').replace(others, '')
  const fitted = cut(folded(plain), most).trim()
  return /[A-Za-z]/.test(fitted) ? fitted : undefined
}
