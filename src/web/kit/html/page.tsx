import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { LANGUAGES, type Language } from '../i18n/languages.ts'
import type { Brand } from './brand.ts'

export interface PageProps {
  readonly language: Language
  /** Undefined if the app is unknown, as for an unknown link. */
  readonly brand: Brand | undefined
  /** What to type in a sandbox, for each provider of the page. Absent or empty: the built-in provider. */
  readonly testDocs?: readonly TestDocs[]
  readonly title: string
  /** Page name: selects the behaviour of the script; also used by tests. */
  readonly page: string
  /** Paths of the style sheet and the script. */
  readonly style: string
  readonly script?: string
  /** URL of this page without the query, for the language links. */
  readonly here?: string
  /** Shown in the header before the languages: the link back to the merchant. */
  readonly aside?: ComponentChildren
  /** Text of the skip link, if the content is not a payment. */
  readonly skip?: string
  /** For a frame: content only, no header and footer. */
  readonly bare?: boolean
  /** Refresh after this delay, optionally to another URL. */
  readonly refresh?: { readonly seconds: number; readonly url?: string; readonly always?: boolean }
  readonly data?: Readonly<Record<`data-${string}`, string>>
  readonly children: ComponentChildren
}

export interface TestDocs {
  readonly url: string
  /** Absent: the built-in provider. */
  readonly provider?: string
}

export const BUILT_IN_TEST_DOCS: TestDocs = { url: '/docs/test-values' }

/** The whole document. It works without script. */
export function pageHtml(props: PageProps): string {
  return `<!doctype html>${renderToString(<Document {...props} />)}`
}

function Document(props: PageProps) {
  const { language, brand, page, data, bare, children } = props
  return (
    <html lang={language.locale} dir={language.dir} data-theme={brand?.theme}>
      <Head {...props} />
      <body data-page={page} {...data}>
        <a class="skip" href="#main">
          {props.skip ?? language.texts.common.skip}
        </a>
        {brand?.isSandbox && !bare && <EnvBar {...props} />}
        {!bare && <Top {...props} />}
        <main id="main" tabIndex={-1} aria-label={bare ? props.title : undefined}>
          {children}
        </main>
        {!bare && <Foot language={language} brand={brand} />}
      </body>
    </html>
  )
}

/** Preloads the logo with the style sheet: a late logo would shift the name beside it. */
function Head({ title, brand, style, script, refresh }: PageProps) {
  const content = refresh && (refresh.url ? `${refresh.seconds};url=${refresh.url}` : `${refresh.seconds}`)
  const meta = content && <meta http-equiv="refresh" content={content} />
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{brand ? `${title} · ${brand.name}` : title}</title>
      <link rel="icon" href="data:," />
      {brand?.logoUrl && <link rel="preload" as="image" href={brand.logoUrl} />}
      <link rel="stylesheet" href={style} />
      {brand && <style>{brand.style}</style>}
      {script && <script type="module" src={script} />}
      {meta && (refresh.always ? meta : <noscript>{meta}</noscript>)}
    </head>
  )
}

function EnvBar({ language, testDocs = [] }: PageProps) {
  const { sandbox, testValues } = language.texts.common
  const links = testDocs.length > 0 ? testDocs : [BUILT_IN_TEST_DOCS]
  return (
    <aside class="env" aria-label={sandbox}>
      <span>{sandbox}</span>
      {links.map(({ url, provider }) => (
        <a href={url} target="_blank" rel="noreferrer">
          {provider === undefined ? testValues : `${testValues}: ${provider}`}
        </a>
      ))}
    </aside>
  )
}

function Top({ brand, language, here, aside }: PageProps) {
  return (
    <header class="top">
      <div class="brand">
        {brand?.logoUrl && <img src={brand.logoUrl} alt="" height={40} />}
        {brand && (
          <span>
            <bdi>{brand.name}</bdi>
            {brand.slogan1 && (
              <small>
                <bdi>{brand.slogan1}</bdi>
              </small>
            )}
          </span>
        )}
      </div>
      <div class="top-end">
        {aside}
        {here && <Languages language={language} here={here} />}
      </div>
    </header>
  )
}

function Languages({ language, here }: { readonly language: Language; readonly here: string }) {
  return (
    <details class="languages">
      <summary>
        <span class="visually-hidden">{`${language.texts.common.language}: `}</span>
        {language.name}
      </summary>
      <ul>
        {LANGUAGES.map(({ locale, name }) => (
          <li>
            <a
              href={`${here}?lang=${locale}`}
              lang={locale}
              hreflang={locale}
              aria-current={locale === language.locale ? 'true' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

interface FootProps {
  readonly language: Language
  readonly brand: Brand | undefined
}

/** The help link is at the same position on every page. */
function Foot({ language, brand }: FootProps) {
  const { terms, privacy, contact, poweredBy } = language.texts.common
  return (
    <footer class="foot">
      {brand?.slogan2 && <bdi>{brand.slogan2}</bdi>}
      {brand?.supportUrl && (
        <a href={brand.supportUrl} rel="noreferrer">
          {contact({ merchant: brand.name })}
        </a>
      )}
      {brand?.termsUrl && (
        <a href={brand.termsUrl} rel="noreferrer">
          {terms}
        </a>
      )}
      {brand?.privacyUrl && (
        <a href={brand.privacyUrl} rel="noreferrer">
          {privacy}
        </a>
      )}
      {brand?.showPoweredBy !== false && <span>{poweredBy}</span>}
    </footer>
  )
}
