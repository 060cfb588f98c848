import { brandColours, contrast } from '../../../base/presentation/colour.ts'

interface ColourVerdict {
  /** The colour that buttons have. */
  readonly shown: string
  readonly isKept: boolean
  /** Contrast of a button's text, such as `5.7`. */
  readonly ratio: string
}

/** Also runs in the browser. Undefined for what is not a colour. */
export function verdictOf(text: string): ColourVerdict | undefined {
  const colour = text.trim().toLowerCase()
  if (!/^#[0-9a-f]{6}$/.test(colour)) return undefined
  const { fill, onFill } = brandColours(colour)
  return { shown: fill, isKept: fill === colour, ratio: contrast(fill, onFill).toFixed(1) }
}
