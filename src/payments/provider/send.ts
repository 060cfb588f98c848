import { after } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { recheckPause } from '../../base/limits.ts'
import { errorData } from '../../base/log.ts'
import { money } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import { chooseStoredMethod } from '../../customers/methods.ts'
import { type App, callProvider, type Profile } from '../../merchants/app.ts'
import type { Facts, Outcome } from '../../providers/outcome.ts'
import type { Operation, ProviderAdapter, ProviderContext, Purchase } from '../../providers/port.ts'
import { noteCall } from '../../routing/health.ts'
import { type Applied, apply } from '../apply.ts'
import type { Change } from '../changes.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import { postponeOperation } from '../store/operations.ts'
import { mayFailOver } from './failover-rules.ts'
import { checkAndWrite } from './fraud-check.ts'
import { outcomeInputs, profileOf } from './inputs.ts'
import { summary } from './merge-facts.ts'
import { decideOutcome, isAttempt, operationUpdate, stepRefused } from './on-outcome.ts'
import { readAndApply, trustedOutcome } from './read.ts'

/** What only the caller has: never written down, so a worker that takes over does without it. */
export interface Instruments {
  /** One-time token from the provider's own fields. */
  readonly instrument?: string | undefined
  /** The opened token of a stored method. */
  readonly token?: string | undefined
  readonly storeMethod?: boolean | undefined
  /** Goes on elsewhere when the attempt certainly moved no money. */
  readonly failover?: Failover | undefined
}

export interface EndedAttempt {
  readonly payment: Payment
  /** What would be written about its end. */
  readonly change: Change
}

/** Begins the next attempt in place of ending the payment; undefined: there is no other way. */
export type Failover = (
  ended: EndedAttempt,
) => Promise<{ readonly applied: Applied; readonly instruments: Instruments } | undefined>

/**
 * Sends an operation, writes what came of it, and goes on with what follows, until nobody has to be asked.
 */
export async function sendOperations(
  ctx: Context,
  app: App,
  applied: Applied,
  instruments: Instruments = {},
): Promise<Payment> {
  let { payment, operation } = applied
  let hands = instruments
  while (operation) {
    const outcome = await send(ctx, app, { payment, operation, instruments: hands })
    const elsewhere = await tryFailover(ctx, app, { payment, operation, instruments: hands }, outcome)
    if (elsewhere) hands = elsewhere.instruments
    const next: Applied =
      elsewhere?.applied ?? (await recordOutcome(ctx, app, { payment, operation }, outcome))
    ;({ payment, operation } = next)
  }
  return payment
}

/** Another profile is tried, where that is safe and there is one. */
async function tryFailover(ctx: Context, app: App, sending: Sending, outcome: Outcome) {
  const { payment, operation, instruments } = sending
  const { failover, instrument } = instruments
  if (!failover || (operation.step !== 'start' && operation.step !== 'charge')) return undefined
  if (!mayFailOver(outcome, { hasInstrument: instrument !== undefined })) return undefined
  const inputs = await outcomeInputs(ctx, app, payment, { facts: factsIn(outcome), isApproval: false })
  const verdict = decideOutcome({ payment, operation, inputs }, outcome)
  return verdict.kind === 'change' ? failover({ payment, change: verdict.change }) : undefined
}

const factsIn = (outcome: Outcome): Facts | undefined => ('facts' in outcome ? outcome.facts : undefined)

/** Writes down what the outcome of an operation means. */
async function recordOutcome(
  ctx: Context,
  app: App,
  hand: LeasedOperation,
  outcome: Outcome,
): Promise<Applied> {
  const { operation } = hand
  const isApproval = outcome.kind === 'approved' && isAttempt(operation)
  let { payment } = hand
  const write = async (): Promise<Applied | undefined> => {
    const inputs = await outcomeInputs(ctx, app, payment, { facts: factsIn(outcome), isApproval })
    const verdict = decideOutcome({ payment, operation, inputs }, outcome)
    if (verdict.kind === 'later') {
      const due = after(ctx.clock.now(), verdict.pauseMs)
      await postponeOperation(ctx.db, operation, { due, outcome: verdict.outcome })
      return { payment }
    }
    if (verdict.kind === 'ask') return recordByReading(ctx, app, { payment, operation })
    const applied = await apply(ctx, app, payment, (current) => {
      const again = decideOutcome({ payment: current, operation, inputs }, outcome)
      return again.kind === 'change' ? again.change : undefined
    })
    payment = applied.payment
    return applied.isStale ? undefined : applied
  }
  // Only what a fraud policy is asked about can be late.
  return isApproval ? checkAndWrite(ctx, app, payment, write) : ((await write()) ?? { payment })
}

/** The provider says that we are wrong about the payment: its view decides, and where it has none, its no. */
async function recordByReading(
  ctx: Context,
  app: App,
  { payment, operation }: LeasedOperation,
): Promise<Applied> {
  const asked = await readAndApply(ctx, app, { payment, operation })
  if (asked.kind === 'changed') return asked.applied
  if (asked.kind === 'unknown') {
    const due = after(ctx.clock.now(), recheckPause(operation.tries))
    await postponeOperation(ctx.db, operation, { due, outcome: summary('wrong-state') })
    return { payment }
  }
  return apply(ctx, app, payment, (current) => ({
    ...stepRefused(
      { payment: current, operation },
      (what) => `${what} is not possible at the provider any more.`,
    ),
    operation: operationUpdate(operation, 'not-done', summary('wrong-state')),
  }))
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
  const { appId, paymentId, currency } = sending.payment
  const about = { appId, paymentId, currency, provider: profile.provider }
  const outcome = trustedOutcome(ctx, about, await callSafely(ctx, app, profile, sending))
  noteCall(ctx, app, profile, { outcome, tookMs: ctx.clock.now().getTime() - startMs })
  return outcome
}

async function callSafely(ctx: Context, app: App, profile: Profile, sending: Sending): Promise<Outcome> {
  try {
    return await callProvider(ctx, app, profile, (adapter, provider) =>
      perform(ctx, app, { adapter, provider }, sending),
    )
  } catch (error) {
    // A method that is gone was never charged. Anything else may have happened after the bytes had left.
    if (error instanceof ApiError)
      return { kind: 'not-done', why: 'unsupported', raw: { message: error.message } }
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return { kind: 'unknown', why: 'unreadable-reply' }
  }
}

interface At {
  readonly adapter: ProviderAdapter
  readonly provider: ProviderContext<unknown>
}

async function perform(
  ctx: Context,
  app: App,
  { adapter, provider }: At,
  { payment, operation, instruments }: Sending,
): Promise<Outcome> {
  const op = wireOperation(payment, operation)
  const handles = payment.handles ?? {}
  const amount = money(operation.amountMinor, payment.currency)
  switch (operation.step) {
    case 'start':
      return adapter.start(provider, op, purchaseOf(payment, instruments), backUrl(ctx, payment))
    case 'resume':
      return adapter.resume(provider, op, purchaseOf(payment, instruments), handles)
    case 'charge': {
      const token = instruments.token ?? (await storedToken(ctx, app, payment))
      return adapter.charge(provider, op, purchaseOf(payment, instruments), token)
    }
    case 'capture':
      return adapter.capture(provider, op, handles, amount)
    case 'cancel':
      return adapter.cancel(provider, op, handles)
    case 'refund':
      return adapter.refund(provider, op, handles, amount)
  }
}

async function storedToken(ctx: Context, app: App, payment: Payment): Promise<string> {
  const tokenId = payment.tokenId ?? undefined
  const found = await chooseStoredMethod(ctx, app, payment.customerId, { tokenId })
  return found.token
}

const wireOperation = (payment: Payment, operation: OperationRecord): Operation => ({
  key: operation.key,
  step: operation.step,
  reference: payment.attemptKey ?? operation.key,
  sending: operation.tries + 1,
  createdAt: operation.createdTime,
})

/** Where the provider sends the browser back to. */
const backUrl = (ctx: Context, payment: Payment): string =>
  `${ctx.config.publicUrl}/c/${payment.paymentKey}/back/${payment.attempt}`

interface OrderCustomer {
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
  readonly phoneNumber?: string
}

function purchaseOf(payment: Payment, instruments: Instruments): Purchase {
  const { orderId, description } = payment.details
  const customer = (payment.details.customerOrder as { customer?: OrderCustomer }).customer ?? {}
  const payerIp = payment.payInfo?.payerIp
  return {
    amount: money(payment.amountMinor, payment.currency),
    autoCapture: payment.autoCapture,
    storeMethod:
      payment.autoPayment === 'Register' ||
      instruments.storeMethod === true ||
      payment.payInfo?.consent !== undefined,
    method: payment.method ?? 'CreditCard',
    ...(instruments.instrument ? { instrument: instruments.instrument } : {}),
    customer: {
      id: payment.customerId,
      ...(customer.firstName ? { firstName: customer.firstName } : {}),
      ...(customer.lastName ? { lastName: customer.lastName } : {}),
      ...(customer.email ? { email: customer.email } : {}),
      ...(customer.phoneNumber ? { phone: customer.phoneNumber } : {}),
    },
    ...(orderId ? { orderId } : {}),
    ...(description ? { description } : {}),
    ...(payerIp ? { payerIp } : {}),
    ...(payment.expirationTime ? { expiresAt: payment.expirationTime } : {}),
  }
}
