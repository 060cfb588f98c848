import { en, type Words } from './en.ts'
import { pseudo } from './pseudo.ts'

/** A language of the pages: its own name, the tag that formats numbers and dates, and its direction. */
export interface Language {
  readonly locale: string
  readonly name: string
  readonly intl: string
  readonly dir: 'ltr' | 'rtl'
  readonly words: Words
}

/** Digits stay Western in every language: they are compared with bank statements and shop pages. */
const language = (
  locale: string,
  name: string,
  words: Words,
  more: Partial<Pick<Language, 'dir' | 'intl'>> = {},
): Language => ({ locale, name, intl: `${locale}-u-nu-latn`, dir: 'ltr', words, ...more })

/** All languages, English first: it also speaks for what nobody asked for. */
export const LANGUAGES: readonly Language[] = [language('en', 'English', en)]

/** For looking at a sandbox checkout with longer words, or from right to left, before a translation is there. */
const PSEUDO_LANGUAGES: readonly Language[] = [
  language('en-XA', '[Long]', pseudo(en), { intl: 'en' }),
  language('ar-XB', '[Right to left]', pseudo(en), { intl: 'en', dir: 'rtl' }),
]

export const LOCALES: readonly string[] = LANGUAGES.map(({ locale }) => locale)

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
    const found = tag && known.find(({ locale }) => matches(locale, tag))
    if (found) return found
  }
  return LANGUAGES[0] as Language
}

/** `de-AT` is served in German; `en-XA` only when asked for by its whole name. */
function matches(locale: string, tag: string): boolean {
  const wanted = tag.toLowerCase()
  return wanted === locale.toLowerCase() || wanted.split('-')[0] === locale.toLowerCase()
}

/** The tags of an Accept-Language header, most wanted first. Hostile ones are merely not found. */
export function acceptedTags(header = ''): string[] {
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
