import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { type App, callProvider, findProfile } from '../../merchants/app.ts'
import type { Outcome, Snapshot, Stage } from '../../providers/outcome.ts'
import { type Applied, apply } from '../apply.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import { findOpenOperation, lastOfAttempt } from '../store/operations.ts'
import { checkAndWrite } from './fraud-check.ts'
import { outcomeInputs } from './inputs.ts'
import { changeFromSnapshot, wasNotReceived } from './on-snapshot.ts'

/** What reading the provider brought. */
export type ReadResult =
  | { readonly kind: 'changed'; readonly applied: Applied }
  /** The provider's view is what is known already; somebody may have written it down just now. */
  | { readonly kind: 'unchanged'; readonly payment: Payment }
  /** It knows the payment, but not this operation: it may be sent again, with its key. */
  | { readonly kind: 'not-received' }
  /** It does not know the payment, and would by now. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' }

interface ReadRequest {
  readonly payment: Payment
  readonly operation: OperationRecord | undefined
  /** It is the payment's open one, or there is none, and was looked for after the payment was read. */
  readonly isOpenOne?: true
}

/** Reads the provider's view of a payment and writes what is new in it. */
export async function readAndApply(ctx: Context, app: App, asking: ReadRequest): Promise<ReadResult> {
  const sight = await readProvider(ctx, app, asking.payment)
  return sight.kind === 'snapshot' ? applySnapshot(ctx, app, asking, sight) : sight
}

function applySnapshot(
  ctx: Context,
  app: App,
  request: ReadRequest,
  snapshot: Snapshot,
): Promise<ReadResult> {
  let { payment } = request
  return checkAndWrite(ctx, app, payment, async () => {
    // Looked for after the payment: when nobody has changed that by the time of writing, it is still the one.
    const isKnown = request.isOpenOne && payment === request.payment
    const open = isKnown
      ? request.operation
      : await findOpenOperation(ctx.db, payment.appId, payment.paymentId)
    const ended = open ? undefined : await endedOperation(ctx, payment, snapshot)
    const operation = open?.attempt === payment.attempt ? open : ended
    const told = { facts: snapshot.facts, isApproval: isApproval(payment, snapshot) }
    const inputs = await outcomeInputs(ctx, app, payment, told)
    let anyNews = false
    let isOutdated = false
    const applied = await apply(ctx, app, payment, (current) => {
      anyNews = false
      // What was read is about one attempt: to one that began meanwhile it says nothing.
      if (current.attemptKey !== request.payment.attemptKey) return undefined
      // Who was faster may have opened another operation, and that is the one which the news would end.
      isOutdated = current.version !== payment.version
      if (isOutdated) return undefined
      const change = changeFromSnapshot({ payment: current, operation, snapshot, inputs })
      anyNews = change !== undefined
      return change
    })
    payment = applied.payment
    if (applied.isStale || isOutdated) return undefined
    if (anyNews) return { kind: 'changed', applied }
    const isOurs = operation?.key === request.operation?.key
    if (isOurs && wasNotReceived({ payment, operation, snapshot, inputs })) return { kind: 'not-received' }
    return { kind: 'unchanged', payment }
  })
}

/** An attempt that was not known to have gone through. */
const isApproval = ({ state }: Payment, { stage }: Snapshot): boolean =>
  (stage === 'authorised' || stage === 'captured') &&
  (state === 'Created' || state === 'Authorizing' || state === 'SaleInProgress' || state === 'Approved')

const isOver = (stage: Stage): boolean => stage === 'declined' || stage === 'cancelled' || stage === 'expired'

/**
 * The operation of an attempt that had ended for us, and of which the provider tells something else: a
 * request that arrived late. Its operation is written anew with the payment, so that it is followed and shown
 * as what it became.
 */
async function endedOperation(
  ctx: Context,
  payment: Payment,
  { stage }: Snapshot,
): Promise<OperationRecord | undefined> {
  if (payment.state !== 'Created') return undefined
  const last = await lastOfAttempt(ctx.db, payment)
  if (last?.status === 'not-done') return last
  const wasEnded = last?.status === 'declined' || last?.status === 'abandoned'
  return wasEnded && !isOver(stage) ? last : undefined
}

/** What can be relied on: an `absent` that is not conclusive, and money in another currency, are unknown. */
export type ProviderView = Snapshot | { readonly kind: 'absent' } | { readonly kind: 'unknown' }

type Attempted = Pick<Payment, 'appId' | 'paymentId' | 'profileId' | 'attemptKey' | 'handles' | 'currency'>

/** The only way in which a provider's view of a payment is read. */
export async function readProvider(ctx: Context, app: App, attempted: Attempted): Promise<ProviderView> {
  const { profileId, attemptKey, handles } = attempted
  const profile = profileId === null ? undefined : findProfile(app, profileId)
  if (!profile) return { kind: 'unknown' }
  try {
    const sight = await callProvider(ctx, app, profile, (adapter, provider) =>
      adapter.retrieve(provider, attemptKey ?? '', handles ?? {}),
    )
    if (sight.kind === 'absent') return { kind: sight.conclusive ? 'absent' : 'unknown' }
    if (sight.kind !== 'snapshot') return { kind: 'unknown' }
    const { appId, paymentId, currency } = attempted
    const about = { appId, paymentId, currency, provider: profile.provider }
    return isInCurrency(ctx, about, currenciesIn(sight)) ? sight : { kind: 'unknown' }
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return { kind: 'unknown' }
  }
}

const currenciesIn = ({ authorised, captured, refunded, refunds }: Snapshot): string[] =>
  [...(authorised ? [authorised] : []), captured, refunded, ...refunds.map(({ amount }) => amount)].map(
    ({ currency }) => currency,
  )

/** The outcome of a call, or unknown when the provider names another currency. */
export function trustedOutcome(ctx: Pick<Context, 'log'>, about: About, outcome: Outcome): Outcome {
  const told = 'currency' in outcome && outcome.currency !== undefined ? [outcome.currency] : []
  return isInCurrency(ctx, about, told) ? outcome : { kind: 'unknown', why: 'unreadable-reply' }
}

interface About extends Pick<Payment, 'appId' | 'paymentId' | 'currency'> {
  readonly provider: string
}

/** Money in another currency than the payment's is never believed: a person has to look at it. */
function isInCurrency(
  ctx: Pick<Context, 'log'>,
  { appId, paymentId, currency, provider }: About,
  found: readonly string[],
): boolean {
  const other = found.find((one) => one !== currency)
  if (other !== undefined)
    ctx.log.error('provider.other_currency', { appId, paymentId, provider, currency, found: other })
  return other === undefined
}
