import { noteExport, updateLedger } from '../../../ledger/commands.ts'
import { journalText, streamed } from '../../../ledger/export.ts'
import { FORMATS } from '../../../ledger/formats.ts'
import { type BooksMonth, booksOfMonth } from '../../../ledger/month.ts'
import { FIRST_DAY, LAST_DAY } from '../../../ledger/schema.ts'
import { dateFormat } from '../../kit/format/dates.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { EmptyState, Filter } from '../../kit/list.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { Balances } from './balances.tsx'
import { FeeCards, type MonthFees, readFees } from './fees.tsx'

/** What the ledger says about a month. */
export const booksScreens = (): ScreenRoute[] => [
  app('GET', '/books', 'SettlementRead', show),
  app('GET', '/books/journal', proof('SettlementRead'), download),
]

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts } = request
  const { books: words } = texts
  const books = await booksOfMonth(ctx, app, call.query.month)
  const fees = books && (await readFees(request, books))
  return renderScreen(request, {
    name: 'books',
    title: words.title,
    children:
      books && fees ? (
        <Month books={books} fees={fees} />
      ) : (
        <EmptyState title={words.none}>
          <p>{words.noneBody}</p>
        </EmptyState>
      ),
  })
}

/** `October 2026` for `2026-10`. */
function monthName({ language }: AppRequest, month: string): string {
  const style = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return dateFormat(language.intl, style).format(new Date(`${month}-01T00:00:00Z`))
}

interface MonthProps {
  readonly books: BooksMonth
  readonly fees: MonthFees
}

function Month({ books, fees }: MonthProps) {
  const request = useRequest()
  const { texts, base } = request
  const { books: words } = texts
  const name = monthName(request, books.month)
  return (
    <>
      <Filter
        name="books"
        action={`${base}/books`}
        button={words.show}
        fields={[
          {
            name: 'month',
            label: words.month,
            value: books.month,
            options: books.months.map(({ month, isClosed }) => {
              const label = monthName(request, month)
              return { value: month, label: isClosed ? words.closed({ month: label }) : label }
            }),
          },
        ]}
      />
      <p class="muted">{books.isClosed ? words.isClosed : words.isOpen}</p>
      {!(books.isComplete && fees.isComplete) && <p>{words.incomplete}</p>}
      <Balances books={books} monthName={name} />
      <FeeCards fees={fees} />
      <Card title={words.downloads}>
        <p class="muted small">{words.downloadsBody}</p>
        <Downloads period={words.ofMonth({ month: name })} query={`&month=${books.month}`} />
        <Downloads period={words.whole} query="" />
      </Card>
    </>
  )
}

interface DownloadsProps {
  readonly period: string
  readonly query: string
}

function Downloads({ period, query }: DownloadsProps) {
  const { texts, base } = useRequest()
  const { books: words } = texts
  return (
    <p class="actions">
      <span>{period}</span>
      {(Object.keys(FORMATS) as (keyof typeof FORMATS)[]).map((format) => (
        <a
          class="chip"
          href={`${base}/books/journal?format=${format}${query}`}
          aria-label={words.download({ format: words.formats[format], period })}
        >
          {words.formats[format]}
        </a>
      ))}
    </p>
  )
}

/** The journal of a month, or of all time. */
async function download(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const { query } = call
  const format = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).find((one) => one === query.format)
  const chosen = format ?? 'csv'
  const books = query.month === undefined ? undefined : await booksOfMonth(ctx, app, query.month)
  if (!books) await updateLedger(ctx, app)
  const range = books ? { from: books.from, to: books.to } : { from: FIRST_DAY, to: LAST_DAY }
  await noteExport(ctx, app, { what: 'journal', format: chosen, ...range })
  const { contentType, extension } = FORMATS[chosen]
  const name = books ? `journal-${books.month}` : 'journal'
  return {
    file: await streamed(journalText(ctx, app, range, chosen)),
    type: contentType,
    headers: { 'content-disposition': `attachment; filename="${name}.${extension}"` },
  }
}
