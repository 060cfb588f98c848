import { Button, Field, Hidden, Select } from '../../kit/html/controls.tsx'
import { STATES } from '../../../payments/machine.ts'
import { type ListAddress, listPath, OPTIONAL_COLUMNS, type OptionalColumn } from './address.ts'
import { stateName } from './names.ts'
import { useRequest } from '../../kit/screen.tsx'
import { providerName } from '../../kit/format/names.ts'

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
  const { filter, columns } = address
  const { q = '' } = filter
  return (
    <search>
      <form class="payments-filter" method="get" action={`${base}/payments`}>
        {columns.length > 0 && <Hidden values={{ columns: columns.join(',') }} />}
        <div class="field">
          <label for="payments-q">{payments.search}</label>
          <div class="payments-search">
            <div class="input">
              <input
                id="payments-q"
                name="q"
                type="search"
                value={q}
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
          <FilterFields address={address} policies={policies} />
        </details>
      </form>
    </search>
  )
}

interface Option {
  readonly value: string
  readonly label: string
}

/** An address may hold several values or one that is unknown; the field keeps them. */
const keeping = (options: readonly Option[], value: string | undefined): readonly Option[] =>
  value === undefined || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }]

function FilterFields({ address, policies }: FilterProps) {
  const request = useRequest()
  const { texts, app } = request
  const { payments } = texts
  const { filter } = address
  const states = ['held', ...Object.keys(STATES)].map((value) => ({
    value,
    label: stateName(request, value),
  }))
  const providers = [...new Set(app.profiles.map(({ provider }) => provider))]
  const select = (name: 'state' | 'provider' | 'policy', any: string, options: readonly Option[]) => (
    <Select
      id={`filter-${name}`}
      name={name}
      label={payments.fields[name]}
      options={[{ value: '', label: any }, ...keeping(options, filter[name])]}
      value={filter[name] ?? ''}
    />
  )
  const field = (name: 'currency' | 'customer' | 'min' | 'max', maxLength: number) => (
    <Field
      id={`filter-${name}`}
      name={name}
      label={payments.fields[name]}
      value={filter[name] ?? ''}
      maxLength={maxLength}
    />
  )
  return (
    <div class="filter-fields">
      {select('state', payments.anyState, states)}
      {select(
        'provider',
        payments.anyProvider,
        providers.map((value) => ({ value, label: providerName(request, value) })),
      )}
      {field('currency', 60)}
      {field('customer', 200)}
      {policies.length > 0 &&
        select(
          'policy',
          payments.anyPolicy,
          policies.map(({ policyId, name }) => ({ value: String(policyId), label: name })),
        )}
      <Day name="from" label={payments.fields.from} value={filter.from} />
      <Day name="to" label={payments.fields.to} value={filter.to} />
      {field('min', 20)}
      {field('max', 20)}
      <div class="buttons">
        <Button kind="quiet">{payments.apply}</Button>
      </div>
    </div>
  )
}

interface DayProps {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
}

/** A month or an instant from the address stays as text: a date field would drop it. */
const Day = ({ name, label, value = '' }: DayProps) => {
  const input = { id: `filter-${name}`, name, value }
  return (
    <div class="field">
      <label for={input.id}>{label}</label>
      <div class="input">
        {value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value) ? (
          <input {...input} type="date" />
        ) : (
          <input {...input} type="text" maxlength={40} />
        )}
      </div>
    </div>
  )
}

/** Each optional column is a link that adds or removes it: the columns belong to the address. */
export function Columns({ address }: Omit<FilterProps, 'policies'>) {
  const request = useRequest()
  const { payments } = request.texts
  const { filter, columns } = address
  const toggled = (column: OptionalColumn) =>
    OPTIONAL_COLUMNS.filter((each) => columns.includes(each) !== (each === column))
  return (
    <details class="column-choice">
      <summary>{payments.columns}</summary>
      <ul class="chips">
        {OPTIONAL_COLUMNS.map((column) => (
          <li>
            <a class="chip" href={listPath(request.base, { filter, columns: toggled(column) })}>
              {columns.includes(column)
                ? payments.hideColumn(payments.column[column])
                : payments.showColumn(payments.column[column])}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
