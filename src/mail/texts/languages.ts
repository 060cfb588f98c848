import ar from '../../../locales/ar/mail.json'
import de from '../../../locales/de/mail.json'
import teamDe from '../../../locales/de/mail-team.json'
import en from '../../../locales/en/mail.json'
import teamEn from '../../../locales/en/mail-team.json'
import es from '../../../locales/es/mail.json'
import fr from '../../../locales/fr/mail.json'
import he from '../../../locales/he/mail.json'
import it from '../../../locales/it/mail.json'
import ja from '../../../locales/ja/mail.json'
import nl from '../../../locales/nl/mail.json'
import pl from '../../../locales/pl/mail.json'
import pt from '../../../locales/pt/mail.json'
import tr from '../../../locales/tr/mail.json'
import { isolating } from '../../base/presentation/isolate.ts'

/** Texts of messages to payers. */
export type PayerTexts = typeof en

/** Texts of messages to people who use the console. */
export type TeamTexts = typeof teamEn

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
