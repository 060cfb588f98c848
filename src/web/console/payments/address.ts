import { type ListOrder, ORDERS, type PaymentFilter } from '../../../payments/search/filter.ts'
import type { PostedForm } from '../../kit/request/form-body.ts'

/** The address of the list: its filter, its columns, its order and its page. */

export const FILTER_NAMES = [
  ...(['q', 'state', 'provider', 'profile', 'currency', 'customer', 'policy'] as const),
  ...(['period', 'from', 'to', 'min', 'max'] as const),
] as const satisfies readonly (keyof PaymentFilter)[]

/** Every column that the list can show. */
export const LIST_COLUMNS = [
  ...(['amount', 'state', 'method', 'customer', 'reference', 'provider', 'created', 'id'] as const),
  ...(['captured', 'refunded', 'fraud', 'order', 'country', 'flow'] as const),
] as const
export type ListColumnId = (typeof LIST_COLUMNS)[number]

/** Columns of a list for which none were chosen. */
export const USUAL_COLUMNS: readonly ListColumnId[] = [
  ...(['amount', 'state', 'method', 'customer', 'reference', 'provider', 'created'] as const),
]

export interface ListAddress {
  readonly filter: PaymentFilter
  /** In their order. Undefined: those that the person has chosen. */
  readonly columns?: readonly ListColumnId[] | undefined
  /** Undefined: the newest first. */
  readonly sort?: ListOrder | undefined
}

/** More than any filter that a person writes. */
const MOST = 500

export function readAddress(query: Readonly<Record<string, string>>): ListAddress {
  const entries = FILTER_NAMES.flatMap((name) => {
    const value = query[name]?.trim().slice(0, MOST)
    return value ? [[name, value]] : []
  })
  const columns = query.columns === undefined ? [] : readColumns(query.columns.slice(0, MOST).split(','))
  return {
    filter: Object.fromEntries(entries),
    ...(columns.length > 0 ? { columns } : {}),
    sort: ORDERS.find((order) => order === query.sort),
  }
}

/** Each once; what is no column is left out. */
export const readColumns = (names: readonly string[]): ListColumnId[] =>
  [...new Set(names)].filter((name): name is ListColumnId => LIST_COLUMNS.includes(name as ListColumnId))

/** The amount leads to the payment, so a list without it has the usual columns before these. */
export const shownColumns = (columns: readonly ListColumnId[]): readonly ListColumnId[] =>
  columns.includes('amount') ? columns : [...new Set([...USUAL_COLUMNS, ...columns])]

/** The list that a form was sent from, in its field `query`. Only what the list understands is kept. */
export const postedAddress = ({ form }: PostedForm): ListAddress =>
  readAddress(Object.fromEntries(new URLSearchParams(form.get('query') ?? '')))

/** `state=Failed&columns=amount,country`, always in the same order; empty for the whole list. */
export function addressQuery({ filter, columns, sort }: ListAddress): string {
  const named = FILTER_NAMES.flatMap((name): [string, string][] => {
    const value = filter[name]
    return value ? [[name, value]] : []
  })
  const all = [
    ...named,
    ...(columns && columns.length > 0 ? [['columns', columns.join(',')]] : []),
    ...(sort ? [['sort', sort]] : []),
  ]
  return new URLSearchParams(all).toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
}

/** The path of the list with this filter. */
export function listPath(base: string, address: ListAddress): string {
  const query = addressQuery(address)
  return query ? `${base}/payments?${query}` : `${base}/payments`
}

export const isFiltered = ({ filter }: ListAddress): boolean => FILTER_NAMES.some((name) => filter[name])
