import {
  type CardProblem,
  cardBrandOf,
  checkCode,
  checkExpiry,
  checkName,
  checkNumber,
  digitsOf,
  formatExpiry,
  formatNumber,
} from '../../base/cards/form.ts'

type Field = 'number' | 'expiry' | 'code' | 'name'
const FIELDS: readonly Field[] = ['number', 'expiry', 'code', 'name']

/** Formats digits, shows the brand and validates: first when a field loses focus, then on every input. */
export function cardForm(form: HTMLFormElement): void {
  const input = (field: Field) => form.elements.namedItem(field) as HTMLInputElement
  const checks = checksOf(form, input)
  const brandOutput = form.querySelector('output')
  form.noValidate = true

  for (const field of FIELDS) {
    const element = input(field)
    let wasBlurred = false
    element.addEventListener('input', (event) => {
      const isDeleting = (event as InputEvent).inputType?.startsWith('delete') ?? false
      if (field === 'number') format(element, formatNumber)
      if (field === 'expiry' && !isDeleting) format(element, formatExpiry)
      if (field === 'code') format(element, (text) => digitsOf(text).slice(0, 4))
      if (brandOutput) brandOutput.textContent = cardBrandOf(digitsOf(input('number').value))?.name ?? ''
      // An unaccepted brand is certain after six digits, so it is reported before the number is complete.
      if (wasBlurred || element.ariaInvalid || checks.find(field) === 'brandRefused') checks.validate(field)
    })
    element.addEventListener('blur', () => {
      if (element.value === '') return
      wasBlurred = true
      checks.validate(field)
    })
  }

  form.addEventListener('submit', (event) => {
    const [first] = FIELDS.filter((field) => !checks.validate(field))
    if (!first) return
    event.preventDefault()
    event.stopImmediatePropagation()
    input(first).focus()
  })
}

/** The validation rules, with the error texts from the page. */
function checksOf(form: HTMLFormElement, input: (field: Field) => HTMLInputElement) {
  const texts = JSON.parse(form.dataset.card ?? '{}') as Record<string, string>
  const accepted = (form.dataset.brands ?? '').split(',')

  const find = (field: Field): CardProblem | undefined => {
    const { value } = input(field)
    if (field === 'number') return checkNumber(value, accepted)
    if (field === 'expiry') return checkExpiry(value, new Date(performance.timeOrigin + performance.now()))
    return field === 'code' ? checkCode(value, input('number').value) : checkName(value)
  }
  const errorText = (problem: CardProblem): string => {
    const brand = cardBrandOf(digitsOf(input('number').value))
    if (problem === 'codeWrong') return texts[`codeWrong${brand?.codeDigits ?? 3}`] ?? ''
    return (texts[problem] ?? '').replace('{brand}', brand?.name ?? '')
  }
  /** Shows or clears the error of a field; true if the field is valid. */
  const validate = (field: Field): boolean => {
    const problem = find(field)
    const element = input(field)
    const error = document.getElementById(`${element.id}-error`)
    if (problem) element.setAttribute('aria-invalid', 'true')
    else element.removeAttribute('aria-invalid')
    if (error) error.textContent = problem ? errorText(problem) : ''
    return problem === undefined
  }
  return { find, validate }
}

/** Keeps the caret after the same digit. */
function format(element: HTMLInputElement, formatter: (text: string) => string): void {
  const { value, selectionStart } = element
  const formatted = formatter(value)
  if (formatted === value) return
  const atEnd = selectionStart === value.length
  const before = digitsOf(value.slice(0, selectionStart ?? value.length)).length
  element.value = formatted
  if (atEnd || document.activeElement !== element) return
  let caret = 0
  for (let digits = 0; caret < formatted.length && digits < before; caret++)
    if (/\d/.test(formatted[caret] ?? '')) digits++
  element.setSelectionRange(caret, caret)
}
