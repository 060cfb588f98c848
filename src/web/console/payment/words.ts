import { DAY, HOUR, MINUTE, SECOND } from '../../../base/clock.ts'
import type { AttemptStanding } from '../../../payments/history/view.ts'
import type { Failure, Payment } from '../../../payments/payment.ts'
import { type PaymentProblem, problemIn } from '../../../payments/problems.ts'
import { adviceIn } from '../../../payments/retry/advice.ts'
import type { CustomerOrder } from '../../../payments/wire/schema.ts'
import { moneyInText } from '../../kit/format/money.tsx'
import { numberText } from '../../kit/format/numbers.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { timeIn } from '../../kit/format/time.tsx'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { type ConsoleTexts, textNamed } from '../../kit/texts/texts.ts'

/** The order of the shop. It was validated when the payment was created; erasure may have taken members. */
export const orderOf = ({ details }: Pick<Payment, 'details'>): Partial<CustomerOrder> =>
  details.customerOrder

/** The name of the person, of the order or of the provider. */
export function payerName(payment: Payment): string | null {
  const { customer } = orderOf(payment)
  const full = [customer?.firstName, customer?.lastName].filter(Boolean).join(' ')
  return full || payment.payInfo?.payer?.fullName || null
}

export const payerEmail = (payment: Payment): string | null =>
  orderOf(payment).customer?.email || payment.payInfo?.payer?.email || null

/** The best known name of the customer. */
export const customerName = (payment: Payment): string | undefined =>
  shortText(payerName(payment) || payerEmail(payment) || payment.customerId || undefined, NAME_SHOWN)

/** An amount of the payment, for use in a sentence. */
export const amountText = (
  { language }: Pick<PersonRequest, 'language'>,
  minor: bigint,
  { currency }: Pick<Payment, 'currency'>,
): string => moneyInText(language, minor, currency)

/** How long after the creation: +0.004 s, +41.2 s, +12 min, +5 h, +2 d. Units are those of the SI. */
export function offsetText(seen: Pick<PersonRequest, 'language'>, ms: number): string {
  const from = Math.max(0, ms)
  if (from < 10 * SECOND) return `+${numberText(seen, from / SECOND, 3)} s`
  if (from < 100 * SECOND) return `+${numberText(seen, from / SECOND, 1)} s`
  if (from < 2 * HOUR) return `+${Math.floor(from / MINUTE)} min`
  if (from < 2 * DAY) return `+${Math.floor(from / HOUR)} h`
  return `+${Math.floor(from / DAY)} d`
}

/** Stored JSON on several lines; another text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

type Seen = Pick<PersonRequest, 'texts' | 'language' | 'person'>

/** A problem in the language of the page. Texts of others stay as they are. */
export const problemText = (request: Seen, problem: PaymentProblem): string =>
  problemIn(
    request.texts.problems,
    {
      amount: (minor, currency) => moneyInText(request.language, minor, currency),
      time: (instant) => timeIn(request, new Date(instant)),
    },
    problem,
  )

/** How an attempt stands. */
export const standingText = (request: Seen, standing: AttemptStanding): string =>
  'code' in standing ? request.texts.problems.attempt[standing.code] : problemText(request, standing.problem)

/** What the merchant can do about a failure. Nothing is said about one that is the merchant's own. */
export function retryText(request: Seen, failure: Failure): string | undefined {
  const { retry: texts } = request.texts
  const { retry, retryAfter } = adviceIn(failure)
  if (failure.code === 'cancelled' || failure.code === 'fraud_rejected') return undefined
  if (retry !== 'later' || retryAfter === null) return texts[retry]
  return texts.laterAt({ time: timeIn(request, new Date(retryAfter)) })
}

/** A decline reason or a failure code as words. */
export const reasonText = ({ problems }: ConsoleTexts, reason: string): string =>
  textNamed(problems.reasons, reason) ?? reason.replaceAll(/[-_]/g, ' ')
