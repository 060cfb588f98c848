import { STATES } from '../../../payments/machine.ts'
import type { PaymentFilter } from '../../../payments/search/filter.ts'
import { parseQuery, WORDS } from '../../../payments/search/query.ts'
import { profileName, providerName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { timeZoneOf } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Button, Field, Hidden, Select, type SelectOption } from '../../kit/html/controls.tsx'
import { Icon } from '../../kit/html/icons.tsx'
import { PRESETS } from '../../kit/period.ts'
import { useRequest } from '../../kit/screen.tsx'
import { textNamed } from '../../kit/texts/texts.ts'
import { SettledChips } from '../settlements/elsewhere.tsx'
import { FILTER_NAMES, type ListAddress, listPath } from './address.ts'

export interface PolicyName {
  readonly policyId: number
  readonly name: string
}

interface FilterProps {
  readonly address: ListAddress
  readonly policies: readonly PolicyName[]
}

/** The search field and the filter: one form, whose address is the filter. */
export function FilterForm({ address, policies }: FilterProps) {
  const { texts, base } = useRequest()
  const { payments } = texts
  const { filter, columns, sort } = address
  return (
    <search>
      <form class="payments-filter" method="get" action={`${base}/payments`}>
        {columns && <Hidden values={{ columns: columns.join(',') }} />}
        {sort && <Hidden values={{ sort }} />}
        <div class="field">
          <label for="payments-q">{payments.search}</label>
          <div class="payments-search">
            <div class="input">
              <input
                id="payments-q"
                name="q"
                type="search"
                value={filter.q ?? ''}
                maxlength={500}
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                aria-describedby="payments-q-hint"
                data-search="yes"
              />
            </div>
            <Button>{payments.searchButton}</Button>
          </div>
          <p class="hint" id="payments-q-hint">
            {payments.searchHint}
          </p>
        </div>
        <details class="payments-more">
          <summary>{payments.filter}</summary>
          <FilterFields filter={filter} policies={policies} />
          <SettledChips q={filter.q} />
        </details>
      </form>
    </search>
  )
}

interface FieldsProps extends Pick<FilterProps, 'policies'> {
  readonly filter: PaymentFilter
}

function FilterFields({ filter, policies }: FieldsProps) {
  const request = useRequest()
  const { payments, lists } = request.texts
  const { period } = lists
  const common = <Name extends keyof typeof payments.fields>(name: Name) => ({
    id: `filter-${name}`,
    name,
    label: name === 'period' ? period.label({ zone: timeZoneOf(request) }) : payments.fields[name],
    value: filter[name] ?? '',
  })
  const choice = (
    name: 'state' | 'provider' | 'policy' | 'period',
    any: string,
    options: readonly SelectOption[],
  ) => {
    const field = common(name)
    // An address may hold several values or one that is unknown; the field keeps them.
    const isOther = field.value !== '' && options.every(({ value }) => value !== field.value)
    const other = isOther ? [{ value: field.value, label: field.value }] : []
    return <Select {...field} options={[{ value: '', label: any }, ...options, ...other]} />
  }
  const states = [...STANDINGS, ...Object.keys(STATES)].map((value) => ({
    value,
    label: stateName(request, value),
  }))
  const providers = [...new Set(request.app.profiles.map(({ provider }) => provider))].map((value) => ({
    value,
    label: providerName(request, value),
  }))
  const presets = PRESETS.map((value) => ({ value, label: period.presets[value] }))
  const named = policies.map(({ policyId, name }) => ({ value: String(policyId), label: name }))
  return (
    <div class="filter-fields">
      {choice('state', payments.anyState, states)}
      {choice('provider', payments.anyProvider, providers)}
      <Field {...common('currency')} maxLength={60} />
      <Field {...common('customer')} maxLength={200} />
      {named.length > 0 && choice('policy', payments.anyPolicy, named)}
      {choice('period', period.any, presets)}
      <Day {...common('from')} />
      <Day {...common('to')} />
      <Field {...common('min')} maxLength={20} />
      <Field {...common('max')} maxLength={20} />
      <div class="buttons">
        <Button kind="quiet">{payments.apply}</Button>
      </div>
    </div>
  )
}

interface DayProps {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly value: string
}

/** A month or an instant from the address stays as text: a date field would drop it. */
const Day = ({ label, ...input }: DayProps) => (
  <div class="field">
    <label for={input.id}>{label}</label>
    <div class="input">
      {input.value === '' || /^\d{4}-\d{2}-\d{2}$/.test(input.value) ? (
        <input {...input} type="date" />
      ) : (
        <input {...input} type="text" maxlength={40} />
      )}
    </div>
  </div>
)

/** How payments stand, beside the states. */
const STANDINGS = ['held', 'paid', 'declined', 'blocked', 'part-refunded'] as const

function stateName({ texts }: AppRequest, name: string): string {
  const lower = name.toLowerCase()
  if (lower === 'held') return texts.payments.held
  if (lower === 'paid') return texts.payments.tabs.succeeded
  const { states } = texts.frame
  const known = (Object.keys(states) as (keyof typeof states)[]).find(
    (state) => state.toLowerCase() === lower,
  )
  return known ? states[known] : name
}

/** Names of the values that the filter holds as codes. */
const NAMES: Partial<Record<keyof PaymentFilter, (request: AppRequest, value: string) => string>> = {
  state: stateName,
  provider: providerName,
  period: ({ texts }, value) => textNamed(texts.lists.period.presets, value) ?? value,
  profile: (request, value) => profileName(request, Number(value)) ?? value,
}

interface Chip {
  readonly label: string
  readonly without: PaymentFilter
}

/** One for each condition of the filter; a term of the query is a condition too. */
function chipsOf(request: AppRequest, filter: PaymentFilter): Chip[] {
  const { payments, frame } = request.texts
  const { fields } = payments
  const { q = '' } = filter
  const { terms, text } = parseQuery(q)
  const sources = [...new Set(terms.map(({ source }) => source))]
  const words = q.match(WORDS) ?? []
  const without = (source: string) => words.filter((word) => word !== source).join(' ') || undefined
  return [
    ...sources.map((source) => ({ label: source, without: { q: without(source) } })),
    ...(text === ''
      ? []
      : [{ label: frame.quoted({ text }), without: { q: sources.join(' ') || undefined } }]),
    ...FILTER_NAMES.flatMap((name) => {
      const value = filter[name]
      if (name === 'q' || value === undefined) return []
      const values = value.split(',').map((each) => NAMES[name]?.(request, each) ?? each)
      return [{ label: `${fields[name]}: ${values.join(', ')}`, without: { [name]: undefined } }]
    }),
  ]
}

/** The conditions of the filter, each with a link to the list without it. */
export function Chips({ address }: Pick<FilterProps, 'address'>) {
  const { filter } = address
  const request = useRequest()
  const { base, texts } = request
  const { payments } = texts
  const chips = chipsOf(request, filter)
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={payments.filtered}>
      {chips.map(({ label, without }) => (
        <li>
          <a
            class="chip"
            href={listPath(base, { ...address, filter: { ...filter, ...without } })}
            aria-label={payments.remove({ filter: label })}
          >
            <bdi>{shortText(label, NAME_SHOWN)}</bdi>
            <Icon name="cross" />
          </a>
        </li>
      ))}
      <li>
        <a href={listPath(base, { ...address, filter: {} })}>{payments.clear}</a>
      </li>
    </ul>
  )
}
