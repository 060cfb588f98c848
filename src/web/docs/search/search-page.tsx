import { renderToString } from 'preact-render-to-string'
import { type AssetPaths, docsHtml } from '../layout.tsx'
import { SiteNavigation } from '../site/guide-page.tsx'
import type { FoundEntry, Piece } from './find.ts'

export interface Searched {
  readonly query: string
  readonly found: readonly FoundEntry[]
}

export function searchPage(assets: AssetPaths, searched: Searched): string {
  return docsHtml(assets, {
    title: 'Search',
    path: '/docs/search',
    query: searched.query,
    pages: <SiteNavigation path="/docs/search" />,
    children: <Results {...searched} />,
  })
}

/** Only the results, for the script. */
export const resultsHtml = (searched: Searched): string => renderToString(<Results {...searched} />)

function Results({ query, found }: Searched) {
  if (query === '') return <p>Type what you look for: a word, a field, an error code, a setting.</p>
  if (found.length === 0) return <NothingFound query={query} />
  return (
    <ol class="results">
      {found.map(({ path, title, of, snippet }) => (
        <li>
          <a href={path}>
            <Highlighted pieces={title} />
          </a>{' '}
          <span class="muted">{of}</span>
          <p>
            <Highlighted pieces={snippet} />
          </p>
        </li>
      ))}
    </ol>
  )
}

function Highlighted({ pieces }: { readonly pieces: readonly Piece[] }) {
  return <>{pieces.map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}</>
}

function NothingFound({ query }: { readonly query: string }) {
  return (
    <>
      <p>
        Nothing was found for <strong>{query}</strong>. Try fewer or shorter words, or the name of a field as
        the API has it.
      </p>
      <p>
        See <a href="/docs/guides">all guides</a>, the <a href="/docs">API reference</a>,{' '}
        <a href="/docs/errors">errors</a> or <a href="/docs/reference/config">settings</a>.
      </p>
    </>
  )
}
