import { isolating } from '../../../base/presentation/isolate.ts'
import { ar } from './ar/checkout.ts'
import { de } from './de/checkout.ts'
import { en, type PageTexts } from './en/checkout.ts'
import { es } from './es/checkout.ts'
import { fr } from './fr/checkout.ts'
import { he } from './he/checkout.ts'
import { it } from './it/checkout.ts'
import { ja } from './ja/checkout.ts'
import { nl } from './nl/checkout.ts'
import { pl } from './pl/checkout.ts'
import { pseudo } from './pseudo.ts'
import { pt } from './pt/checkout.ts'
import { tr } from './tr/checkout.ts'

/** A language of the pages: native name, BCP 47 tag for numbers and dates, direction and texts. */
export interface Language {
  readonly locale: string
  readonly name: string
  readonly intl: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: PageTexts
}

/** Digits stay Western in every language: they are compared with bank statements and shop pages. */
const language = (
  locale: string,
  name: string,
  texts: PageTexts,
  { dir = 'ltr', intl = `${locale}-u-nu-latn` }: Partial<Pick<Language, 'dir' | 'intl'>> = {},
): Language => ({ locale, name, intl, dir, texts: dir === 'rtl' ? isolating(texts) : texts })

/** All languages. English is first because it is the fallback. */
export const LANGUAGES: readonly Language[] = [
  language('en', 'English', en),
  language('de', 'Deutsch', de),
  language('fr', 'Français', fr),
  language('es', 'Español', es),
  language('pt', 'Português', pt),
  language('it', 'Italiano', it),
  language('nl', 'Nederlands', nl),
  language('pl', 'Polski', pl),
  language('tr', 'Türkçe', tr),
  language('ja', '日本語', ja),
  language('ar', 'العربية', ar, { dir: 'rtl' }),
  language('he', 'עברית', he, { dir: 'rtl' }),
]

/** Pseudo languages for testing a sandbox checkout with long texts, in either direction. */
const PSEUDO_LANGUAGES: readonly Language[] = [
  language('en-XA', '[Long]', pseudo(en), { intl: 'en' }),
  language('ar-XB', '[Right to left]', pseudo(en), { intl: 'en', dir: 'rtl' }),
]

export interface LanguagePreferences {
  /** Choice of the payer: `?lang=`, then the cookie. */
  readonly chosen?: string | undefined
  /** Setting of the app. */
  readonly app?: string | null | undefined
  /** Accept-Language header. */
  readonly acceptLanguage?: string | undefined
  readonly isSandbox?: boolean
}

/** The payer's choice, else the app's, else the first supported language of the browser, else English. */
export function chooseLanguage({
  chosen,
  app,
  acceptLanguage,
  isSandbox = false,
}: LanguagePreferences): Language {
  const known = isSandbox ? [...LANGUAGES, ...PSEUDO_LANGUAGES] : LANGUAGES
  const wanted = [chosen, app ?? undefined, ...acceptedTags(acceptLanguage)]
  for (const tag of wanted) {
    const found = tag && findLanguage(known, tag.toLowerCase())
    if (found) return found
  }
  return LANGUAGES[0] as Language
}

/** An exact match comes first; otherwise `de-AT` is served in German. */
const findLanguage = (known: readonly Language[], tag: string): Language | undefined =>
  known.find(({ locale }) => locale.toLowerCase() === tag) ??
  known.find(({ locale }) => locale.toLowerCase() === tag.split('-')[0])

/** Tags of an Accept-Language header by preference. The length limit bounds hostile headers. */
function acceptedTags(header = ''): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const quality = Number(/q=([\d.]+)/.exec(parameters.join(';'))?.[1] ?? 1)
      return { tag, quality: Number.isNaN(quality) ? 0 : quality }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}
