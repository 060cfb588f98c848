import { HOUR } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { Job } from '../jobs/loop.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { NOTICES } from './limits.ts'
import {
  countUnread,
  insertNotice,
  insertReads,
  type NoticeRow,
  oldNoticesDue,
  type Reader,
  removeOld,
  selectNotices,
} from './store.ts'

/**
 * Notices of the console: what the team of an app should know. The occasions of e-mails to the team write
 * them too, with or without a mail server. Decision 0175.
 */

/** The values of each kind's sentence. They name no payer. */
interface NoticeData {
  readonly 'endpoint-failing': { readonly url: string; readonly isDisabled: boolean }
  readonly 'provider-degraded': { readonly profileId: number; readonly name: string }
  readonly 'authorisations-ending': { readonly count: number; readonly isMore: boolean }
  readonly settlements: { readonly opened: number; readonly failing: number }
  readonly dispute: {
    readonly occasion: 'opened' | 'week' | 'day'
    readonly disputeId: string
    readonly amountMinor: string
    readonly currency: string
  }
  readonly 'refund-waiting': {
    readonly paymentId: number
    readonly amountMinor: string
    readonly currency: string
  }
  readonly 'export-ready': { readonly what: string; readonly rows: number; readonly isFailed: boolean }
}

export type NoticeKind = keyof NoticeData

/** A kind with its values. */
export type NoticeContent = {
  [Kind in NoticeKind]: { readonly kind: Kind; readonly data: NoticeData[Kind] }
}[NoticeKind]

export type Notice = Omit<NoticeRow, 'kind' | 'data'> & NoticeContent

interface NoticeOccasion {
  readonly appId: string
  readonly occasion: string
  /** Only this person sees it. */
  readonly personId?: string
  /** This person does not see it. */
  readonly causedBy?: string
}

/** Within the transaction of what it tells. */
export const writeNotice = (
  ctx: Pick<Context, 'clock'>,
  tx: Queryable,
  { appId, occasion, personId = undefined, causedBy = undefined }: NoticeOccasion,
  content: NoticeContent,
): Promise<void> =>
  insertNotice(tx, {
    appId,
    noticeId: occasion,
    ...content,
    personId: personId ?? null,
    causedBy: causedBy ?? null,
    createdTime: ctx.clock.now(),
  })

type Ctx = Pick<Context, 'db'>
export type NoticeReader = Reader & { readonly kinds: readonly NoticeKind[] }

/** Newest first. */
export const listNotices = (ctx: Ctx, reader: NoticeReader): Promise<Notice[]> =>
  selectNotices(ctx.db, reader) as Promise<Notice[]>

export const countNotices = (ctx: Ctx, reader: NoticeReader): Promise<number> => countUnread(ctx.db, reader)

/** One notice, or all that the person sees. */
export const markRead = (ctx: Ctx, reader: NoticeReader, noticeId?: string): Promise<void> =>
  insertReads(ctx.db, reader, noticeId)

export const noticesJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'notice removal',
  everyMs: HOUR,
  due: [oldNoticesDue],
  runOnce: () => removeOld(ctx.db, ctx.clock.now(), NOTICES.removalBatch),
})

export const clearNotices = clearTables(['notice_reads', 'notices'])
