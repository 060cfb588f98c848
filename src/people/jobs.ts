import { MINUTE } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { forgetLinks, linksDue } from './store/links.ts'
import { challengesDue, forgetChallenges } from './store/passkeys.ts'
import { forgetPending, pendingDue } from './store/pending.ts'
import { forgetPersonRefunds, personRefundsDue } from './store/refunds.ts'
import { forgetPersonSessions, personSessionsDue } from './store/sessions.ts'
import { forgetThrottles, networksDue, throttlesDue } from './store/throttles.ts'
import { forgetVisits, visitsDue } from './store/visits.ts'

/** Small enough that the locks of one batch delay no request. */
const BATCH = 500

/** Deletes ended sessions, links, challenges and counts of people after their retention time. */
export const peopleJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'people',
  everyMs: 10 * MINUTE,
  due: [
    personSessionsDue,
    pendingDue,
    linksDue,
    challengesDue,
    throttlesDue,
    networksDue,
    personRefundsDue,
    visitsDue,
  ],
  async runOnce() {
    const now = ctx.clock.now()
    let count = 0
    for (const forget of FORGETS) count += await forget(ctx.db, now, BATCH)
    return count
  },
})

const FORGETS = [
  forgetPersonSessions,
  forgetPending,
  forgetLinks,
  forgetChallenges,
  forgetThrottles,
  forgetPersonRefunds,
  forgetVisits,
]
