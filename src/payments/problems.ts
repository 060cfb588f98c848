import { isDeepStrictEqual } from 'node:util'
import english from '../../locales/en/console/problems.json'
import { decimalText } from '../base/money.ts'
import type { DeclineReason, NotDone } from '../providers/outcome.ts'

/**
 * Problems of a payment. Rows store a code with its values; the words are chosen where a problem is shown, in
 * English for the API and in any language for pages. See docs/decisions/0155-codes-instead-of-sentences.md.
 */
export type PaymentProblem =
  | { readonly code: 'declined'; readonly reason: DeclineReason }
  /** `detail` is the provider's own text. */
  | { readonly code: 'not-done'; readonly why: NotDone['why']; readonly detail?: string }
  | { readonly code: Ending }
  | { readonly code: 'refused'; readonly step: RefusedStep; readonly because: PaymentProblem }
  /** It never reached the provider, or the provider has moved on. */
  | { readonly code: 'step-unreached' | 'step-impossible'; readonly step: RefusedStep }
  /** A moving payment: its provider reports the result of the step by a notification. */
  | { readonly code: 'waiting'; readonly provider: string; readonly step: AwaitedStep }
  /** Minor units as text. `until`: ISO 8601. */
  | (SomeAmount & { readonly code: 'part-arrived'; readonly wholeMinor: string; readonly until?: string })
  | AboutAmount
  | { readonly code: 'capture-repeated'; readonly detail?: string }
  | { readonly code: PlainProblem }
  /** The words of others: a merchant, a fraud policy, a provider. Or of a row from before codes. */
  | { readonly code: 'text'; readonly text: string }

interface SomeAmount {
  /** As text, because JSON has no large integers. */
  readonly minor: string
  readonly currency: string
}

interface AboutAmount extends SomeAmount {
  readonly code: AmountProblem
  /** Both are so at the same time. */
  readonly also?: PaymentProblem
}

type AmountProblem = 'part-paid' | 'captured-late' | 'refund-failed-later' | 'dispute-won-late'
type PlainProblem = 'bank-return' | 'capture-given-up' | 'no-reason' | 'not-returned'
export type RefusedStep = 'capture' | 'cancel' | 'refund' | 'release'
export type AwaitedStep = 'payment' | 'capture' | 'cancel' | 'refund'

/** How a payment ends without a decline. */
type Ending =
  | 'link-expired'
  | 'cancelled'
  | 'stopped'
  | 'unreached'
  | 'cancelled-there'
  | 'authorisation-expired'
  | 'voided-there'
  | 'retry-never'
  | 'retry-limit'

export const amountProblem = (
  code: AmountProblem,
  { currency }: { readonly currency: string },
  minor: bigint,
): AboutAmount => ({ code, minor: String(minor), currency })

/** The words of others; their absence has a code of its own. */
export const textOr = (text: string | undefined, otherwise: PlainProblem | Ending): PaymentProblem =>
  text === undefined ? { code: otherwise } : { code: 'text', text }

export const isSameProblem = (one: PaymentProblem | null, other: PaymentProblem): boolean =>
  isDeepStrictEqual(one, other)

/** The sentences of one language. */
export type ProblemWords = typeof english

/** How a page writes the values. */
export interface ProblemFormat {
  readonly amount: (minor: bigint, currency: string) => string
  /** ISO 8601 */
  readonly time: (instant: string) => string
}

export function problemIn(words: ProblemWords, format: ProblemFormat, problem: PaymentProblem): string {
  switch (problem.code) {
    case 'declined':
      return words.decline[problem.reason]
    case 'not-done': {
      const sentence = words.notDone[problem.why]
      return problem.detail === undefined ? sentence : `${sentence} (${problem.detail})`
    }
    case 'refused':
      return words.refused({
        step: words.refusedStep[problem.step],
        because: problemIn(words, format, problem.because),
      })
    case 'step-unreached':
      return words.stepUnreached({ step: words.refusedStep[problem.step] })
    case 'step-impossible':
      return words.stepImpossible({ step: words.refusedStep[problem.step] })
    case 'waiting':
      return words.waiting({ provider: problem.provider, step: words.awaitedStep[problem.step] })
    case 'part-arrived': {
      const { minor, wholeMinor, currency, until } = problem
      const received = format.amount(BigInt(minor), currency)
      const whole = format.amount(BigInt(wholeMinor), currency)
      if (until === undefined) return words.partArrived({ received, whole })
      return words.partArrivedUntil({ received, whole, until: format.time(until) })
    }
    case 'part-paid':
    case 'captured-late':
    case 'refund-failed-later':
    case 'dispute-won-late': {
      const amount = format.amount(BigInt(problem.minor), problem.currency)
      const sentence = words.amount[problem.code]({ amount })
      return problem.also ? `${sentence} ${problemIn(words, format, problem.also)}` : sentence
    }
    case 'capture-repeated':
      if (problem.detail === undefined) return words.captureRepeated
      return words.captureRepeatedBecause({ detail: problem.detail })
    case 'bank-return':
    case 'capture-given-up':
    case 'no-reason':
    case 'not-returned':
      return words.plain[problem.code]
    case 'text':
      return problem.text
    default:
      return words.ending[problem.code]
  }
}

/** The words of the API. Rewording one changes what the API shows for every row, old and new. */
export const ENGLISH: ProblemWords = {
  ...english,
  // Clients compare it.
  plain: { ...english.plain, 'bank-return': 'bank_return' },
}

const PLAIN: ProblemFormat = {
  amount: (minor, currency) => `${decimalText(minor, currency)} ${currency}`,
  time: (instant) => instant,
}

/** `10.23 EUR` */
export const plainAmount = PLAIN.amount

/** As the API shows it. */
export const problemText = (problem: PaymentProblem): string => problemIn(ENGLISH, PLAIN, problem)
