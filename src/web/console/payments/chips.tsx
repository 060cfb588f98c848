import { Icon } from '../../kit/html/icons.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { PaymentFilter } from '../../../payments/search/filter.ts'
import { parseQuery } from '../../../payments/search/query.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { FILTER_NAMES, type FilterName, type ListAddress, listPath, withFilter } from './address.ts'
import { filterValueText } from './names.ts'
import { useRequest } from '../../kit/screen.tsx'

interface Chip {
  readonly label: string
  readonly without: PaymentFilter
}

/** As the query grammar splits them. */
const WORDS = /(?:[^\s"]|"[^"]{0,500}"|")+/g

/** One for each condition of the filter; a term of the query is a condition too. */
function chipsOf(request: AppRequest, { filter }: ListAddress): Chip[] {
  const { q = '' } = filter
  const { terms, text } = parseQuery(q)
  const sources = [...new Set(terms.map(({ source }) => source))]
  const words = q.match(WORDS) ?? []
  const without = (source: string) => words.filter((word) => word !== source).join(' ') || undefined
  return [
    ...sources.map((source) => ({ label: source, without: { q: without(source) } })),
    ...(text === '' ? [] : [{ label: `“${text}”`, without: { q: sources.join(' ') || undefined } }]),
    ...FILTER_NAMES.flatMap((name) => fieldChip(request, name, filter[name])),
  ]
}

function fieldChip(request: AppRequest, name: FilterName, value: string | undefined): Chip[] {
  if (name === 'q' || value === undefined) return []
  const { fields } = request.texts.payments
  const label = `${fields[name]}: ${filterValueText(request, name, value)}`
  return [{ label, without: { [name]: undefined } }]
}

interface ChipsProps {
  readonly address: ListAddress
}

/** The conditions of the filter, each with a link to the list without it. */
export function Chips({ address }: ChipsProps) {
  const request = useRequest()
  const { texts, base } = request
  const { payments } = texts
  const chips = chipsOf(request, address)
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={payments.filtered}>
      {chips.map(({ label, without }) => (
        <li>
          <a
            class="chip"
            href={listPath(base, withFilter(address, without))}
            aria-label={payments.remove(label)}
          >
            <bdi>{shortText(label, NAME_SHOWN)}</bdi>
            <Icon name="cross" />
          </a>
        </li>
      ))}
      <li>
        <a href={listPath(base, { filter: {}, columns: address.columns })}>{payments.clear}</a>
      </li>
    </ul>
  )
}
