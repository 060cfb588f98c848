import { TYPE } from '@formatjs/icu-messageformat-parser'
import { elementsIn, isGroup, parametersOf, parseMessage } from './compile.js'

/** What payers see, in every language. The other areas, for people of the console, belong together. */
export const PAYER_AREAS = ['checkout', 'link', 'mail', 'panel']

/** Areas that a language lacks. `known` are those of English. */
export function missingAreas(areas, known) {
  const isForPeople = areas.some((area) => !PAYER_AREAS.includes(area))
  return (isForPeople ? known : PAYER_AREAS).filter((area) => !areas.includes(area))
}

/**
 * What is wrong with a catalogue, beside the English one: a line for each key. English itself is compared
 * with itself.
 */
export function problemsOf(catalogue, english, locale) {
  const [texts, originals] = [textsOf(catalogue), textsOf(english)]
  const known = [...originals.keys()]
  const missing = known.filter((key) => !texts.has(key)).map((key) => `${key}: it is missing`)
  const unknown = [...texts.keys()]
    .filter((key) => !originals.has(key))
    .map((key) => `${key}: English has no such key`)
  const differing = [...missing, ...unknown]
  if (differing.length > 0) return differing
  const place = [...texts.keys()].findIndex((key, index) => key !== known[index])
  if (place >= 0) return [`${known[place]}: the keys are not in the order of the English file`]
  return known.flatMap((key) =>
    textProblems(texts.get(key), originals.get(key), locale).map((problem) => `${key}: ${problem}`),
  )
}

/** `card.number` → its text, for every text of a catalogue. */
function textsOf(entry, path = '') {
  if (!isGroup(entry)) return new Map([[path, entry]])
  return new Map(
    Object.entries(entry).flatMap(([key, value]) => [...textsOf(value, path ? `${path}.${key}` : key)]),
  )
}

function textProblems(text, original, locale) {
  if (typeof text !== 'string') return ['it is not a text']
  if (text.trim() === '') return original === '' ? [] : ['it is empty']
  try {
    const message = parseMessage(text)
    const english = parametersOf(parseMessage(original))
    return [
      ...wordProblems(message),
      ...parameterProblems(message, english),
      ...formProblems(message, locale),
    ]
  } catch (error) {
    return [error.message]
  }
}

function wordProblems(message) {
  const literals = elementsIn(message).filter(({ type }) => type === TYPE.literal)
  if (literals.some(({ value }) => /<\/?[a-z!]|&#?\w+;/i.test(value))) return ['it contains HTML']
  const [first, last] = [message.at(0), message.at(-1)]
  const hasEdge = (element, pattern) => element.type === TYPE.literal && pattern.test(element.value)
  const isOdd =
    hasEdge(first, /^\s/) || hasEdge(last, /\s$/) || literals.some(({ value }) => / {2}/.test(value))
  return isOdd ? ['it begins or ends with a space, or has two in a row'] : []
}

function parameterProblems(message, english) {
  const own = parametersOf(message)
  return [
    ...[...english.keys()].filter((name) => !own.has(name)).map((name) => `{${name}} is missing`),
    ...[...own.keys()].filter((name) => !english.has(name)).map((name) => `English has no {${name}}`),
    ...[...own]
      .filter(([name, kind]) => kind !== 'text' && english.has(name) && english.get(name) !== kind)
      .map(([name]) => `{${name}} selects a form, which it does not in English`),
  ]
}

/** Whole numbers that show every form of counted things. A million, with a form of its own, is not one. */
const COUNTS = Array.from({ length: 1000 }, (_, index) => index + 1)

/** By language: they are slow to find. */
const forms = new Map()

/** Plural forms that the language uses for whole numbers from one on. */
export function formsOf(locale) {
  const rules = new Intl.PluralRules(locale)
  if (!forms.has(locale)) forms.set(locale, [...new Set(COUNTS.map((count) => rules.select(count)))])
  return forms.get(locale)
}

function formProblems(message, locale) {
  return elementsIn(message)
    .filter(({ type }) => type === TYPE.plural)
    .flatMap(({ value, options }) => {
      const known = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
      const missing = formsOf(locale).filter((form) => !(form in options))
      const strange = Object.keys(options).filter((form) => !form.startsWith('=') && !known.includes(form))
      return [
        ...missing.map((form) => `{${value}} has no text for “${form}”`),
        ...strange.map((form) => `the language has no plural form “${form}”`),
      ]
    })
}
