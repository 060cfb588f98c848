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
} from '../../base/card-form.ts'

type Field = 'number' | 'expiry' | 'code' | 'name'
const FIELDS: readonly Field[] = ['number', 'expiry', 'code', 'name']

/** Groups digits, names the brand and says what is wrong: on leaving a field first, then with every key. */
export function cardForm(form: HTMLFormElement): void {
  const texts = JSON.parse(form.dataset.card ?? '{}') as Record<string, string>
  const accepted = (form.dataset.brands ?? '').split(',')
  const input = (field: Field) => form.elements.namedItem(field) as HTMLInputElement
  const shown = form.querySelector('output')
  form.noValidate = true

  const check = (field: Field): CardProblem | undefined => {
    const { value } = input(field)
    if (field === 'number') return checkNumber(value, accepted)
    if (field === 'expiry') return checkExpiry(value, new Date())
    return field === 'code' ? checkCode(value, input('number').value) : checkName(value)
  }

  const sentence = (problem: CardProblem): string => {
    const brand = brandOf(digitsOf(input('number').value))
    if (problem === 'codeWrong') return texts[`codeWrong${brand?.codeDigits ?? 3}`] ?? ''
    return (texts[problem] ?? '').replace('{brand}', brand?.name ?? '')
  }

  function tell(field: Field): boolean {
    const problem = check(field)
    const element = input(field)
    const error = document.getElementById(`${element.id}-error`)
    if (problem) element.setAttribute('aria-invalid', 'true')
    else element.removeAttribute('aria-invalid')
    if (error) error.textContent = problem ? sentence(problem) : ''
    return problem === undefined
  }

  for (const field of FIELDS) {
    const element = input(field)
    let wasLeft = false
    element.addEventListener('input', (event) => {
      const isDeleting = (event as InputEvent).inputType?.startsWith('delete') ?? false
      if (field === 'number') format(element, formatNumber)
      if (field === 'expiry' && !isDeleting) format(element, formatExpiry)
      if (field === 'code') format(element, (text) => digitsOf(text).slice(0, 4))
      const brand = brandOf(digitsOf(input('number').value))
      if (shown) shown.textContent = brand?.name ?? ''
      // A brand that is not taken is certain after six digits: nobody has to type the rest.
      if (wasLeft || element.ariaInvalid || check(field) === 'brandRefused') tell(field)
    })
    element.addEventListener('blur', () => {
      if (element.value === '') return
      wasLeft = true
      tell(field)
    })
  }

  form.addEventListener(
    'submit',
    (event) => {
      const wrong = FIELDS.filter((field) => !tell(field))
      if (!wrong[0]) return
      event.preventDefault()
      event.stopImmediatePropagation()
      input(wrong[0]).focus()
    },
    true,
  )
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
  let place = 0
  for (let digits = 0; place < formatted.length && digits < before; place++)
    if (/\d/.test(formatted[place] ?? '')) digits++
  element.setSelectionRange(place, place)
}
