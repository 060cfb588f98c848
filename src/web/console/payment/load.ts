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
import { paymentSettlement } from '../../../settlements/pages.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { Crumb } from '../../kit/frame/shell.tsx'

/** Everything that the page of a payment shows. */
export interface LoadedPayment {
  readonly payment: Payment
  readonly timeline: Timeline
  readonly attempts: Awaited<ReturnType<typeof attemptsOf>>
  readonly atProvider: ReturnType<typeof linkInfoView>
  readonly settlement: Awaited<ReturnType<typeof paymentSettlement>>
}

export const paymentOf = ({ ctx, app, call }: AppRequest): Promise<Payment> =>
  getPayment(ctx, app, readId(call.params.paymentId ?? ''))

/** Pages above those of one payment. */
export const crumbsOf = ({ texts, base, call: { params } }: AppRequest): Crumb[] => [
  { label: texts.payments.title, href: `${base}/payments` },
  { label: params.paymentId ?? '', href: `${base}/payments/${params.paymentId}` },
]

export async function loadPage({ ctx, app, call, can }: AppRequest): Promise<LoadedPayment> {
  const paymentId = readId(call.params.paymentId ?? '')
  if (paymentId === undefined) throw notFound('The payment')
  const [payment, timeline, attempts, settlement] = await Promise.all([
    getPayment(ctx, app, paymentId),
    timelineOf(ctx, app, paymentId, peopleOf(ctx)),
    attemptsOf(ctx, app, paymentId),
    can('SettlementRead') ? paymentSettlement(ctx, app, { paymentId }) : undefined,
  ])
  return { payment, timeline, attempts, settlement, atProvider: linkInfoView(ctx, app, payment) }
}

/** What people did to a payment, from the audit log. */
export const peopleOf =
  (ctx: Context): PeopleReader =>
  async ({ appId, licenseId, clockOffsetMs }, paymentId, limit) => {
    const entries = await auditEntries(ctx, licenseId, { appId, target: `payment:${paymentId}`, limit })
    return entries.reverse().map(({ time, actor, action, after: facts }) => {
      const { note, secondFactor } = (facts ?? {}) as { note?: unknown; secondFactor?: unknown }
      return {
        kind: 'person',
        // The audit log has real time, the timeline the app's.
        time: after(time, clockOffsetMs),
        actorId: actor.id,
        actorName: actor.name,
        action,
        note: typeof note === 'string' ? note : null,
        hasSecondFactor: secondFactor === true,
      }
    })
  }
