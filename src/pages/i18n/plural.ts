type Category = Intl.LDMLPluralRule

/** A text for each form that the language has; `other` serves whatever else is counted. */
type Forms<Own extends Category> = Readonly<Record<Own | 'other', string>>

/**
 * Chooses the form for a count by the rules of the language. The language names its own forms once, and from
 * then on the types ask for each of them.
 */
export function plural<Own extends Category>(locale: string, own: readonly Own[]) {
  const rules = new Intl.PluralRules(locale)
  return (count: number, forms: Forms<Own>): string => {
    const wanted = rules.select(count)
    const found = own.find((form) => form === wanted)
    return found === undefined ? forms.other : forms[found]
  }
}
