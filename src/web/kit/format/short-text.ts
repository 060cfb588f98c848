import { cut, folded } from '../../../base/text.ts'

/** Maximum length of a description on a page: a few lines of a narrow screen. */
export const DESCRIPTION_SHOWN = 200
/** Maximum length of a text in a list entry. */
export const ENTRY_SHOWN = 120
/** Maximum length of a name or number in a heading or beside other details. */
export const NAME_SHOWN = 60

/**
 * Shortens a text of a merchant or customer for display: on one line, with an ellipsis. The API returns the
 * full text. Undefined: nothing to show.
 */
export function shortText(text: string | undefined, most: number): string | undefined {
  if (text === undefined) return undefined
  const whole = folded(text)
  return (whole.length <= most ? whole : `${cut(whole, most - 1)}…`) || undefined
}

/** The same for numbers and references, of which the end tells most: the middle is left out. */
export function middleCut(text: string, most: number): string {
  const whole = folded(text)
  if (whole.length <= most) return whole
  const end = Math.ceil((most - 1) / 2)
  return `${cut(whole, most - 1 - end)}…${whole.slice(-end)}`
}
