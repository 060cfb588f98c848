import { ar } from './ar/checkout.ts'
import { de } from './de/checkout.ts'
import { en, type PageTexts } from './en/checkout.ts'
import { es } from './es/checkout.ts'
import { fr } from './fr/checkout.ts'
import { he } from './he/checkout.ts'
import { isolating } from './isolate.ts'
import { it } from './it/checkout.ts'
import { ja } from './ja/checkout.ts'
import { nl } from './nl/checkout.ts'
import { pl } from './pl/checkout.ts'
import { pseudo } from './pseudo.ts'
import { pt } from './pt/checkout.ts'
import { tr } from './tr/checkout.ts'

/** A language of the pages: its own name, the tag that formats numbers and dates, and its direction. */
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

/** All languages, English first: it also speaks for what nobody asked for. */
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

/** For looking at a sandbox checkout with words longer than any of ours, in either direction. */
const PSEUDO_LANGUAGES: readonly Language[] = [
  language('en-XA', '[Long]', pseudo(en), { intl: 'en' }),
  language('ar-XB', '[Right to left]', pseudo(en), { intl: 'en', dir: 'rtl' }),
]

export interface Asked {
  /** What the payer chose on a page: `?lang=`, then the cookie. */
  readonly chosen?: string | undefined
  /** What the app prefers. */
  readonly app?: string | null | undefined
  /** What the browser says it reads. */
  readonly acceptLanguage?: string | undefined
  readonly isSandbox?: boolean
}

/** The payer's own choice, else the app's, else the first of the browser's that we speak, else English. */
export function chooseLanguage({ chosen, app, acceptLanguage, isSandbox = false }: Asked): Language {
  const known = isSandbox ? [...LANGUAGES, ...PSEUDO_LANGUAGES] : LANGUAGES
  const wanted = [chosen, app ?? undefined, ...acceptedTags(acceptLanguage)]
  for (const tag of wanted) {
    const found = tag && spoken(known, tag.toLowerCase())
    if (found) return found
  }
  return LANGUAGES[0] as Language
}

/** `de-AT` is served in German; a tag that is there by its whole name comes first. */
const spoken = (known: readonly Language[], tag: string): Language | undefined =>
  known.find(({ locale }) => locale.toLowerCase() === tag) ??
  known.find(({ locale }) => locale.toLowerCase() === tag.split('-')[0])

/** The tags of an Accept-Language header, most wanted first. Hostile ones are merely not found. */
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
