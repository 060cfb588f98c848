import { isDeepStrictEqual } from 'node:util'
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
export interface ProblemWords {
  readonly decline: Readonly<Record<DeclineReason, string>>
  readonly notDone: Readonly<Record<NotDone['why'], string>>
  readonly ending: Readonly<Record<Ending, string>>
  readonly plain: Readonly<Record<PlainProblem, string>>
  readonly amount: Readonly<Record<AmountProblem, (amount: string) => string>>
  readonly refusedStep: Readonly<Record<RefusedStep, string>>
  readonly awaitedStep: Readonly<Record<AwaitedStep, string>>
  readonly refused: (step: string, because: string) => string
  readonly stepUnreached: (step: string) => string
  readonly stepImpossible: (step: string) => string
  readonly waiting: (provider: string, step: string) => string
  readonly partArrived: (received: string, whole: string) => string
  readonly partArrivedUntil: (received: string, whole: string, until: string) => string
  readonly captureRepeated: string
  readonly captureRepeatedBecause: (detail: string) => string
}

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
      return words.refused(words.refusedStep[problem.step], problemIn(words, format, problem.because))
    case 'step-unreached':
      return words.stepUnreached(words.refusedStep[problem.step])
    case 'step-impossible':
      return words.stepImpossible(words.refusedStep[problem.step])
    case 'waiting':
      return words.waiting(problem.provider, words.awaitedStep[problem.step])
    case 'part-arrived': {
      const { minor, wholeMinor, currency, until } = problem
      const received = format.amount(BigInt(minor), currency)
      const whole = format.amount(BigInt(wholeMinor), currency)
      if (until === undefined) return words.partArrived(received, whole)
      return words.partArrivedUntil(received, whole, format.time(until))
    }
    case 'part-paid':
    case 'captured-late':
    case 'refund-failed-later':
    case 'dispute-won-late': {
      const sentence = words.amount[problem.code](format.amount(BigInt(problem.minor), problem.currency))
      return problem.also ? `${sentence} ${problemIn(words, format, problem.also)}` : sentence
    }
    case 'capture-repeated':
      if (problem.detail === undefined) return words.captureRepeated
      return words.captureRepeatedBecause(problem.detail)
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
  /** Messages for merchants. The provider's own text never reaches a page of the customer. */
  decline: {
    generic: 'The payment was declined.',
    'insufficient-funds': 'The account does not have enough money.',
    'lost-card': 'The card is reported lost.',
    'stolen-card': 'The card is reported stolen.',
    'expired-card': 'The card has expired.',
    'incorrect-number': 'The card number is not valid.',
    'incorrect-cvc': 'The security code is wrong.',
    'incorrect-address': 'The address does not match the card.',
    'limit-exceeded': 'The amount exceeds a limit of the card or account.',
    'card-not-supported': 'The card is not supported.',
    'currency-not-supported': 'The currency is not supported.',
    'authentication-required': 'The bank wants the customer to confirm the payment.',
    'authentication-failed': 'The customer could not be authenticated.',
    'suspected-fraud': 'The bank suspects fraud.',
    blocked: 'The provider blocked the payment.',
    'do-not-honour': "The customer's bank declined without a reason.",
    'issuer-unavailable': "The customer's bank could not be reached.",
    'processing-error': 'The provider could not process the payment. Nothing was charged.',
    'account-closed': 'The bank account is closed.',
    'no-account': 'The bank account does not exist.',
    'debit-not-authorised': 'The customer did not authorise the debit.',
    'mandate-revoked': 'The customer withdrew the permission to debit.',
    'method-removed': 'The stored method no longer exists at the provider.',
    duplicate: 'The provider took it for a duplicate.',
    'customer-cancelled': 'The customer cancelled.',
    expired: 'The customer did not finish in time.',
    underpaid: 'Less than the amount was paid.',
  },
  notDone: {
    'not-sent': 'The provider could not be reached. Nothing was charged.',
    'bad-request': 'The provider did not accept the request.',
    'bad-credentials': "The provider did not accept the profile's credentials.",
    'rate-limited': 'The provider was asked too often. Nothing was charged.',
    unsupported: 'The provider cannot do this.',
    'not-found': 'The provider does not know the payment.',
    'wrong-state': 'The payment is not in a state for this at the provider.',
  },
  ending: {
    'link-expired': 'The payment link expired before it was paid.',
    cancelled: 'The payment was cancelled.',
    stopped: 'The payment was stopped by a fraud rule.',
    unreached: 'The payment did not reach the provider. Nothing was charged.',
    'cancelled-there': 'The payment was cancelled at the provider. Nothing was charged.',
    'authorisation-expired': 'The authorisation expired before it was captured.',
    'voided-there': 'The authorisation was voided at the provider.',
  },
  plain: {
    // Clients compare it.
    'bank-return': 'bank_return',
    'capture-given-up': 'The capture failed, and the provider did not capture again in time.',
    'no-reason': 'the provider gives no reason.',
    'not-returned': 'the provider could not return the money.',
  },
  amount: {
    'part-paid': (amount) => `Only ${amount} was paid. It is given back.`,
    'captured-late': (amount) => `A further ${amount} was captured at the provider after the refund.`,
    'refund-failed-later': (amount) =>
      `A refund of ${amount} failed later; the money is still with the provider.`,
    'dispute-won-late': (amount) =>
      `A dispute of ${amount} was won after it was lost; the money is with you again.`,
  },
  refusedStep: {
    capture: 'The capture',
    cancel: 'The cancellation',
    refund: 'The refund',
    release: 'The release',
  },
  awaitedStep: {
    payment: 'the payment',
    capture: 'the capture',
    cancel: 'the cancellation',
    refund: 'the refund',
  },
  refused: (step, because) => `${step} was refused: ${because}`,
  stepUnreached: (step) => `${step} did not reach the provider. Try again.`,
  stepImpossible: (step) => `${step} is not possible at the provider any more.`,
  waiting: (provider, step) => `Waiting for ${provider} to confirm ${step}.`,
  partArrived: (received, whole) =>
    `Only ${received} of ${whole} has arrived. Cancel the payment to give it back.`,
  partArrivedUntil: (received, whole, until) =>
    `Only ${received} of ${whole} has arrived. The rest may come until ${until}. ` +
    'Cancel the payment to give it back.',
  captureRepeated: 'The capture failed, and the provider tries again.',
  captureRepeatedBecause: (detail) => `The capture failed, and the provider tries again: ${detail}`,
}

const PLAIN: ProblemFormat = {
  amount: (minor, currency) => `${decimalText(minor, currency)} ${currency}`,
  time: (instant) => instant,
}

/** `10.23 EUR` */
export const plainAmount = PLAIN.amount

/** As the API shows it. */
export const problemText = (problem: PaymentProblem): string => problemIn(ENGLISH, PLAIN, problem)
