import type { ComponentChildren } from 'preact'
import { zoneIn } from './format/time.tsx'
import { Button, Field, type FieldProps, Hidden, Select, type SelectOption } from './html/controls.tsx'
import { Icon, type IconName } from './html/icons.tsx'
import { useOpenRequest, usePersonRequest } from './screen.tsx'

interface Column {
  readonly label: string
  /** Numbers and amounts are aligned at the end. */
  readonly end?: boolean
  /** The heading names the time zone. */
  readonly isTime?: boolean
  /** The label is for screen readers only, as above a checkbox. */
  readonly isQuiet?: boolean
  /** The heading leads to the list in the order of this column. */
  readonly sort?: { readonly href: string; readonly now: 'ascending' | 'descending' | undefined } | undefined
}

interface TableRow {
  readonly cells: readonly ComponentChildren[]
  /** The page of the row: one of its cells must be a link to it too, for keyboards and readers. */
  readonly href?: string | undefined
  readonly data?: Readonly<Record<`data-${string}`, string>>
}

interface TableProps {
  /** Read by screen readers. */
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly TableRow[]
  readonly id?: string
  /** On a phone each row is a card of labels and values, so that no amount or button is beside the window. */
  readonly isStacked?: boolean
}

/** A table that scrolls sideways on a narrow screen. With script, a click on a row opens its page. */
function Table({ caption, columns, rows, id, isStacked }: TableProps) {
  const cellClass = (place: number) => (columns[place]?.end ? 'end' : undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class={isStacked ? 'table stacked' : 'table'} id={id} aria-label={caption} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, place) => (
              <th scope="col" class={cellClass(place)} aria-sort={column.sort?.now}>
                <HeadingText {...column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells, href, data }) => (
            <tr data-href={href} {...data}>
              {cells.map((cell, place) => (
                <td class={cellClass(place)} data-label={isStacked ? labelOf(columns[place]) : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const labelOf = (column: Column | undefined) => (column?.isQuiet ? undefined : column?.label)

const ARROWS = { ascending: '↑', descending: '↓' } as const

function HeadingText({ label, isQuiet, isTime, sort }: Column) {
  if (isQuiet) return <span class="visually-hidden">{label}</span>
  const text = isTime ? <ZonedText label={label} /> : label
  if (!sort) return <>{text}</>
  return (
    <a href={sort.href}>
      {text} <span aria-hidden="true">{sort.now ? ARROWS[sort.now] : '↕'}</span>
    </a>
  )
}

function ZonedText({ label }: Pick<Column, 'label'>) {
  const request = usePersonRequest()
  return <>{request.texts.lists.inZone({ label, zone: zoneIn(request, request.now) })}</>
}

interface EmptyProps {
  readonly title: string
  readonly icon?: IconName
  readonly children?: ComponentChildren
}

/** Instead of an empty table: what belongs here and how it comes. */
export const EmptyState = ({ title, icon = 'search', children }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <p class="empty-title">{title}</p>
    {children}
  </div>
)

interface PagerProps {
  /** The cursor of the next page; undefined on the last. */
  readonly next: string | undefined
}

/** Links that keep the filter of the address and change its cursor. */
export function Pager({ next }: PagerProps) {
  const { call, texts } = useOpenRequest()
  const isFirst = call.query.cursor === undefined
  if (isFirst && next === undefined) return null
  return (
    <nav class="pager" aria-label={texts.frame.next}>
      {!isFirst && <a href={withQuery(call.path, { cursor: undefined })}>{texts.frame.previous}</a>}
      {next !== undefined && (
        <a href={withQuery(call.path, { cursor: next })} rel="next">
          {texts.frame.next}
        </a>
      )}
    </nav>
  )
}

/** The address with other values of these parameters; undefined removes one. */
export function withQuery(path: string, changes: Readonly<Record<string, string | undefined>>): string {
  const [base = '', query = ''] = path.split('?')
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, value)
  }
  const text = parameters.toString()
  return text ? `${base}?${text}` : base
}

/** A column with the cell of each item. */
export interface ListColumn<Item> extends Column {
  readonly cell: (item: Item) => ComponentChildren
}

interface ListProps<Item> extends Pick<TableProps, 'caption' | 'id' | 'isStacked'> {
  readonly items: readonly Item[]
  /** Columns that some people do not see are left out: `mayChange && { … }`. */
  readonly columns: readonly (ListColumn<Item> | false)[]
  /** The page of an item. One cell must be a link to it too. */
  readonly href?: (item: Item) => string | undefined
  readonly data?: (item: Item) => NonNullable<TableRow['data']>
  /** Instead of an empty table. */
  readonly empty?: {
    readonly title: string
    readonly icon?: IconName
    readonly body?: string
    readonly more?: ComponentChildren
  }
  /** The cursor of the next page; given, though undefined: the list has pages. */
  readonly next?: string | undefined
}

/** A list of items: a table, or what belongs there, and the links to its other pages. */
export function List<Item>(props: ListProps<Item>) {
  const { caption, id, isStacked = false, items, href, data, empty } = props
  const columns = props.columns.filter((column) => column !== false)
  const rows = items.map((item) => ({
    cells: columns.map(({ cell }) => cell(item)),
    ...(href && { href: href(item) }),
    ...(data && { data: data(item) }),
  }))
  return (
    <>
      {items.length === 0 && empty ? (
        <EmptyState title={empty.title} {...(empty.icon && { icon: empty.icon })}>
          {empty.body && <p>{empty.body}</p>}
          {empty.more}
        </EmptyState>
      ) : (
        <Table {...{ caption, columns, rows, isStacked }} {...(id && { id })} />
      )}
      {'next' in props && <Pager next={props.next} />}
    </>
  )
}

/** A field of a filter. Its name is that of the parameter in the address. */
interface FilterField extends Omit<FieldProps, 'id'> {
  /** The name of the filter and of the field by default. */
  readonly id?: string
  readonly options?: readonly SelectOption[]
  /** The choice that filters nothing. */
  readonly any?: string
}

interface FilterProps {
  readonly name: string
  /** The page of the list. */
  readonly action: string
  readonly fields: readonly (FilterField | false)[]
  readonly button: string
  /** The text of a link that removes the filter. */
  readonly clear?: string | undefined
  readonly hidden?: Readonly<Record<string, string>>
  readonly class?: string
}

/** The fields above a list. They show what the address has, unless they are given a value. */
export function Filter({ name, action, fields, button, clear, hidden = {}, class: extra }: FilterProps) {
  const { query } = useOpenRequest().call
  return (
    <form class={extra ? `filter ${extra}` : 'filter'} method="get" action={action}>
      <Hidden values={hidden} />
      {fields.map((field) => {
        if (!field) return null
        const { options, any, ...given } = field
        const value = field.value ?? query[field.name] ?? ''
        const rest = { ...given, value, id: field.id ?? `${name}-${field.name}` }
        if (!options) return <Field {...rest} />
        return (
          <Select {...rest} options={any === undefined ? options : [{ value: '', label: any }, ...options]} />
        )
      })}
      <div class="buttons">
        <Button kind="quiet">{button}</Button>
        {clear && <a href={action}>{clear}</a>}
      </div>
    </form>
  )
}
