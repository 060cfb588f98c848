import { errorData } from '../../../base/log.ts'
import type { Context } from '../../../context.ts'
import { type App, findProfile, type Profile } from '../../../merchants/app.ts'
import { adapterOf, findAdapter } from '../../../merchants/profiles/adapter.ts'
import { callProvider } from '../../../merchants/profiles/call.ts'
import type { Hint } from '../../../providers/hint.ts'
import type { Movement } from '../../../providers/movements.ts'
import type { Step } from '../../../providers/port.ts'
import { apply } from '../../apply.ts'
import { STATES } from '../../machine.ts'
import type { OperationRecord, Payment } from '../../payment.ts'
import { type AwaitedStep, isSameProblem, type PaymentProblem } from '../../problems.ts'
import { noteMovement } from '../../store/movements.ts'
import { profileOf } from '../inputs.ts'
import { type About, differs, isAbout } from '../trust.ts'
import { undoKey } from '../undo/undo.ts'

/** Providers that cannot be read: their notifications report each change, one movement at a time. */

/** The movement in a notification, if its provider cannot be read. */
export function movementIn(
  ctx: Context,
  app: App,
  profileId: number,
  { movement }: Hint,
): Movement | undefined {
  const profile = findProfile(app, profileId)
  return profile && isNotificationOnly(ctx, profile) ? movement : undefined
}

const isNotificationOnly = (ctx: Context, profile: Profile): boolean =>
  findAdapter(ctx, profile)?.manifest.retrieve === 'notification-only'

interface ReportedAttempt {
  readonly payment: Payment
  /** The reference of the attempt, which need not be the current one. */
  readonly reference: string
  readonly profileId: number
}

/** Keeps a movement for every read of its attempt. False if it is about something else: it is only logged. */
export async function storeMovement(
  ctx: Context,
  app: App,
  { payment, reference, profileId }: ReportedAttempt,
  movement: Movement,
): Promise<boolean> {
  const { appId } = app
  const provider = findProfile(app, profileId)?.provider ?? ''
  if (!isAbout(ctx, { ...payment, provider }, differences(payment, movement))) return false
  await noteMovement(ctx, { appId, attemptKey: reference }, movement)
  return true
}

const WITHOUT_AMOUNT: readonly Movement['kind'][] = ['stored', 'reviewed', 'refused', 'disputed']

function differences(about: Pick<About, 'currency' | 'amountMinor'>, { kind, amount }: Movement): string[] {
  if (WITHOUT_AMOUNT.includes(kind)) return []
  const isWrong =
    kind === 'authorised' ? amount.minor !== about.amountMinor : amount.minor > about.amountMinor
  return [
    ...differs('currency', amount.currency, about.currency),
    ...differs(kind, isWrong ? amount.minor : undefined, about.amountMinor),
  ]
}

const AWAITED: Readonly<Record<Step, AwaitedStep>> = {
  start: 'payment',
  resume: 'payment',
  charge: 'payment',
  capture: 'capture',
  cancel: 'cancel',
  refund: 'refund',
}

/** `lastError` says what a moving payment waits for. A provider that can be read is asked again soon. */
export async function noteWaiting(
  ctx: Context,
  app: App,
  payment: Payment,
  { step }: Pick<OperationRecord, 'step'>,
): Promise<Payment> {
  const profile = profileOf(app, payment)
  if (!isNotificationOnly(ctx, profile)) return payment
  const provider = adapterOf(ctx, profile).manifest.name
  const lastError: PaymentProblem = { code: 'waiting', provider, step: AWAITED[step] }
  const applied = await apply(ctx, app, payment, ({ state, lastError: before }) => {
    const isNews = state === payment.state && STATES[state].kind === 'moving'
    return isNews && !isSameProblem(before, lastError) ? { events: [], updates: { lastError } } : undefined
  })
  return applied.payment
}

/**
 * Cancels by our reference what a lost charge may have started. True: it is cancelled for certain. A provider
 * that cannot be read tells the result by a notification.
 */
export async function cancelUnknown(
  ctx: Context,
  app: App,
  payment: Payment,
  { key, createdTime, tries, attempt }: OperationRecord,
): Promise<boolean> {
  const profile = profileOf(app, payment)
  if (!adapterOf(ctx, profile).manifest.cancelsUnknown) return false
  const { paymentId } = payment
  const op = {
    ...({ key: undoKey(key, 'cancel'), step: 'cancel', reference: key } as const),
    ...{ sending: tries + 1, createdAt: createdTime },
  }
  try {
    const subject = { step: 'cancel', paymentId, attempt }
    const outcome = await callProvider({ ...ctx, subject }, app, profile, (adapter, provider) =>
      adapter.cancel(provider, op, payment.handles ?? {}),
    )
    return outcome.kind === 'approved' && !isNotificationOnly(ctx, profile)
  } catch (error) {
    ctx.log.error('provider.adapter_failed', { provider: profile.provider, ...errorData(error) })
    return false
  }
}
