import { isCurrency } from '../../../base/currencies.ts'
import { invalid } from '../../../base/errors.ts'
import { decimalText, parseMinor } from '../../../base/money.ts'
import type { RefundLimits } from '../../../people/person.ts'

const LINE = /^([A-Za-z]{3})\s+(\d{1,12}(?:\.\d{1,4})?)$/
/** More than a team refunds in. */
const MOST_LINES = 50

/** Reads lines such as `EUR 100.00`. Throws 400 with this message for any other. */
export function readLimits(text: string, message: string): RefundLimits | null {
  const lines = text
    .slice(0, 2_000)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const limits = lines.slice(0, MOST_LINES).map((line) => {
    const [, code = '', amount = ''] = LINE.exec(line) ?? []
    const currency = code.toUpperCase()
    const minor = isCurrency(currency) ? parseMinor(amount, currency) : undefined
    if (minor === undefined || minor === 0n) throw invalid([{ field: 'refundLimits', message }])
    return [currency, String(minor)] as const
  })
  return limits.length > 0 ? Object.fromEntries(limits) : null
}

/** The limits as lines that `readLimits` accepts. */
export const limitLines = (limits: RefundLimits | null): string =>
  Object.entries(limits ?? {})
    .map(([currency, minor]) => `${currency} ${decimalText(BigInt(minor), currency)}`)
    .join('\n')
