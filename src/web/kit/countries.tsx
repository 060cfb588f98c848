import { COUNTRIES } from '../../base/countries.ts'
import type { FormField } from './form.tsx'
import { countryName } from './format/names.ts'
import { ErrorLine, type Wrong } from './html/controls.tsx'
import { useOpenRequest } from './screen.tsx'

interface CountryFieldOptions {
  readonly id?: string
  /** What no country stands for; an empty list by default. */
  readonly empty?: null
}

const codesIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.split(/[\s,;]+/)).filter(Boolean)),
]

/** Countries, ticked by name or typed as codes. Codes of others stay until they are removed. */
export const countries = (name: string, { id = name, empty }: CountryFieldOptions = {}): FormField => ({
  name,
  stored: (codes) => (codes ?? []) as readonly string[],
  posted: ({ fieldsOf }) => codesIn(fieldsOf(name)),
  body: (value) => (value.length === 0 && empty === null ? null : value),
  render: ({ label, hint, error, values }) => (
    <CountryPicker id={id} name={name} label={label} hint={hint} error={error} codes={values} />
  ),
})

interface PickerProps {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: Wrong | undefined
  readonly codes: readonly string[]
}

const NAMED = 6

/** Works without script: then the whole list is shown, the chosen ones first. */
function CountryPicker({ id, name, label, hint, error, codes }: PickerProps) {
  const request = useOpenRequest()
  const { country } = request.texts.frame
  const known = codes.map((code) => code.toUpperCase()).filter((code) => COUNTRIES.includes(code))
  const others = codes.filter((code) => !COUNTRIES.includes(code.toUpperCase()))
  const names = [...known.map((code) => countryName(request, code)), ...others]
  const summary = names.length > NAMED ? [...names.slice(0, NAMED), '…'] : names
  const listed = countryNames(request)
  const isChosen = ([code]: CountryOption) => known.includes(code)
  const sorted = [...listed.filter(isChosen), ...listed.filter((option) => !isChosen(option))]
  return (
    <fieldset class="field countries" aria-describedby={`${id}-hint ${id}-error`}>
      <legend>{label}</legend>
      <details open={error !== undefined}>
        <summary>{summary.length > 0 ? summary.join(', ') : country.none}</summary>
        <div class="country-choice">
          <label hidden>
            {country.filter} <input type="search" data-filters={`${id}-list`} />
          </label>
          <div class="country-list" id={`${id}-list`}>
            {sorted.map(([code, text]) => (
              <label>
                <input type="checkbox" name={name} value={code} checked={known.includes(code)} />
                {text}
              </label>
            ))}
          </div>
          <label>
            {country.codes}{' '}
            <input name={name} value={others.join(' ')} maxlength={1_200} autocomplete="off" />
          </label>
        </div>
      </details>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <ErrorLine id={id} label={label} error={error} />
    </fieldset>
  )
}

type CountryOption = readonly [code: string, name: string]
type Languages = Pick<ReturnType<typeof useOpenRequest>, 'language'>

const byLanguage = new Map<string, readonly CountryOption[]>()

/** By name, in the order of the language. */
function countryNames(request: Languages): readonly CountryOption[] {
  const { intl } = request.language
  const made = byLanguage.get(intl) ?? sortedNames(request)
  byLanguage.set(intl, made)
  return made
}

function sortedNames(request: Languages): readonly CountryOption[] {
  const { compare } = new Intl.Collator(request.language.intl)
  return COUNTRIES.map((code) => [code, countryName(request, code)] as const).sort((a, b) =>
    compare(a[1], b[1]),
  )
}

/** For a choice of one. */
export const countryOptions = (request: Languages, any: string) => [
  { value: '', label: any },
  ...countryNames(request).map(([value, label]) => ({ value, label })),
]
