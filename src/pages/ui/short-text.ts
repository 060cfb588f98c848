import { cut, folded } from '../../base/text.ts'

/** As much of a description as a page shows: a few lines of a narrow screen. */
export const DESCRIPTION_SHOWN = 200
/** As much of a text as one entry of a list shows. */
export const ENTRY_SHOWN = 120
/** As much of a name or a number as fits into a heading or beside other facts. */
export const NAME_SHOWN = 60

/**
 * A text of a merchant or a customer as pages show it: on one line, the rest replaced by an ellipsis. The API
 * keeps and answers the whole text; a page stays readable and small with any of them. Undefined: nothing to
 * show.
 */
export function shortText(text: string | undefined, most: number): string | undefined {
  if (text === undefined) return undefined
  const whole = folded(text)
  return (whole.length <= most ? whole : `${cut(whole, most - 1)}…`) || undefined
}
