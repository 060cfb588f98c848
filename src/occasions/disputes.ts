import { DAY, MINUTE } from '../base/clock.ts'
import { CONSOLE_PAGES } from '../base/console-pages.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { Job } from '../jobs/loop.ts'
import type { MailData } from '../mail/kinds.ts'
import { findProfile } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { type DisputeOccasion, disputesDue, NOTICES, noteDispute, takeDisputes } from './disputes-store.ts'
import { teamOf, tellTeam } from './recipients.ts'

const BATCH = 50
/** The start of an older dispute is old news, for example when the e-mails were turned on later. */
const NEWS_MS = 3 * DAY

/**
 * Sends teams e-mails about disputes: at the start, a week and a day before evidence is due, by the app's
 * clock. The dispute's row records the e-mail in the transaction that queues it, so each is sent once, also
 * after a restart and with several nodes.
 */
export const disputesJob = (ctx: Context): Job => ({
  name: 'dispute e-mails',
  everyMs: MINUTE / 6,
  due: [disputesDue],
  async runOnce() {
    return await ctx.db.transaction(async (tx) => {
      const disputes = await takeDisputes(tx, ctx.clock.now(), BATCH)
      for (const dispute of disputes) await tellOf(ctx, tx, dispute)
      return disputes.length
    })
  },
})

type Occasion = MailData['dispute']['occasion']

/** What is due now. The most urgent one is sent, and stands for those before it. */
function passed({ notices, dueTime, openedTime, appTime }: DisputeOccasion): {
  readonly notices: number
  readonly occasion: Occasion | undefined
} {
  const leftMs = dueTime === null ? Number.POSITIVE_INFINITY : dueTime.getTime() - appTime.getTime()
  const near = leftMs <= DAY ? NOTICES.day | NOTICES.week : leftMs <= 7 * DAY ? NOTICES.week : 0
  const told = notices | NOTICES.opened | near
  const isNew = !(notices & NOTICES.opened) && appTime.getTime() - openedTime.getTime() < NEWS_MS
  if (isNew) return { notices: told, occasion: 'opened' }
  const isReminder = leftMs > 0 && (near & ~notices) !== 0
  return { notices: told, occasion: isReminder ? (near & NOTICES.day ? 'day' : 'week') : undefined }
}

async function tellOf(ctx: Context, tx: Queryable, dispute: DisputeOccasion): Promise<void> {
  const app = await loadApp(ctx, dispute.appId)
  const { notices, occasion } = passed(dispute)
  await noteDispute(tx, dispute, notices)
  if (!app || !occasion) return
  const { appId, paymentId, disputeId, profileId, dueTime } = dispute
  // A dispute that opens again, or has another deadline, is another occasion.
  const name = `dispute:${paymentId}:${disputeId}:${occasion}:${(dueTime ?? dispute.openedTime).getTime()}`
  const data = {
    occasion,
    reference: dispute.reference,
    amountMinor: String(dispute.amountMinor),
    currency: dispute.currency,
    reason: dispute.reason,
    due: dueTime?.toISOString() ?? null,
    profile: (profileId === null ? undefined : findProfile(app, profileId))?.name ?? null,
    url: ctx.config.publicUrl + CONSOLE_PAGES.dispute(appId, disputeId),
  }
  const recipients = await teamOf(tx, app)
  await tellTeam(ctx, tx, { appId, occasion: name, recipients }, { kind: 'dispute', data })
}
