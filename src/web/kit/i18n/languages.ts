import ar from '../../../../locales/ar/checkout.json'
import arLink from '../../../../locales/ar/link.json'
import arPanel from '../../../../locales/ar/panel.json'
import de from '../../../../locales/de/checkout.json'
import deLink from '../../../../locales/de/link.json'
import dePanel from '../../../../locales/de/panel.json'
import en from '../../../../locales/en/checkout.json'
import enLink from '../../../../locales/en/link.json'
import enPanel from '../../../../locales/en/panel.json'
import es from '../../../../locales/es/checkout.json'
import esLink from '../../../../locales/es/link.json'
import esPanel from '../../../../locales/es/panel.json'
import fr from '../../../../locales/fr/checkout.json'
import frLink from '../../../../locales/fr/link.json'
import frPanel from '../../../../locales/fr/panel.json'
import he from '../../../../locales/he/checkout.json'
import heLink from '../../../../locales/he/link.json'
import hePanel from '../../../../locales/he/panel.json'
import it from '../../../../locales/it/checkout.json'
import itLink from '../../../../locales/it/link.json'
import itPanel from '../../../../locales/it/panel.json'
import ja from '../../../../locales/ja/checkout.json'
import jaLink from '../../../../locales/ja/link.json'
import jaPanel from '../../../../locales/ja/panel.json'
import nl from '../../../../locales/nl/checkout.json'
import nlLink from '../../../../locales/nl/link.json'
import nlPanel from '../../../../locales/nl/panel.json'
import pl from '../../../../locales/pl/checkout.json'
import plLink from '../../../../locales/pl/link.json'
import plPanel from '../../../../locales/pl/panel.json'
import pt from '../../../../locales/pt/checkout.json'
import ptLink from '../../../../locales/pt/link.json'
import ptPanel from '../../../../locales/pt/panel.json'
import tr from '../../../../locales/tr/checkout.json'
import trLink from '../../../../locales/tr/link.json'
import trPanel from '../../../../locales/tr/panel.json'
import { isolating } from '../../../base/presentation/isolate.ts'
import { pseudo } from './pseudo.ts'

/**
 * Texts of the checkout, of the panel and of payment links, compiled by the build. Parameters are ready to
 * show: formatted money, names as text. Decision 0162.
 */
export type PageTexts = typeof en & { readonly panel: typeof enPanel; readonly link: typeof enLink }

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

const ENGLISH: PageTexts = { ...en, panel: enPanel, link: enLink }

/** All languages. English is first because it is the fallback. */
export const LANGUAGES: readonly Language[] = [
  language('en', 'English', ENGLISH),
  language('de', 'Deutsch', { ...de, panel: dePanel, link: deLink }),
  language('fr', 'Français', { ...fr, panel: frPanel, link: frLink }),
  language('es', 'Español', { ...es, panel: esPanel, link: esLink }),
  language('pt', 'Português', { ...pt, panel: ptPanel, link: ptLink }),
  language('it', 'Italiano', { ...it, panel: itPanel, link: itLink }),
  language('nl', 'Nederlands', { ...nl, panel: nlPanel, link: nlLink }),
  language('pl', 'Polski', { ...pl, panel: plPanel, link: plLink }),
  language('tr', 'Türkçe', { ...tr, panel: trPanel, link: trLink }),
  language('ja', '日本語', { ...ja, panel: jaPanel, link: jaLink }),
  language('ar', 'العربية', { ...ar, panel: arPanel, link: arLink }, { dir: 'rtl' }),
  language('he', 'עברית', { ...he, panel: hePanel, link: heLink }, { dir: 'rtl' }),
]

/** Pseudo languages for testing a sandbox checkout with long texts, in either direction. */
const PSEUDO_LANGUAGES: readonly Language[] = [
  language('en-XA', '[Long]', pseudo(ENGLISH), { intl: 'en' }),
  language('ar-XB', '[Right to left]', pseudo(ENGLISH), { intl: 'en', dir: 'rtl' }),
]

export interface LanguagePreferences {
  /** Choice of the payer: `?lang=`, then the cookie. */
  readonly chosen?: string | undefined
  /** What the merchant said about this payer. */
  readonly payment?: string | undefined
  /** Setting of the app. */
  readonly app?: string | null | undefined
  /** Accept-Language header. */
  readonly acceptLanguage?: string | undefined
  readonly isSandbox?: boolean
}

/** The payer's choice, else the payment's, the app's, the first supported one of the browser, English. */
export function chooseLanguage({
  chosen,
  payment,
  app,
  acceptLanguage,
  isSandbox = false,
}: LanguagePreferences): Language {
  const known = isSandbox ? [...LANGUAGES, ...PSEUDO_LANGUAGES] : LANGUAGES
  const wanted = [chosen, payment, app ?? undefined, ...acceptedTags(acceptLanguage)]
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
