import {
  brandOf,
  type CardProblem,
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

/** Groups digits, names the brand and says what is wrong: on leaving a field first, then with every key. */
export function cardForm(form: HTMLFormElement): void {
  const input = (field: Field) => form.elements.namedItem(field) as HTMLInputElement
  const checks = checksOf(form, input)
  const shown = form.querySelector('output')
  form.noValidate = true

  for (const field of FIELDS) {
    const element = input(field)
    let wasLeft = false
    element.addEventListener('input', (event) => {
      const isDeleting = (event as InputEvent).inputType?.startsWith('delete') ?? false
      if (field === 'number') format(element, formatNumber)
      if (field === 'expiry' && !isDeleting) format(element, formatExpiry)
      if (field === 'code') format(element, (text) => digitsOf(text).slice(0, 4))
      if (shown) shown.textContent = brandOf(digitsOf(input('number').value))?.name ?? ''
      // A brand that is not taken is certain after six digits: nobody has to type the rest.
      if (wasLeft || element.ariaInvalid || checks.find(field) === 'brandRefused') checks.tell(field)
    })
    element.addEventListener('blur', () => {
      if (element.value === '') return
      wasLeft = true
      checks.tell(field)
    })
  }

  form.addEventListener('submit', (event) => {
    const [first] = FIELDS.filter((field) => !checks.tell(field))
    if (!first) return
    event.preventDefault()
    event.stopImmediatePropagation()
    input(first).focus()
  })
}

/** The rules, and the sentences that the page brought along. */
function checksOf(form: HTMLFormElement, input: (field: Field) => HTMLInputElement) {
  const texts = JSON.parse(form.dataset.card ?? '{}') as Record<string, string>
  const accepted = (form.dataset.brands ?? '').split(',')

  const find = (field: Field): CardProblem | undefined => {
    const { value } = input(field)
    if (field === 'number') return checkNumber(value, accepted)
    if (field === 'expiry') return checkExpiry(value, new Date(performance.timeOrigin + performance.now()))
    return field === 'code' ? checkCode(value, input('number').value) : checkName(value)
  }
  const sentence = (problem: CardProblem): string => {
    const brand = brandOf(digitsOf(input('number').value))
    if (problem === 'codeWrong') return texts[`codeWrong${brand?.codeDigits ?? 3}`] ?? ''
    return (texts[problem] ?? '').replace('{brand}', brand?.name ?? '')
  }
  /** Says what is wrong with a field beside it; true when nothing is. */
  const tell = (field: Field): boolean => {
    const problem = find(field)
    const element = input(field)
    const error = document.getElementById(`${element.id}-error`)
    if (problem) element.setAttribute('aria-invalid', 'true')
    else element.removeAttribute('aria-invalid')
    if (error) error.textContent = problem ? sentence(problem) : ''
    return problem === undefined
  }
  return { find, tell }
}

/** The caret stays behind the digit it stood behind. */
function format(element: HTMLInputElement, how: (text: string) => string): void {
  const { value, selectionStart } = element
  const formatted = how(value)
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
