import type { Route } from '../../../http/route.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { EmptyState, Table } from '../parts/table.tsx'
import { findResults, type SearchResult } from './find.ts'

export const searchScreens = (screens: Screens): Route[] => [screens.app('GET', '/search', show)]

/** A page, or the answer for the palette. */
async function show(visit: AppVisit): Promise<PageAnswer> {
  const { call, texts } = visit
  const text = (call.query.q ?? '').trim()
  const results = await findResults(visit, text)
  if (call.wantsJson)
    return {
      file: JSON.stringify(results),
      type: 'application/json',
      headers: { 'cache-control': 'no-store', vary: 'accept' },
    }
  return drawScreen(visit, {
    name: 'search',
    title: text ? texts.search.results(shortText(text, NAME_SHOWN) ?? '') : texts.search.title,
    headers: { vary: 'accept' },
    children: <Results visit={visit} text={text} results={results} />,
  })
}

interface ResultsProps {
  readonly visit: AppVisit
  readonly text: string
  readonly results: readonly SearchResult[]
}

function Results({ visit, text, results }: ResultsProps) {
  const { texts, base } = visit
  const { search } = texts
  if (results.length === 0)
    return (
      <EmptyState title={search.empty}>
        <p>{search.emptyBody}</p>
        <a href={`${base}/payments?${new URLSearchParams({ q: text })}`}>{search.inPayments}</a>
      </EmptyState>
    )
  return (
    <>
      <Table
        caption={search.title}
        columns={[{ label: search.result }, { label: search.kind }, { label: search.detail }]}
        rows={results.map(({ kind, label, href, detail }) => ({
          href,
          cells: [
            <a href={href}>
              <bdi>{label}</bdi>
            </a>,
            search.kinds[kind],
            <bdi>{detail}</bdi>,
          ],
        }))}
      />
      {text && (
        <p>
          <a href={`${base}/payments?${new URLSearchParams({ q: text })}`}>{search.inPayments}</a>
        </p>
      )}
    </>
  )
}
