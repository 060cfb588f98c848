import { after } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { recheckPause } from '../../base/limits.ts'
import { errorData } from '../../base/log.ts'
import { money } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import { tokenOfCharge } from '../../customers/choose-method.ts'
import { readCardAgain } from '../../customers/refresh-method.ts'
import type { App, Profile } from '../../merchants/app.ts'
import { callProvider } from '../../merchants/profiles/call.ts'
import type { Facts, Outcome } from '../../providers/outcome.ts'
import type { Operation, ProviderAdapter, ProviderContext } from '../../providers/port.ts'
import { configOf } from '../../routing/config.ts'
import { noteCall } from '../../routing/health.ts'
import { type Applied, apply } from '../apply.ts'
import type { Change } from '../changes.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import { postponeOperation, saveHandles } from '../store/operations.ts'
import { mayFailOver } from './failover-rules.ts'
import { checkAndWrite } from './fraud-check.ts'
import { appWithProfile, outcomeInputs, profileOf } from './inputs.ts'
import { summary } from './merge-facts.ts'
import { decideOutcome } from './on-outcome.ts'
import { isAttempt, operationUpdate, stepRefused } from './outcome/endings.ts'
import { countIfUnlisted } from './outcome/unlisted.ts'
import { purchaseOf } from './purchase.ts'
import { readAndApply } from './read.ts'
import { planToStore, withStored } from './store-method/store-method.ts'
import { trustedOutcome } from './trust.ts'
import { watchPage } from './undo/undo.ts'

/** Values that are never stored. A worker that takes over the operation continues without them. */
export interface Instruments {
  /** One-time token from the provider's own fields. */
  readonly instrument?: string | undefined
  /** The decrypted token of a stored method. */
  readonly token?: string | undefined
  readonly storeMethod?: boolean | undefined
  /** Tries another profile when the attempt certainly moved no money. */
  readonly failover?: Failover | undefined
}

export interface EndedAttempt {
  readonly payment: Payment
  /** The change that would end the attempt. */
  readonly change: Change
}

/** Starts the next attempt instead of ending the payment. Undefined when no other profile is left. */
export type Failover = (
  ended: EndedAttempt,
) => Promise<{ readonly applied: Applied; readonly instruments: Instruments } | undefined>

/** Sends an operation, records its outcome, and repeats with each operation that follows from it. */
export async function sendOperations(
  ctx: Context,
  known: App,
  applied: Applied,
  instruments: Instruments = {},
): Promise<Payment> {
  let { payment, operation } = applied
  let current = instruments
  while (operation) {
    const app = await appWithProfile(ctx, known, payment)
    const outcome = await send(ctx, app, { payment, operation, instruments: current })
    const failedOver = await tryFailover(ctx, app, { payment, operation, instruments: current }, outcome)
    if (failedOver) current = failedOver.instruments
    const next: Applied =
      failedOver?.applied ?? (await recordOutcome(ctx, app, { payment, operation }, outcome))
    ;({ payment, operation } = next)
  }
  return payment
}

/** Moves the attempt to another profile, when that is safe and one is available. */
async function tryFailover(ctx: Context, app: App, sending: Sending, outcome: Outcome) {
  const { payment, operation, instruments } = sending
  const { failover, instrument } = instruments
  if (!failover || (operation.step !== 'start' && operation.step !== 'charge')) return undefined
  const off = configOf(app).noFailoverAfter
  if (!mayFailOver(outcome, { hasInstrument: instrument !== undefined, off })) return undefined
  const inputs = await outcomeInputs(ctx, app, payment, { facts: factsIn(outcome), isApproval: false })
  const decision = decideOutcome({ payment, operation, inputs, isMoved: true }, outcome)
  return decision.kind === 'change' ? failover({ payment, change: decision.change }) : undefined
}

const factsIn = (outcome: Outcome): Facts | undefined => ('facts' in outcome ? outcome.facts : undefined)

/** Writes the change that the outcome of an operation calls for. */
async function recordOutcome(
  ctx: Context,
  app: App,
  leased: LeasedOperation,
  outcome: Outcome,
): Promise<Applied> {
  const { operation } = leased
  const isApproval = outcome.kind === 'approved' && isAttempt(operation)
  let { payment } = leased
  // Both before the write, so that a crash cannot lose them.
  if (isApproval) await planToStore(ctx, app, payment)
  if (outcome.kind === 'approved' && outcome.openUntil) await watchPage(ctx, app, payment, outcome.openUntil)
  const write = async (): Promise<Applied | undefined> => {
    const inputs = await outcomeInputs(ctx, app, payment, { facts: factsIn(outcome), isApproval })
    const decision = decideOutcome({ payment, operation, inputs }, outcome)
    if (decision.kind === 'retry') {
      const due = after(ctx.clock.now(), decision.pauseMs)
      await postponeOperation(ctx.db, operation, { due, outcome: decision.outcome })
      return { payment }
    }
    if (decision.kind === 'read') return recordByReading(ctx, app, { payment, operation })
    const applied = await apply(ctx, app, payment, (current) => {
      const again = decideOutcome({ payment: current, operation, inputs }, outcome)
      return again.kind === 'change' ? again.change : undefined
    })
    payment = applied.payment
    return applied.isStale ? undefined : applied
  }
  // Only a write that carries a fraud verdict can be stale.
  if (!isApproval) return (await write()) ?? { payment }
  const applied = await checkAndWrite(ctx, app, payment, write)
  return withStored(ctx, app, applied)
}

/** The provider reports another state of the payment: apply its view, else record a refusal. */
async function recordByReading(
  ctx: Context,
  app: App,
  { payment, operation }: LeasedOperation,
): Promise<Applied> {
  const read = await readAndApply(ctx, app, { payment, operation })
  if (read.kind === 'changed') return read.applied
  // The customer paid while the merchant cancelled: the provider's decision ends the cancellation.
  const isPaidMeanwhile = operation.step === 'cancel' && read.kind === 'unchanged' && read.isUndecided
  if (read.kind === 'unknown' || isPaidMeanwhile) {
    const due = after(ctx.clock.now(), recheckPause(operation.tries))
    await postponeOperation(ctx.db, operation, { due, outcome: summary('wrong-state') })
    return { payment }
  }
  const refused = await apply(ctx, app, payment, (current) => ({
    ...stepRefused({ payment: current, operation }, (step) => ({ code: 'step-impossible', step })),
    operation: operationUpdate(operation, 'not-done', summary('wrong-state')),
  }))
  if (!('isBehind' in read) || !read.isBehind) return refused
  // The provider shows more than the payment could take during the step, such as a part of a refund.
  const rest = await readAndApply(ctx, app, { payment: refused.payment, operation: undefined })
  return rest.kind === 'changed' ? rest.applied : refused
}

interface LeasedOperation {
  readonly payment: Payment
  readonly operation: OperationRecord
}

interface Sending extends LeasedOperation {
  readonly instruments: Instruments
}

async function send(ctx: Context, app: App, sending: Sending): Promise<Outcome> {
  const profile = profileOf(app, sending.payment)
  const startMs = ctx.clock.now().getTime()
  const { appId, paymentId, currency, attemptKey } = sending.payment
  const { amountMinor } = sending.operation
  const about = { appId, paymentId, currency, amountMinor, attemptKey, provider: profile.provider }
  const outcome = trustedOutcome(ctx, about, await callSafely(ctx, app, profile, sending))
  noteCall(ctx, app, profile, { outcome, tookMs: ctx.clock.now().getTime() - startMs })
  if (outcome.kind === 'declined') countIfUnlisted(ctx, profile, outcome)
  if (outcome.kind === 'declined' && outcome.reason === 'expired-card') readExpired(ctx, app, sending.payment)
  return outcome
}

/** The provider may have renewed the card since it was stored. Losing this does no harm. */
function readExpired(ctx: Context, app: App, { customerId, paymentMethodId, tokenId }: Payment): void {
  if (paymentMethodId === null || tokenId === null) return
  const about = { customerId, paymentMethodId, tokenId }
  ctx.background.keep('stored-card', readCardAgain(ctx, app, about), app.appId)
}

async function callSafely(ctx: Context, app: App, profile: Profile, sending: Sending): Promise<Outcome> {
  try {
    const { paymentId, attempt } = sending.payment
    const subject = { step: sending.operation.step, paymentId, attempt }
    return await callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
      perform(ctx, app, { adapter, provider }, sending),
    )
  } catch (error) {
    // Refused before it was sent, for example an erased method. Another error may have come afterwards.
    if (error instanceof ApiError)
      return { kind: 'not-done', why: 'unsupported', raw: { message: error.message } }
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return { kind: 'unknown', why: 'unreadable-reply' }
  }
}

interface Connection {
  readonly adapter: ProviderAdapter
  readonly provider: ProviderContext<unknown>
}

async function perform(
  ctx: Context,
  app: App,
  { adapter, provider }: Connection,
  { payment, operation, instruments }: Sending,
): Promise<Outcome> {
  const op = wireOperation(ctx, payment, operation)
  const handles = payment.handles ?? {}
  const amount = money(operation.amountMinor, payment.currency)
  switch (operation.step) {
    case 'start':
      return adapter.start(provider, op, purchaseOf(ctx, app, payment, instruments))
    case 'resume':
      return adapter.resume(provider, op, purchaseOf(ctx, app, payment, instruments), handles)
    case 'charge': {
      const token = instruments.token ?? (await tokenOfCharge(ctx, app, payment.tokenId))
      return adapter.charge(provider, op, purchaseOf(ctx, app, payment, instruments), token)
    }
    case 'capture':
      return adapter.capture(provider, op, handles, amount)
    case 'cancel':
      return adapter.cancel(provider, op, handles)
    case 'refund':
      return adapter.refund(provider, op, handles, amount)
  }
}

const wireOperation = (ctx: Context, payment: Payment, operation: OperationRecord): Operation => ({
  key: operation.key,
  step: operation.step,
  reference: payment.attemptKey ?? operation.key,
  sending: operation.tries + 1,
  createdAt: operation.createdTime,
  ...(operation.description ? { description: operation.description } : {}),
  ...(operation.reason ? { reason: operation.reason } : {}),
  ...(operation.handles ? { saved: operation.handles } : {}),
  save: (handles) => saveHandles(ctx.db, operation, handles),
})
