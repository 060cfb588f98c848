import { after, DAY, MINUTE, SECOND } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { Job } from '../jobs/loop.ts'
import type { App } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { noticeActivity, noticeCards } from './methods.ts'
import { noticeEvents } from './payments.ts'
import { noticeAuthorisations } from './team.ts'
import {
  beginWalks,
  claimWalks,
  endWalk,
  type MailWalk,
  type Source,
  saveWalk,
  type WalkPosition,
  walksDue,
} from './walks-store.ts'

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
}

const APPS = 20
const PAGE = 200
/** An app with more takes its next turn behind the others. */
const PAGES = 5
const LEASE_MS = MINUTE
/** What happened between the change of the settings and the first look is told. */
const BEGIN_MS = 10 * SECOND

/**
 * Finds the occasions for e-mails of apps that have turned them on. Outside the statements of payments, which
 * therefore cost the same with and without e-mails.
 */
export const walksJob = (ctx: Context): Job => ({
  name: 'mail occasions',
  everyMs: SECOND,
  due: walksDue,
  async runOnce() {
    const now = ctx.clock.now()
    await beginWalks(ctx.db, now, BEGIN_MS)
    const walks = await claimWalks(ctx.db, { now, until: after(now, LEASE_MS), limit: APPS })
    let isBehind = false
    for (const walk of walks) if (await walkOn(ctx, walk)) isBehind = true
    return isBehind || walks.length === APPS ? walks.length : 0
  },
})

/** Returns whether there is more to look at now. */
async function walkOn(ctx: Context, walk: MailWalk): Promise<boolean> {
  const app = walk.isOn ? await loadApp(ctx, walk.appId) : undefined
  if (!app) {
    await endWalk(ctx.db, walk)
    return false
  }
  const { everyMs, lagMs } = SOURCES[walk.source]
  const until = after(walk.appTime, -lagMs)
  let position: WalkPosition = walk.position
  for (let page = 0; page < PAGES; page++) {
    const from = position
    const next = await ctx.db.transaction((tx) => pageOf(ctx, tx, { app, walk, from, until, everyMs }))
    if (!next) return false
    position = next
  }
  return true
}

interface WalkPage {
  readonly app: App
  readonly walk: MailWalk
  readonly from: WalkPosition
  readonly until: Date
  readonly everyMs: number
}

/** One page with its position, in one transaction. Undefined when the end is reached. */
async function pageOf(
  ctx: Context,
  tx: Queryable,
  { app, walk, from, until, everyMs }: WalkPage,
): Promise<WalkPosition | undefined> {
  const last = await noticed(ctx, tx, { app, walk, from, until })
  const now = ctx.clock.now()
  if (last) {
    await saveWalk(tx, walk, last, now)
    return last
  }
  const end = walk.source === 'cards' ? { time: until, id: 0, part: 0 } : from
  await saveWalk(tx, walk, end, after(now, everyMs))
  return undefined
}

function noticed(
  ctx: Context,
  tx: Queryable,
  { app, walk, from, until }: Omit<WalkPage, 'everyMs'>,
): Promise<WalkPosition | undefined> {
  const page = { after: from, until, limit: PAGE }
  switch (walk.source) {
    case 'events':
    case 'late-events':
      return noticeEvents(ctx, tx, app, page)
    case 'activity':
    case 'late-activity':
      return noticeActivity(ctx, tx, app, page)
    case 'cards':
      return noticeCards(ctx, tx, app, page)
    case 'authorisations':
      return noticeAuthorisations(ctx, tx, app, walk.appTime).then(() => undefined)
  }
}
