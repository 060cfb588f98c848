import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Paths of the style sheet and the script. */
export interface AssetPaths {
  readonly style: string
  readonly script: string
}

export interface DocsPage {
  readonly title: string
  readonly path: string
  /** What was searched. */
  readonly query?: string
  readonly aside?: ComponentChildren
  /** The navigation with all pages. It follows the content. */
  readonly pages?: ComponentChildren
  readonly children: ComponentChildren
}

const PAGES = [
  ['/docs/guides', 'Guides'],
  ['/docs', 'API reference'],
  ['/docs/payment-states', 'Payment states'],
  ['/docs/errors', 'Errors'],
  ['/docs/test-values', 'Test values'],
  ['/openapi.json', 'OpenAPI'],
] as const

export function docsHtml(assets: AssetPaths, page: DocsPage): string {
  return `<!doctype html>${renderToString(<Layout assets={assets} page={page} />)}`
}

function Layout({ assets, page }: { readonly assets: AssetPaths; readonly page: DocsPage }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${page.title} · Tender`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assets.style} />
        <script type="module" src={assets.script} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Top path={page.path} query={page.query ?? ''} />
        <div class={page.aside || page.pages ? 'columns' : 'column'}>
          {page.aside}
          <main id="main" tabIndex={-1}>
            <h1>{page.title}</h1>
            {page.children}
          </main>
          {page.pages}
        </div>
      </body>
    </html>
  )
}

function Top({ path, query }: { readonly path: string; readonly query: string }) {
  return (
    <header class="top">
      <a class="brand" href="/docs">
        Tender
      </a>
      <nav aria-label="Documentation">
        {PAGES.map(([href, label]) => (
          <a href={href} {...currentOf(href, path)}>
            {label}
          </a>
        ))}
      </nav>
      <SearchForm query={query} />
    </header>
  )
}

/** Works without script. The script adds results while typing. */
function SearchForm({ query }: { readonly query: string }) {
  return (
    <search class="search">
      <form action="/docs/search" method="get" id="search">
        <input
          type="search"
          name="q"
          value={query}
          maxLength={100}
          placeholder="Search"
          aria-label="Search the documentation"
          aria-keyshortcuts="/"
          autocomplete="off"
          spellcheck={false}
        />
      </form>
      <section class="found" id="found" aria-label="Found" aria-live="polite" hidden />
    </search>
  )
}

/** The entry of this page, or of the pages below it. */
function currentOf(href: string, path: string) {
  if (href === path) return { 'aria-current': 'page' as const }
  return href === '/docs/guides' && path.startsWith(`${href}/`) ? { 'aria-current': 'true' as const } : {}
}
