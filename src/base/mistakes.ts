import english from '../../locales/en/console/mistakes.json'

/**
 * What is wrong with a field of a request, as a code with values. The API has the English sentence with the
 * name of the field; pages render it in their language, with its label. Decision 0171.
 */
export type Mistake =
  | { readonly code: keyof MistakeTexts['sentences']; readonly values?: Values }
  /** The alternatives that would be right. */
  | { readonly code: 'expected'; readonly what: readonly Expected[] }

export interface Expected {
  /** A text of the catalogue, or the English words for what only requests of the API have. */
  readonly code: string
  readonly values?: Values
}

/** A field of a request with its mistake. `message` is the sentence of the API. */
interface MistakenField {
  readonly field: string
  readonly message: string
  readonly mistake: Mistake
}

type Values = Readonly<Record<string, string | number>>
export type MistakeTexts = typeof english
type Group = Readonly<Record<string, string | ((values: never) => string)>>

/** The sentence about a field, by its name or label. */
export function mistakeIn(texts: MistakeTexts, field: string, mistake: Mistake): string {
  if (mistake.code !== 'expected')
    return textOf(texts.sentences, mistake.code, { ...mistake.values, field }) ?? ''
  const alternatives = mistake.what.map(({ code, values }) => textOf(texts.values, code, values) ?? code)
  const what = [...new Set(alternatives)].reduce((first, second) => texts.or({ first, second }))
  return texts.expected({ field, what })
}

/** Undefined where the group has no such text. */
function textOf(group: Group, code: string, values: Values = {}): string | undefined {
  const text = Object.hasOwn(group, code) ? group[code] : undefined
  return typeof text === 'function' ? text(values as never) : text
}

export const fieldError = (field: string, mistake: Mistake): MistakenField => ({
  field,
  message: mistakeIn(english, field, mistake),
  mistake,
})

/** The field has one of the mistakes of the catalogue, other than a wrong value. */
export const mistaken = (
  field: string,
  code: keyof MistakeTexts['sentences'],
  values?: Values,
): MistakenField => fieldError(field, { code, ...(values && { values }) })

/** The field must be something else. */
export const expected = (field: string, code: keyof MistakeTexts['values'], values?: Values): MistakenField =>
  fieldError(field, { code: 'expected', what: [{ code, ...(values && { values }) }] })
