import type english from '../../locales/en/console/moving.json'
import type { LineProblem } from './format.ts'

/** The sentence about a wrong line, in the language of the texts. */
export function problemText(
  texts: (typeof english)['problems'],
  { code, field = 'kind', number = 0 }: LineProblem,
): string {
  const text = texts[code]
  return typeof text === 'string' ? text : text({ field, number })
}
