import { areasOf, fileOf, locales, readCatalogue } from './catalogues.js'
import { missingAreas, problemsOf } from './check.js'
import { declarations } from './types.js'

export const TYPES_FILE = 'src/generated/locales.d.ts'

/** What TYPES_FILE must contain. */
export const typesText = () =>
  declarations(Object.fromEntries(areasOf('en').map((area) => [area, readCatalogue('en', area)])))

/** A line for each problem of any catalogue: file, key, and what is wrong. */
export function allProblems() {
  const known = areasOf('en')
  return locales().flatMap((locale) => [
    ...missingAreas(areasOf(locale), known).map((area) => `${fileOf(locale, area)}: it is missing`),
    ...areasOf(locale).flatMap((area) => problemsInFile(locale, area, known)),
  ])
}

function problemsInFile(locale, area, known) {
  const file = fileOf(locale, area)
  if (!known.includes(area)) return [`${file}: English has no such file`]
  const problems = problemsOf(readCatalogue(locale, area), readCatalogue('en', area), locale)
  return problems.map((problem) => `${file}: ${problem}`)
}
