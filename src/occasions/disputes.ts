import { DAY, MINUTE } from '../base/clock.ts'
import { CONSOLE_PAGES } from '../base/console-pages.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { Job } from '../jobs/loop.ts'
import type { MailData } from '../mail/kinds.ts'
import { canSend } from '../mail/queue.ts'
import { type App, findProfile } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { writeNotice } from '../notices/notices.ts'
import {
  type DisputeOccasion,
  disputesDue,
  NOTICES,
  noteDispute,
  OF_CONSOLE,
  takeDisputes,
} from './disputes-store.ts'
import { teamOf, tellTeam, wantsMail } from './recipients.ts'

const BATCH = 50
/** The start of an older dispute is old news, for example when the e-mails were turned on later. */
const NEWS_MS = 3 * DAY
const ALL = NOTICES.opened | NOTICES.week | NOTICES.day

/**
 * Notices and e-mails to teams about disputes: at the start, a week and a day before evidence is due, by the
 * app's clock. The dispute's row records them in the transaction that writes the notice and queues the
 * e-mail, so each is sent once, also after a restart and with several nodes.
 */
export const disputesJob = (ctx: Context): Job => ({
  name: 'dispute notices',
  everyMs: MINUTE / 6,
  due: [disputesDue(canSend(ctx))],
  async runOnce() {
    const look = { now: ctx.clock.now(), limit: BATCH, canSend: canSend(ctx) }
    // Before the transaction, which must not wait for another connection.
    const apps = await appsOf(ctx, await takeDisputes(ctx.db, look))
    if (apps.size === 0) return 0
    return await ctx.db.transaction(async (tx) => {
      let told = 0
      for (const dispute of await takeDisputes(tx, look)) {
        const app = apps.get(dispute.appId)
        if (!app) continue
        await tellOf(ctx, tx, app, dispute)
        told++
      }
      return told
    })
  },
})

async function appsOf(ctx: Context, disputes: readonly DisputeOccasion[]): Promise<Map<string, App>> {
  const apps = new Map<string, App>()
  for (const { appId } of disputes) {
    const app = apps.get(appId) ?? (await loadApp(ctx, appId))
    if (app) apps.set(appId, app)
  }
  return apps
}

type Occasion = MailData['dispute']['occasion']

/** What is due now. The most urgent one is sent, and stands for those before it. */
function passed(told: number, { dueTime, openedTime, appTime }: DisputeOccasion) {
  const leftMs = dueTime === null ? Number.POSITIVE_INFINITY : dueTime.getTime() - appTime.getTime()
  const near = leftMs <= DAY ? NOTICES.day | NOTICES.week : leftMs <= 7 * DAY ? NOTICES.week : 0
  const isNew = !(told & NOTICES.opened) && appTime.getTime() - openedTime.getTime() < NEWS_MS
  const isReminder = leftMs > 0 && (near & ~told) !== 0
  const reminder: Occasion | undefined = isReminder ? (near & NOTICES.day ? 'day' : 'week') : undefined
  const occasion: Occasion | undefined = isNew ? 'opened' : reminder
  return { told: told | NOTICES.opened | near, occasion }
}

async function tellOf(ctx: Context, tx: Queryable, app: App, dispute: DisputeOccasion): Promise<void> {
  const { notices } = dispute
  const mailed = notices & ALL
  const byMail = wantsMail(ctx, app, 'dispute')
    ? passed(mailed, dispute)
    : { told: mailed, occasion: undefined }
  const inConsole = passed(notices >> OF_CONSOLE, dispute)
  await noteDispute(tx, dispute, byMail.told | (inConsole.told << OF_CONSOLE))
  if (byMail.occasion) await mailDispute(ctx, tx, app, { dispute, occasion: byMail.occasion })
  if (inConsole.occasion) await noteOf(ctx, tx, dispute, inConsole.occasion)
}

/** A dispute that opens again, or has another deadline, is another occasion. */
const nameOf = ({ paymentId, disputeId, dueTime, openedTime }: DisputeOccasion, occasion: Occasion): string =>
  `dispute:${paymentId}:${disputeId}:${occasion}:${(dueTime ?? openedTime).getTime()}`

async function noteOf(ctx: Context, tx: Queryable, dispute: DisputeOccasion, occasion: Occasion) {
  const { appId, disputeId, amountMinor, currency } = dispute
  const data = { occasion, disputeId, amountMinor: String(amountMinor), currency }
  const named = { appId, occasion: nameOf(dispute, occasion) }
  await writeNotice(ctx, tx, named, { kind: 'dispute', data })
}

async function mailDispute(
  ctx: Context,
  tx: Queryable,
  app: App,
  { dispute, occasion }: { readonly dispute: DisputeOccasion; readonly occasion: Occasion },
): Promise<void> {
  const { appId, disputeId, profileId, dueTime } = dispute
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
  const named = { appId, occasion: nameOf(dispute, occasion), recipients }
  await tellTeam(ctx, tx, named, { kind: 'dispute', data })
}
