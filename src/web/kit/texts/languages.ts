import { isolating } from '../../../base/presentation/isolate.ts'
import { pseudo } from '../i18n/pseudo.ts'
import { de } from './german.ts'
import { type ConsoleTexts, en } from './texts.ts'

/** A language of the console. */
export interface ConsoleLanguage {
  readonly locale: string
  readonly name: string
  /** BCP 47 tag for numbers and dates. */
  readonly intl: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: ConsoleTexts
}

const ENGLISH: ConsoleLanguage = { locale: 'en', name: 'English', intl: 'en', dir: 'ltr', texts: en }

/** The languages that a person may choose. */
export const CONSOLE_LANGUAGES: readonly ConsoleLanguage[] = [
  ENGLISH,
  { locale: 'de', name: 'Deutsch', intl: 'de', dir: 'ltr', texts: de },
]

/** Long texts, and right to left: for tests of the layout, by `?lang=`. */
const PSEUDO_LANGUAGES: readonly ConsoleLanguage[] = [
  { locale: 'en-XA', name: '[Long]', intl: 'en', dir: 'ltr', texts: pseudo(en) },
  { locale: 'ar-XB', name: '[Right to left]', intl: 'en', dir: 'rtl', texts: isolating(pseudo(en)) },
]

/** The person's choice, else the browser's first known language, else English. */
export function consoleLanguage(
  chosen: string | null | undefined,
  lang: string | undefined,
  acceptLanguage: string | undefined,
): ConsoleLanguage {
  const tested = PSEUDO_LANGUAGES.find(({ locale }) => locale === lang)
  if (tested) return tested
  const tags = [chosen, lang, ...(acceptLanguage ?? '').slice(0, 200).split(/[,;]/)]
  for (const tag of tags) {
    const short = tag?.trim().slice(0, 2).toLowerCase()
    const found = CONSOLE_LANGUAGES.find(({ locale }) => locale === short)
    if (found) return found
  }
  return ENGLISH
}
