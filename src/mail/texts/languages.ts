import { isolating } from '../../base/presentation/isolate.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type PayerTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { he } from './he.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { de as teamDe } from './team/de.ts'
import { type TeamTexts, en as teamEn } from './team/en.ts'
import { tr } from './tr.ts'

/** A language of messages. */
export interface MailLanguage<Texts> {
  readonly locale: string
  /** BCP 47 tag for numbers and dates, with Western digits as on the pages. */
  readonly intl: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: Texts
}

const RIGHT_TO_LEFT = ['ar', 'he']

function languagesOf<Texts>(all: Readonly<Record<string, Texts>>): readonly MailLanguage<Texts>[] {
  return Object.entries(all).map(([locale, texts]) => {
    const dir = RIGHT_TO_LEFT.includes(locale) ? 'rtl' : 'ltr'
    return { locale, intl: `${locale}-u-nu-latn`, dir, texts: dir === 'rtl' ? isolating(texts) : texts }
  })
}

/** For payers: every language of the checkout. English is first because it is the fallback. */
export const PAYER_LANGUAGES = languagesOf<PayerTexts>({ en, de, fr, es, pt, it, nl, pl, tr, ja, ar, he })

/** For people: every language of the console. */
const TEAM_LANGUAGES = languagesOf<TeamTexts>({ en: teamEn, de: teamDe })

/** `de-AT` is served in German. */
function chosen<Texts>(all: readonly MailLanguage<Texts>[], locale: string | null): MailLanguage<Texts> {
  const tag = locale?.toLowerCase().split('-')[0]
  return (all.find((one) => one.locale === tag) ?? all[0]) as MailLanguage<Texts>
}

export const payerLanguage = (locale: string | null): MailLanguage<PayerTexts> =>
  chosen(PAYER_LANGUAGES, locale)

export const teamLanguage = (locale: string | null): MailLanguage<TeamTexts> => chosen(TEAM_LANGUAGES, locale)
