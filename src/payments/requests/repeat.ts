import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import type { Step } from '../../providers/port.ts'
import { type Action, accepts, type State } from '../machine.ts'
import type { Payment } from '../payment.ts'
import { findRequested, findRunning, isRefundDone, type RequestedOperation } from '../store/requests.ts'

/**
 * Tells a repeated request from a new one. A repeat has the same Idempotency-Key, or no key and the same
 * amount; it is answered with the payment as it is. Any other request is carried out or refused, never
 * answered 200 and dropped. Decision 0090.
 */

/** The fields of a request that identify it. */
export interface ActionRequest {
  readonly action: Action
  readonly requestKey: string | undefined
  /** Undefined when the request names no amount. */
  readonly amountMinor: bigint | undefined
}

type Ctx = Pick<Context, 'db'>

/** The state in which an action is being carried out. The other actions are done at once. */
const RUNNING: Partial<Record<Action, State>> = {
  capture: 'Capturing',
  cancel: 'Cancelling',
  refund: 'Refunding',
}

/** The operations that an action may open. A held payment that is captured is cancelled by a refund. */
const STEPS: Readonly<Record<Action, readonly Step[]>> = {
  capture: ['capture'],
  cancel: ['cancel', 'refund'],
  refund: ['refund'],
  unhold: ['capture', 'resume'],
  'mark-as-refund': [],
  'mark-as-dispute': [],
}

/** The action is running or done, so the request may be a repeat. `matchOf` tells. */
export function isRunningOrDone(payment: Payment, action: Action): boolean {
  const { state } = payment
  if (RUNNING[action] === state) return true
  switch (action) {
    case 'capture':
      return state === 'Captured'
    case 'cancel':
      return payment.failure?.code === 'cancelled'
    case 'refund':
    case 'mark-as-refund':
      return state === 'Refunded'
    case 'mark-as-dispute':
      return state === 'Disputed'
    case 'unhold':
      return payment.fraudStatus === 'Ignored' && !accepts(state, 'unhold')
  }
}

/** Undefined: the payment has moved on since it was read. */
export async function matchOf(
  ctx: Ctx,
  payment: Payment,
  request: ActionRequest,
): Promise<'repeat' | 'other' | undefined> {
  if (RUNNING[request.action] !== payment.state)
    return (await isAsDone(ctx, payment, request)) ? 'repeat' : 'other'
  const running = await findRunning(ctx.db, payment)
  if (!running || !STEPS[request.action].includes(running.step)) return undefined
  return isAsRunning(running, payment, request) ? 'repeat' : 'other'
}

function isAsRunning(running: RequestedOperation, payment: Payment, request: ActionRequest): boolean {
  if (request.requestKey !== undefined) return running.requestKey === request.requestKey
  return request.action === 'cancel' || running.amountMinor === amountOf(payment, request)
}

/**
 * Refunds add up, so one with a key of its own is never a repeat. The other actions happen at most once: when
 * they have happened as asked for, nothing is left to do for any request.
 */
async function isAsDone(ctx: Ctx, payment: Payment, request: ActionRequest): Promise<boolean> {
  const { action, requestKey, amountMinor } = request
  if (action === 'capture') return amountOf(payment, request) === payment.capturedMinor
  if (action !== 'refund') return true
  if (requestKey !== undefined) return false
  return amountMinor === undefined || isRefundDone(ctx.db, payment, amountMinor)
}

/** Without an amount a capture takes everything, and a refund returns what is left. */
function amountOf(payment: Payment, { action, amountMinor }: ActionRequest): bigint {
  if (amountMinor !== undefined) return amountMinor
  return action === 'refund' ? payment.capturedMinor - payment.refundedMinor : payment.amountMinor
}

/**
 * Whether this request was carried out before: its response was lost, or an error came after its operation
 * was written. The operation keeps the key permanently, longer than the stored response.
 */
export async function isCarriedOut(ctx: Ctx, payment: Payment, request: ActionRequest): Promise<boolean> {
  const { action, requestKey, amountMinor } = request
  const found = requestKey === undefined ? undefined : await findRequested(ctx.db, payment, requestKey)
  if (!found) return false
  const isSameAmount = amountMinor === undefined || amountMinor === found.amountMinor
  if (STEPS[action].includes(found.step) && isSameAmount) return true
  throw new ApiError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another action on the payment.',
  )
}
