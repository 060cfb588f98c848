import { after, DAY, MINUTE, SECOND } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { Job } from '../jobs/loop.ts'
import { canSend } from '../mail/queue.ts'
import type { App } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import {
  beginCursors,
  type CursorPosition,
  cardCursorsDue,
  claimCursors,
  cursorsDue,
  endCursor,
  type MailCursor,
  type Source,
  saveCursor,
} from './cursors-store.ts'
import { freshenCards, mailActivity, mailCards } from './methods.ts'
import { mailEvents } from './payments.ts'
import { mailAuthorisations, mailSettlements } from './team.ts'

interface SourceInfo {
  readonly everyMs: number
  /** Rows are looked at when they are this old. */
  readonly lagMs: number
}

/**
 * Rows may be committed after later ones, and the first look passes them by. The second finds them: it looks
 * when no statement of that time runs any more.
 */
const SOURCES: Readonly<Record<Source, SourceInfo>> = {
  events: { everyMs: 5 * SECOND, lagMs: 2 * SECOND },
  'late-events': { everyMs: MINUTE, lagMs: 2 * MINUTE },
  activity: { everyMs: 5 * SECOND, lagMs: 2 * SECOND },
  'late-activity': { everyMs: MINUTE, lagMs: 2 * MINUTE },
  cards: { everyMs: DAY, lagMs: 0 },
  authorisations: { everyMs: DAY, lagMs: 0 },
  settlements: { everyMs: DAY, lagMs: 10 * MINUTE },
}

const APPS = 20
const PAGE = 200
/** An app with more takes its next turn behind the others. */
const PAGES = 5
const LEASE_MS = MINUTE
/** Reads of cards that are answered late. */
const CARDS_LEASE_MS = 20 * MINUTE
/** What happened between the change of the settings and the first pass is mailed too. */
const BEGIN_MS = 10 * SECOND

/**
 * Finds the occasions for notices, and for e-mails of apps that have turned them on. Outside the statements
 * of payments, which therefore cost the same with and without e-mails.
 */
export const occasionsJob = (ctx: Context): Job => ({
  name: 'mail occasions',
  everyMs: SECOND,
  due: cursorsDue(canSend(ctx)),
  async runOnce() {
    const now = ctx.clock.now()
    const start = { now, canSend: canSend(ctx) }
    await beginCursors(ctx.db, { ...start, beforeMs: BEGIN_MS })
    const lease = { until: after(now, LEASE_MS), limit: APPS, isOfCards: false }
    const cursors = await claimCursors(ctx.db, { ...start, ...lease })
    let isBehind = false
    for (const cursor of cursors) if (await moveOn(ctx, cursor)) isBehind = true
    return isBehind || cursors.length === APPS ? cursors.length : 0
  },
})

/** Reminders of cards, one app at a time: a provider that answers slowly must not delay other e-mails. */
export const cardsJob = (ctx: Context): Job => ({
  name: 'card reminders',
  everyMs: SECOND,
  due: [cardCursorsDue],
  async runOnce() {
    const now = ctx.clock.now()
    const lease = { now, until: after(now, CARDS_LEASE_MS), limit: 1, canSend: true, isOfCards: true }
    const cursors = await claimCursors(ctx.db, lease)
    for (const cursor of cursors) await moveOn(ctx, cursor)
    return cursors.length
  },
})

/** Returns whether there is more to look at now. */
async function moveOn(ctx: Context, cursor: MailCursor): Promise<boolean> {
  const app = cursor.isOn ? await loadApp(ctx, cursor.appId) : undefined
  if (!app) {
    await endCursor(ctx.db, cursor)
    return false
  }
  const { everyMs, lagMs } = SOURCES[cursor.source]
  const until = after(cursor.appTime, -lagMs)
  let position: CursorPosition = cursor.position
  for (let page = 0; page < PAGES; page++) {
    const from = position
    // Before the transaction: it waits for providers.
    if (cursor.source === 'cards') await freshenCards(ctx, app, { after: from, until, limit: PAGE })
    const next = await ctx.db.transaction((tx) => pageOf(ctx, tx, { app, cursor, from, until, everyMs }))
    if (!next) return false
    position = next
  }
  return true
}

interface CursorPage {
  readonly app: App
  readonly cursor: MailCursor
  readonly from: CursorPosition
  readonly until: Date
  readonly everyMs: number
}

/** One page with its position, in one transaction. Undefined when the end is reached. */
async function pageOf(
  ctx: Context,
  tx: Queryable,
  { app, cursor, from, until, everyMs }: CursorPage,
): Promise<CursorPosition | undefined> {
  const last = await mailed(ctx, tx, { app, cursor, from, until })
  const now = ctx.clock.now()
  if (last) {
    await saveCursor(tx, cursor, last, now)
    return last
  }
  const isTimed = cursor.source === 'cards' || cursor.source === 'settlements'
  const end = isTimed ? { time: until, id: 0, part: 0 } : from
  await saveCursor(tx, cursor, end, after(now, everyMs))
  return undefined
}

function mailed(
  ctx: Context,
  tx: Queryable,
  { app, cursor, from, until }: Omit<CursorPage, 'everyMs'>,
): Promise<CursorPosition | undefined> {
  const page = { after: from, until, limit: PAGE }
  switch (cursor.source) {
    case 'events':
    case 'late-events':
      return mailEvents(ctx, tx, app, page)
    case 'activity':
    case 'late-activity':
      return mailActivity(ctx, tx, app, page)
    case 'cards':
      return mailCards(ctx, tx, app, page)
    case 'authorisations':
      return mailAuthorisations(ctx, tx, app, cursor.appTime).then(() => undefined)
    case 'settlements':
      return mailSettlements(ctx, tx, app, { from: from.time, until }).then(() => undefined)
  }
}
