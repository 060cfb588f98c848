import { type FieldError, invalid, wrongField } from '../base/errors.ts'
import { expected, mistaken } from '../base/mistakes.ts'
import { decimalText } from '../base/money.ts'
import { readInstant } from '../http/wire.ts'
import { readAmount } from '../payments/wire/request.ts'
import type { WantedLink } from './commands.ts'
import type { LinkBody } from './schema.ts'

/** A checked body in the words of the commands, or every field that is wrong with it. */
export function readLink(body: LinkBody, appName: string): WantedLink {
  const errors: FieldError[] = []
  const { currency, isReusable, maximumPayments } = body
  const amountOf = (field: 'amount' | 'minimumAmount' | 'maximumAmount') => {
    const value = body[field]
    return value === undefined || value === null ? undefined : readAmount(value, currency, errors, field)
  }
  const amounts = {
    amount: amountOf('amount'),
    minimumAmount: amountOf('minimumAmount'),
    maximumAmount: amountOf('maximumAmount'),
  }
  if (!isReusable && (maximumPayments ?? 1) > 1)
    errors.push(expected('maximumPayments', 'integerUpTo', { most: 1 }))
  if (errors.length > 0) throw invalid(errors)
  return {
    ...boundsOf({ currency, ...amounts }),
    currency,
    description: body.description ?? appName,
    referencePrefix: body.referenceId ?? null,
    maximumPayments: isReusable ? (maximumPayments ?? null) : 1,
    autoCapture: body.autoCapture ?? true,
    returnUrl: body.returnUrl || null,
    expirationTime: (body.expirationTime && readInstant(body.expirationTime)) || null,
  }
}

interface Amounts {
  readonly currency: string
  readonly amount: bigint | undefined
  readonly minimumAmount: bigint | undefined
  readonly maximumAmount: bigint | undefined
}

/** A fixed amount, or two bounds. Throws for anything else. */
function boundsOf({ currency, amount, minimumAmount, maximumAmount }: Amounts) {
  const errors: FieldError[] = []
  if (amount !== undefined) {
    for (const [field, bound] of Object.entries({ minimumAmount, maximumAmount }))
      if (bound !== undefined) errors.push(wrongField(field, 'must be left out where `amount` is given'))
    if (errors.length === 0) return { leastMinor: amount, mostMinor: amount }
    throw invalid(errors)
  }
  if (minimumAmount === undefined && maximumAmount === undefined)
    throw invalid([mistaken('amount', 'required')])
  if (minimumAmount === undefined) throw invalid([mistaken('minimumAmount', 'required')])
  if (maximumAmount === undefined) throw invalid([mistaken('maximumAmount', 'required')])
  if (minimumAmount > maximumAmount)
    throw invalid([expected('minimumAmount', 'amountUpTo', { most: decimalText(maximumAmount, currency) })])
  return { leastMinor: minimumAmount, mostMinor: maximumAmount }
}
