import type { DeclineReason, NotDone } from '../../providers/outcome.ts'
import { ENDINGS } from '../payment.ts'
import { DECLINES, NOT_DONE } from '../provider/merge-facts.ts'
import { ATTEMPTS, UNDONE } from './view.ts'

/** All sentences that the service itself writes about a payment, by code. */
const SENTENCES = {
  decline: DECLINES,
  notDone: NOT_DONE,
  ending: ENDINGS,
  attempt: ATTEMPTS,
  undo: UNDONE,
} as const

export type Said =
  | { readonly kind: 'decline'; readonly code: DeclineReason }
  /** `detail` is the provider's own text. */
  | { readonly kind: 'notDone'; readonly code: NotDone['why']; readonly detail?: string }
  | { readonly kind: 'ending'; readonly code: keyof typeof ENDINGS }
  | { readonly kind: 'attempt'; readonly code: keyof typeof ATTEMPTS }
  | { readonly kind: 'undo'; readonly code: keyof typeof UNDONE }

const CODES: ReadonlyMap<string, Said> = new Map(
  Object.entries(SENTENCES).flatMap(([kind, sentences]) =>
    Object.entries(sentences).map(([code, text]) => [text, { kind, code } as Said]),
  ),
)

/** The code of a stored sentence, for readers in other languages. Undefined for texts of others. */
export function readSaid(text: string): Said | undefined {
  const whole = CODES.get(text)
  if (whole) return whole
  const [, sentence = '', detail] = /^([^()]{1,200}\.) \((.+)\)$/s.exec(text) ?? []
  const said = CODES.get(sentence)
  return said?.kind === 'notDone' && detail !== undefined ? { ...said, detail } : undefined
}
