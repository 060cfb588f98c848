import { after, type Clock, HOUR, MINUTE } from '../../base/clock.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Database } from '../../db/database.ts'
import { type Cache, createCache } from '../../merchants/cache.ts'
import { slot } from '../../node/slot.ts'
import { type SessionWithPerson, selectSessionWithPerson, touchSession } from '../store/sessions.ts'

/** Sessions of the console by the hash of their token, in base64. */
export type SessionCache = Cache<SessionWithPerson>

/**
 * A session ends after this long without a request: a working day, so that a merchant's team signs in once a
 * day. What changes access or where money goes needs a proof of the last five minutes besides: see `proof` in
 * the tables of people/access. Refunds and marks need a code each, where the app demands that.
 */
export const IDLE_MS = 8 * HOUR

/** Activity is recorded at most this often, to save writes. */
const TOUCH_MS = MINUTE
const MAX_SESSIONS = 10_000

interface Needs {
  readonly db: Database
  readonly clock: Clock
}

export const createSessionCache = ({ db, clock }: Needs): SessionCache =>
  createCache({
    clock,
    maxAgeMs: LIMITS.directoryMs,
    maxSize: MAX_SESSIONS,
    async load(hash) {
      const found = await selectSessionWithPerson(db, Buffer.from(hash, 'base64'))
      const now = clock.now()
      if (!found || found.session.expiresTime <= now || found.isDisabled) return undefined
      const { sessionId, lastSeenTime } = found.session
      if (now.getTime() - lastSeenTime.getTime() >= TOUCH_MS)
        await touchSession(db, sessionId, now, after(now, IDLE_MS))
      return found
    },
  })

export const sessions = slot('sessions', createSessionCache, {
  holds: 'sessions of the console',
  until: 'a change on this node, or 0.5 s',
  restart: 'nothing: it is read again',
})
