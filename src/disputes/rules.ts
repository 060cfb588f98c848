import { type FieldError, wrongField } from '../base/errors.ts'
import { mistaken } from '../base/mistakes.ts'
import type { EvidenceLimits, EvidenceText, EvidenceTexts, MediaType } from '../providers/disputes.ts'
import { DISPUTES } from './limits.ts'

/** Pure: what evidence may be. */

const SIGNATURES: readonly (readonly [MediaType, readonly number[]])[] = [
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
]

/** By the content, whatever the sender says. Undefined: none of these types. */
export const mediaTypeOf = (bytes: Uint8Array): MediaType | undefined =>
  SIGNATURES.find(([, signature]) => signature.every((byte, place) => bytes[place] === byte))?.[0]

/** The provider's limits within those of this service. */
export const boundedLimits = (limits: EvidenceLimits): EvidenceLimits => ({
  ...limits,
  fileBytes: Math.min(limits.fileBytes, DISPUTES.fileBytes),
  totalBytes: Math.min(limits.totalBytes, DISPUTES.totalBytes),
})

/** Texts without those that are empty. */
export const keptTexts = (texts: Readonly<Record<string, string | null | undefined>>): EvidenceTexts =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])),
  )

/** What is wrong with the texts, by field. */
export function textErrors(
  { texts: longest, totalText }: EvidenceLimits,
  texts: EvidenceTexts,
): FieldError[] {
  const errors = Object.entries(texts).flatMap(([name, text]): FieldError[] => {
    const most = longest[name as EvidenceText]
    const field = `texts.${name}`
    if (most === undefined) return [wrongField(field, 'is not taken by this provider')]
    return text.length > most ? [mistaken(field, 'longer', { most })] : []
  })
  const total = Object.values(texts).reduce((sum, text) => sum + text.length, 0)
  if (totalText === undefined || total <= totalText) return errors
  return [...errors, wrongField('texts', `must have at most ${totalText} characters together`)]
}
