import type { FailoverCause } from '../../merchants/routing-config.ts'
import type { DeclineReason, NotDone, Outcome, Snapshot } from '../../providers/outcome.ts'
import type { OperationRecord, Payment } from '../payment.ts'

/**
 * Pure: after which outcomes of an attempt another profile may be tried. The outcome must certainly have
 * moved no money, and another provider must be likely to answer differently. Decision 0053.
 */
const AFTER_NOT_DONE: Readonly<Record<NotDone['why'], { fails: boolean; because: string }>> = {
  'not-sent': { fails: true, because: 'the provider was not reached' },
  'rate-limited': { fails: true, because: 'the provider takes no more calls of this profile now' },
  'bad-credentials': { fails: true, because: 'the profile is set up wrongly; another need not be' },
  unsupported: { fails: true, because: 'this provider cannot do it; another may' },
  'bad-request': { fails: false, because: 'our request is at fault and would be again' },
  'not-found': { fails: false, because: 'an attempt refers to nothing: our data is wrong' },
  'wrong-state': { fails: false, because: 'something exists already under this reference' },
}

const AFTER_DECLINED: Readonly<Record<DeclineReason, { fails: boolean; because: string }>> = {
  'issuer-unavailable': { fails: true, because: 'no decision: the bank was not reached' },
  'processing-error': { fails: true, because: 'no decision: the provider had an error' },
  'card-not-supported': { fails: true, because: 'this provider does not take the card; another may' },
  'currency-not-supported': { fails: true, because: 'this provider does not take it; another may' },
  generic: { fails: false, because: 'the bank or the provider decided' },
  'insufficient-funds': { fails: false, because: 'the funds are missing at every provider' },
  'lost-card': { fails: false, because: 'another try looks like card theft' },
  'stolen-card': { fails: false, because: 'another try looks like card theft' },
  'expired-card': { fails: false, because: 'the card is expired everywhere' },
  'incorrect-number': { fails: false, because: 'the customer has to correct it' },
  'incorrect-cvc': { fails: false, because: 'the customer has to correct it' },
  'incorrect-address': { fails: false, because: 'the customer has to correct it' },
  'limit-exceeded': { fails: false, because: "the limit is the card's, not the provider's" },
  'authentication-required': { fails: false, because: 'the customer has to confirm it' },
  'authentication-failed': { fails: false, because: 'the customer could not confirm it' },
  'suspected-fraud': { fails: false, because: 'another try would help fraud' },
  blocked: { fails: false, because: 'the provider forbids it on purpose' },
  'do-not-honour': { fails: false, because: 'the bank decided, and card schemes forbid to insist' },
  'account-closed': { fails: false, because: 'the account is closed everywhere' },
  'no-account': { fails: false, because: 'the account exists nowhere' },
  'debit-not-authorised': { fails: false, because: 'the customer did not agree' },
  'mandate-revoked': { fails: false, because: 'the customer no longer agrees' },
  'method-removed': { fails: false, because: 'the method was removed on purpose' },
  duplicate: { fails: false, because: 'the money may have moved under another reference' },
  'customer-cancelled': { fails: false, because: 'the customer does not want to' },
  expired: { fails: false, because: 'the customer has gone' },
  underpaid: { fails: false, because: 'some money has moved' },
}

interface Attempted {
  readonly hasInstrument: boolean
  /** Causes that the app has switched off. */
  readonly off?: readonly FailoverCause[] | undefined
}

/** A decline consumes a one-time token, so an attempt with one fails over only when it was not processed. */
export function mayFailOver(outcome: Outcome, { hasInstrument, off = [] }: Attempted): boolean {
  const isOn = (cause: string) => !(off as readonly string[]).includes(cause)
  if (outcome.kind === 'not-done') return AFTER_NOT_DONE[outcome.why].fails && isOn(outcome.why)
  if (outcome.kind !== 'declined' || hasInstrument) return false
  if (outcome.retry === 'never' && (outcome.byNetwork || !ELSEWHERE.has(outcome.reason))) return false
  return AFTER_DECLINED[outcome.reason].fails && isOn(outcome.reason)
}

/**
 * The sender of the charge has not read the answer yet and may try another profile after this decline: who
 * hears of it first leaves the end of the attempt to the sender. The lease ends when the sender is lost.
 */
export function isLeftToSender(
  open: Pick<OperationRecord, 'step' | 'status' | 'leaseToken'>,
  { stage, decline }: Pick<Snapshot, 'stage' | 'decline'>,
  off: readonly FailoverCause[] | undefined,
): boolean {
  const isSending = open.step === 'charge' && open.status === 'open' && open.leaseToken !== null
  if (!isSending || stage !== 'declined' || !decline) return false
  return mayFailOver({ ...decline, kind: 'declined' }, { hasInstrument: false, off })
}

/** The provider does not take it, so its advice never to repeat is about itself only. */
const ELSEWHERE: ReadonlySet<DeclineReason> = new Set<DeclineReason>([
  'card-not-supported',
  'currency-not-supported',
])

/** Profiles that declined an attempt of the payment although another may take it. They are tried last. */
export function declinedBy({ profileId, payInfo }: Pick<Payment, 'profileId' | 'payInfo'>): number[] {
  const { declined = '', declinedBy: before = [] } = payInfo ?? {}
  const isSoft = (AFTER_DECLINED as Readonly<Record<string, { fails: boolean }>>)[declined]?.fails === true
  const update = isSoft && profileId !== null && !before.includes(profileId) ? [profileId] : []
  return [...before, ...update]
}
