import type { PaymentFilter } from '../../../payments/search/filter.ts'
import type { PostedForm } from '../../kit/request/form-body.ts'

/** The address of the list: its filter, its columns and its page. */

export const FILTER_NAMES = [
  ...(['q', 'state', 'provider', 'profile', 'currency', 'customer', 'policy'] as const),
  ...(['from', 'to', 'min', 'max'] as const),
] as const satisfies readonly (keyof PaymentFilter)[]

/** Columns that are shown when the address names them. */
export const OPTIONAL_COLUMNS = ['id', 'captured', 'fraud', 'order', 'country', 'flow'] as const
export type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number]

export interface ListAddress {
  readonly filter: PaymentFilter
  readonly columns: readonly OptionalColumn[]
}

/** More than any filter that a person writes. */
const MOST = 500

export function readAddress(query: Readonly<Record<string, string>>): ListAddress {
  const entries = FILTER_NAMES.flatMap((name) => {
    const value = query[name]?.trim().slice(0, MOST)
    return value ? [[name, value]] : []
  })
  const wanted = (query.columns ?? '').split(',')
  return {
    filter: Object.fromEntries(entries),
    columns: OPTIONAL_COLUMNS.filter((column) => wanted.includes(column)),
  }
}

/** The list that a form was sent from, in its field `query`. Only what the list understands is kept. */
export const postedAddress = ({ form }: PostedForm): ListAddress =>
  readAddress(Object.fromEntries(new URLSearchParams(form.get('query') ?? '')))

/** `state=Failed&columns=id,country`, always in the same order; empty for the whole list. */
export function addressQuery({ filter, columns }: ListAddress): string {
  const named = FILTER_NAMES.flatMap((name): [string, string][] => {
    const value = filter[name]
    return value ? [[name, value]] : []
  })
  const all = columns.length > 0 ? [...named, ['columns', columns.join(',')]] : named
  return new URLSearchParams(all).toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
}

/** The path of the list with this filter. */
export function listPath(base: string, address: ListAddress): string {
  const query = addressQuery(address)
  return query ? `${base}/payments?${query}` : `${base}/payments`
}

export const isFiltered = ({ filter }: ListAddress): boolean => FILTER_NAMES.some((name) => filter[name])
