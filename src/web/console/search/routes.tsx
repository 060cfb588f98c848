import type { PageAnswer } from '../../kit/request/answer.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { EmptyState, Table } from '../../kit/list.tsx'
import { findResults, type SearchResult } from './find.ts'
import { useRequest } from '../../kit/screen.tsx'

export const searchScreens = (): ScreenRoute[] => [app('GET', '/search', 'PaymentRead', show)]

/** A page, or the answer for the palette. */
async function show(request: AppRequest): Promise<PageAnswer> {
  const { call, texts } = request
  const text = (call.query.q ?? '').trim()
  const results = await findResults(request, text)
  if (call.wantsJson)
    return {
      file: JSON.stringify(results),
      type: 'application/json',
      headers: { 'cache-control': 'no-store', vary: 'accept' },
    }
  return renderScreen(request, {
    name: 'search',
    title: text ? texts.search.results(shortText(text, NAME_SHOWN) ?? '') : texts.search.title,
    headers: { vary: 'accept' },
    children: <Results text={text} results={results} />,
  })
}

interface ResultsProps {
  readonly text: string
  readonly results: readonly SearchResult[]
}

function Results({ text, results }: ResultsProps) {
  const { texts, base } = useRequest()
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
