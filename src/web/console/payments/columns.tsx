import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { ActButton } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import {
  addressQuery,
  LIST_COLUMNS,
  type ListAddress,
  type ListColumnId,
  listPath,
  postedAddress,
  readAddress,
  readColumns,
  shownColumns,
} from './address.ts'
import { resetColumns, saveColumns, selectColumns } from './columns-store.ts'

/**
 * The columns of the list of payments, kept with the person. Each button changes one thing and saves it, so
 * that nothing depends on script.
 */
export const columnScreens = (): ScreenRoute[] => [
  app('GET', '/payments/columns', 'PaymentRead', show),
  app('POST', '/payments/columns', 'PaymentRead', change),
]

export async function columnsOf({ ctx, person }: AppRequest): Promise<readonly ListColumnId[]> {
  return shownColumns(readColumns((await selectColumns(ctx.db, person.personId)) ?? []))
}

/** The page where the columns are chosen, which leads back to this list. */
export function columnsPath(base: string, { columns: _, ...address }: ListAddress): string {
  const query = addressQuery(address)
  return `${base}/payments/columns${query && `?${query}`}`
}

async function show(request: AppRequest): Promise<PageAnswer> {
  const { base, texts, call } = request
  const { payments } = texts
  const { columns: _, ...address } = readAddress(call.query)
  const chosen = await columnsOf(request)
  return renderScreen(request, {
    name: 'payments',
    title: payments.columnsTitle,
    crumbs: [{ label: payments.title, href: listPath(base, address) }],
    children: (
      <section class="card">
        <p class="muted">{payments.columnsIntro}</p>
        <Form action={`${base}/payments/columns`} hidden={{ query: addressQuery(address) }}>
          <Chosen chosen={chosen} />
          <div class="buttons">
            <a class="button primary" href={listPath(base, address)}>
              {payments.backToList}
            </a>
            <ActButton act="reset" text={payments.columnsReset} />
          </div>
        </Form>
      </section>
    ),
  })
}

/** Shown columns in their order, then the others. The amount leads to the payment and stays. */
function Chosen({ chosen }: { readonly chosen: readonly ListColumnId[] }) {
  const { payments } = useRequest().texts
  const hidden = LIST_COLUMNS.filter((column) => !chosen.includes(column))
  const name = (column: ListColumnId) => ({ column: payments.column[column] })
  return (
    <>
      <ol class="columns-list">
        {chosen.map((column, place) => (
          <li>
            <span>{payments.column[column]}</span>
            <span class="buttons">
              {place > 0 && (
                <ActButton act={`up:${column}`} text={payments.columnUp(name(column))} sign="↑" />
              )}
              {place < chosen.length - 1 && (
                <ActButton act={`down:${column}`} text={payments.columnDown(name(column))} sign="↓" />
              )}
              {column !== 'amount' && (
                <ActButton act={`hide:${column}`} text={payments.hideColumn(name(column))} sign="×" />
              )}
            </span>
          </li>
        ))}
      </ol>
      <div class="buttons">
        {hidden.map((column) => (
          <ActButton act={`show:${column}`} text={payments.showColumn(name(column))} />
        ))}
      </div>
    </>
  )
}

async function change(request: AppRequest): Promise<PageAnswer> {
  const { ctx, call, base, person } = request
  const act = call.form.get('act') ?? ''
  if (act === 'reset') await resetColumns(ctx.db, person.personId)
  else await saveColumns(ctx.db, person.personId, changed(await columnsOf(request), act))
  return seeOther(columnsPath(base, postedAddress(call)))
}

/** `up:state`, `down:state`, `hide:state` or `show:state`; anything else changes nothing. */
function changed(columns: readonly ListColumnId[], act: string): readonly ListColumnId[] {
  const [verb, name] = act.split(':')
  const column = LIST_COLUMNS.find((each) => each === name)
  if (!column) return columns
  const place = columns.indexOf(column)
  const rest = columns.filter((each) => each !== column)
  switch (verb) {
    case 'show':
      return [...rest, column]
    case 'hide':
      return column === 'amount' ? columns : rest
    case 'up':
    case 'down': {
      const to = Math.max(0, place + (verb === 'up' ? -1 : 1))
      return place < 0 ? columns : [...rest.slice(0, to), column, ...rest.slice(to)]
    }
    default:
      return columns
  }
}
