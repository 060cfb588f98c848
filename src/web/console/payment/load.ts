import { auditEntries } from '../../../audit/audit.ts'
import { after } from '../../../base/clock.ts'
import { notFound } from '../../../base/errors.ts'
import type { Context } from '../../../context.ts'
import { readId } from '../../../http/wire.ts'
import { getPayment } from '../../../payments/actions.ts'
import { attemptsOf } from '../../../payments/history/attempts.ts'
import { linkInfoView } from '../../../payments/history/detail-view.ts'
import { type PeopleReader, type Timeline, timelineOf } from '../../../payments/history/timeline.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { AppRequest } from '../../kit/frame/request.ts'

/** Everything that the page of a payment shows. */
export interface LoadedPayment {
  readonly payment: Payment
  readonly timeline: Timeline
  readonly attempts: Awaited<ReturnType<typeof attemptsOf>>
  readonly atProvider: ReturnType<typeof linkInfoView>
}

export const paymentOf = ({ ctx, app, call }: AppRequest): Promise<Payment> =>
  getPayment(ctx, app, readId(call.params.paymentId ?? ''))

export async function loadPage(request: AppRequest): Promise<LoadedPayment> {
  const { ctx, app, call } = request
  const paymentId = readId(call.params.paymentId ?? '')
  if (paymentId === undefined) throw notFound('The payment')
  const [payment, timeline, attempts] = await Promise.all([
    getPayment(ctx, app, paymentId),
    timelineOf(ctx, app, paymentId, peopleOf(ctx)),
    attemptsOf(ctx, app, paymentId),
  ])
  return { payment, timeline, attempts, atProvider: linkInfoView(ctx, app, payment) }
}

/** What the entry of an action tells beside its result. */
function factsOf(after: object | null) {
  const { note, secondFactor } = (after ?? {}) as { note?: unknown; secondFactor?: unknown }
  return { note: typeof note === 'string' ? note : null, hasSecondFactor: secondFactor === true }
}

/** What people did to a payment, from the audit log. */
export const peopleOf =
  (ctx: Context): PeopleReader =>
  async ({ appId, licenseId, clockOffsetMs }, paymentId, limit) => {
    const entries = await auditEntries(ctx, licenseId, { appId, target: `payment:${paymentId}`, limit })
    return entries.reverse().map(({ time, actor, action, after: now }) => ({
      kind: 'person',
      // The audit log has real time, the timeline the app's.
      time: after(time, clockOffsetMs),
      actorId: actor.id,
      actorName: actor.name,
      action,
      ...factsOf(now),
    }))
  }
