import { decimalSign, plainDecimal } from '../../../base/presentation/typed-amount.ts'

/**
 * Texts with `data-amount-text` follow the field with `data-amount` of their form: `{amount}` stands for what
 * is entered. An amount that cannot be read leaves the text as it is.
 */
export function addAmounts(): void {
  document.addEventListener('input', ({ target }) => follow(target as HTMLInputElement))
  showAmounts(document)
}

/** Texts of a page or dialog that was opened. */
export function showAmounts(root: ParentNode): void {
  for (const field of root.querySelectorAll<HTMLInputElement>('input[data-amount]')) follow(field)
}

function follow({ dataset, form, value }: HTMLInputElement): void {
  const { amount: currency, digits } = dataset ?? {}
  if (!currency || !form) return
  const text = amountText(value, { currency, digits: Number(digits), lang: document.documentElement.lang })
  if (text === undefined) return
  for (const each of form.querySelectorAll<HTMLElement>('[data-amount-text]'))
    each.textContent = (each.dataset.amountText ?? '').replace('{amount}', text)
}

interface AmountFormat {
  readonly currency: string
  readonly digits: number
  readonly lang: string
}

/** `12,5` → `€12.50`. Undefined: not an amount of the currency. */
export function amountText(value: string, { currency, digits, lang }: AmountFormat): string | undefined {
  const plain = plainDecimal(value, decimalSign(lang))
  if (plain === undefined) return undefined
  if ([...(plain.split('.')[1] ?? '')].slice(digits).some((digit) => digit !== '0')) return undefined
  const format = new Intl.NumberFormat(lang, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(Number(plain))
}
