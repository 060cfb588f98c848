import { after } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { Mail } from './kinds.ts'
import { MAILS } from './schedule.ts'
import { insertMail, type QueuedState, selectQueued } from './store.ts'

/** The topic that wakes the sending job. */
export const SENDING = 'mails'

type Ctx = Pick<Context, 'config' | 'clock' | 'vault' | 'signals' | 'log'>

/** What is stored, sealed, until the message has ended. */
export interface MailContent {
  readonly to: string
  readonly locale: string | null
  readonly data: object
}

export interface MailOccasion {
  /** The app; the licence of a message to its people; '' for the installation itself. */
  readonly appId: string
  /** Names the occasion and the recipient: the same message is queued once. */
  readonly mailId: string
  readonly to: string
  readonly locale: string | null
  readonly customerId?: string
  /** Sent until then. */
  readonly expiresTime?: Date
}

/** Messages of licences and of the installation have other limits. */
export const isOfApp = (appId: string): boolean => appId.startsWith('app_')

/** Whether this installation sends e-mails. */
export const canSend = (ctx: Pick<Context, 'config'>): boolean => ctx.config.mail !== undefined

/** Messages whose id begins with this text, the newest first, at most so many. */
export const queuedMails = (
  ctx: Pick<Context, 'db'>,
  appId: string,
  prefix: string,
  most: number,
): Promise<QueuedState[]> => selectQueued(ctx.db, appId, prefix, most)

/**
 * Queues a message within a transaction. Without a mail server nothing is written, and neither after the
 * limit of an app and day: then it returns false. Decision 0117.
 */
export async function queueMail(
  ctx: Ctx,
  tx: Queryable,
  occasion: MailOccasion,
  mail: Mail,
): Promise<boolean> {
  if (!ctx.config.mail) return false
  const { perAppDay } = ctx.config.mail
  const { appId, mailId, to, locale, customerId = null } = occasion
  const now = ctx.clock.now()
  const content: MailContent = { to, locale, data: mail.data }
  const row = {
    appId,
    mailId,
    kind: mail.kind,
    customerId,
    expiresTime: occasion.expiresTime ?? after(now, MAILS.expiresMs),
    content: ctx.vault.seal(JSON.stringify(content)),
  }
  // Woken before the commit at worst; then the next poll finds it.
  const { isQueued, queuedToday } = await insertMail(tx, row, now, isOfApp(appId) ? perAppDay : null)
  if (isQueued) ctx.signals.wake(SENDING)
  // Once: later ones are not counted.
  if (isQueued && queuedToday === perAppDay) ctx.log.warn('mail.limit_reached', { appId, perAppDay })
  return isQueued
}
