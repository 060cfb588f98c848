import { auditEntries } from '../../../audit/audit.ts'
import { after } from '../../../base/clock.ts'
import { notFound } from '../../../base/errors.ts'
import type { Context } from '../../../context.ts'
import { readId } from '../../../http/wire.ts'
import { getPayment } from '../../../payments/actions.ts'
import { attemptsOf } from '../../../payments/history/attempts.ts'
import { linkInfoView } from '../../../payments/history/detail-view.ts'
import { type PeopleReader, type Timeline, timelineOf } from '../../../payments/history/timeline.ts'
import { notesOf } from '../../../payments/notes/notes.ts'
import type { Payment } from '../../../payments/payment.ts'
import { paymentSettlement } from '../../../settlements/pages.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { Crumb } from '../../kit/frame/shell.tsx'
import { type LoadedNotes, loadNotes } from '../notes/notes.tsx'

/** Everything that the page of a payment shows. */
export interface LoadedPayment {
  readonly payment: Payment
  readonly timeline: Timeline
  readonly attempts: Awaited<ReturnType<typeof attemptsOf>>
  readonly atProvider: ReturnType<typeof linkInfoView>
  readonly noted: LoadedNotes
  readonly settlement: Awaited<ReturnType<typeof paymentSettlement>>
}

export const paymentOf = ({ ctx, app, call }: AppRequest): Promise<Payment> =>
  getPayment(ctx, app, readId(call.params.paymentId ?? ''))

/** Pages above those of one payment. */
export const crumbsOf = ({ texts, base, call: { params } }: AppRequest): Crumb[] => [
  { label: texts.payments.title, href: `${base}/payments` },
  { label: params.paymentId ?? '', href: `${base}/payments/${params.paymentId}` },
]

export async function loadPage(request: AppRequest): Promise<LoadedPayment> {
  const { ctx, app, call, can } = request
  const paymentId = readId(call.params.paymentId ?? '')
  if (paymentId === undefined) throw notFound('The payment')
  const [payment, timeline, attempts, noted, settlement] = await Promise.all([
    getPayment(ctx, app, paymentId),
    timelineOf(ctx, app, paymentId, peopleOf(ctx)),
    attemptsOf(ctx, app, paymentId),
    loadNotes(request, `payment:${paymentId}`, 'PaymentReview'),
    can('SettlementRead') ? paymentSettlement(ctx, app, { paymentId }) : undefined,
  ])
  return { payment, timeline, attempts, noted, settlement, atProvider: linkInfoView(ctx, app, payment) }
}

/** What people did to a payment, from the audit log. */
export const peopleOf =
  (ctx: Context): PeopleReader =>
  async (app, paymentId, limit) => {
    const { appId, licenseId, clockOffsetMs } = app
    const [entries, notes] = await Promise.all([
      auditEntries(ctx, licenseId, { appId, target: `payment:${paymentId}`, limit }),
      notesOf(ctx, app, `payment:${paymentId}`),
    ])
    const written = new Map<unknown, string>(notes.map(({ noteId, text }) => [noteId, text]))
    return entries.reverse().map(({ time, actor, action, after: facts }) => {
      const { note: told, secondFactor, noteId } = (facts ?? {}) as Readonly<Record<string, unknown>>
      const note = written.get(noteId) ?? told
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
