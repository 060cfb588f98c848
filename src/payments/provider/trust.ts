import type { Context } from '../../context.ts'
import type { Outcome, Snapshot } from '../../providers/outcome.ts'
import type { Payment } from '../payment.ts'

/** The outcome of a call; `unknown` when the reply is about something else than the request. */
export function trustedOutcome(ctx: Pick<Context, 'log'>, about: About, outcome: Outcome): Outcome {
  const echo = 'echo' in outcome ? outcome.echo : undefined
  const found = [
    ...differs('reference', echo?.reference, about.attemptKey),
    ...differs('currency', echo?.amount?.currency, about.currency),
    ...differs('amount', echo?.amount?.minor, about.amountMinor),
  ]
  if (isAbout(ctx, about, found)) return outcome
  return { kind: 'unknown', why: 'unreadable-reply' }
}

export interface About
  extends Pick<Payment, 'appId' | 'paymentId' | 'currency' | 'amountMinor' | 'attemptKey'> {
  readonly provider: string
}

/** How a snapshot differs from the payment. Without an authorisation all is captured at once. */
export function differences(about: About, snapshot: Snapshot): string[] {
  const { authorised, captured, refunded, refunds, reference, stage } = snapshot
  const sums = [
    ...(authorised ? [authorised] : []),
    captured,
    refunded,
    ...refunds.map(({ amount }) => amount),
  ]
  const isWhole = !authorised && stage === 'captured' && !snapshot.isPartial
  const whole = isWhole ? captured.minor : undefined
  const tooMuch = captured.minor > about.amountMinor ? captured.minor : undefined
  return [
    ...differs('reference', reference, about.attemptKey),
    ...sums.flatMap(({ currency }) => differs('currency', currency, about.currency)).slice(0, 1),
    ...differs('authorised', authorised?.minor, about.amountMinor),
    ...differs('captured', whole ?? tooMuch, about.amountMinor),
  ]
}

/** Empty when the provider does not say, or says what we know. */
export function differs<T>(what: string, found: T | undefined, expected: T): string[] {
  return found === undefined || found === expected ? [] : [`${what} ${found} instead of ${expected}`]
}

/** A report about something else is never applied; the log entry asks an operator to check it. */
export function isAbout(ctx: Pick<Context, 'log'>, about: About, found: readonly string[]): boolean {
  const { appId, paymentId, provider } = about
  if (found.length > 0)
    ctx.log.error('provider.other_payment', { appId, paymentId, provider, differs: found.join(', ') })
  return found.length === 0
}
