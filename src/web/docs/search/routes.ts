import { Type } from 'typebox'
import { type Route, route } from '../../../http/route.ts'
import type { ApiDocument } from '../document.ts'
import type { AssetPaths } from '../layout.tsx'
import { DOCS_COMMON, DOCS_HEADERS, HTML } from '../page.ts'
import { searchEntries } from './entries.ts'
import { createIndex, find, type Index, MAX_QUERY } from './find.ts'
import { resultsHtml, searchPage } from './search-page.tsx'

/** The search. Its index is made with the first query and kept. */
export function searchRoute(assets: AssetPaths, root: URL, document: () => ApiDocument): Route {
  let index: Promise<Index> | undefined
  const openIndex = async () => createIndex(await searchEntries(root, document()))
  return route({
    ...DOCS_COMMON,
    path: '/docs/search',
    summary: 'Search in the documentation',
    status: 200,
    contentType: HTML,
    query: Type.Object({ q: Type.Optional(Type.String()), part: Type.Optional(Type.String()) }),
    handler: async (_caller, { query: { q = '', part }, reply }) => {
      reply.headers(DOCS_HEADERS).header('x-robots-tag', 'noindex')
      const query = q.slice(0, MAX_QUERY).trim()
      index ??= openIndex()
      const searched = { query, found: query === '' ? [] : find(await index, query) }
      return part === 'results' ? resultsHtml(searched) : searchPage(assets, searched)
    },
  })
}
