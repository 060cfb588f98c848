type Category = Intl.LDMLPluralRule

/** A text for each plural category of the language; `other` covers the rest. */
type Forms<Own extends Category> = Readonly<Record<Own | 'other', string>>

/**
 * Selects the text for a count by the plural rules of the language. The type requires a text for each
 * category in `own`.
 */
export function plural<Own extends Category>(locale: string, own: readonly Own[]) {
  const rules = new Intl.PluralRules(locale)
  return (count: number, forms: Forms<Own>): string => {
    const wanted = rules.select(count)
    const found = own.find((form) => form === wanted)
    return found === undefined ? forms.other : forms[found]
  }
}
