import { audit } from '../../audit/audit.ts'
import { after, DAY, MINUTE } from '../../base/clock.ts'
import { notFound } from '../../base/errors.ts'
import { randomText } from '../../base/ids.ts'
import { sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { SignInClient } from '../person.ts'
import type { SignedIn } from '../signed-in.ts'
import { selectMembership } from '../store/memberships.ts'
import {
  deleteSession,
  deleteSessions,
  insertPersonSession,
  rotateToken,
  type StoredSession,
  selectSessions,
} from '../store/sessions.ts'
import { IDLE_MS, sessions } from './cache.ts'
import { describeAgent } from './user-agent.ts'

/** Sign in again once a week, whatever happens in between. */
const END_MS = 7 * DAY
const PROOF_MS = 5 * MINUTE
/** Devices and browsers of one person; beyond, the one unused for longest ends. */
const MAX_SESSIONS = 20

/** 256 random bits. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

export const newToken = (ctx: Pick<Context, 'random'>): string =>
  Buffer.from(ctx.random.bytes(32)).toString('base64url')

/** Opens a session and returns its token, which is stored as a hash only. */
export async function openSession(
  ctx: Pick<Context, 'clock' | 'random'>,
  tx: Queryable,
  personId: string,
  client: SignInClient,
): Promise<string> {
  const now = ctx.clock.now()
  const token = newToken(ctx)
  const session = {
    tokenHash: sha256(token),
    sessionId: `ses_${randomText(ctx.random, 16)}`,
    personId,
    now,
    expiresTime: after(now, IDLE_MS),
    endTime: after(now, END_MS),
    address: client.address,
    userAgent: describeAgent(client.userAgent),
  }
  await insertPersonSession(tx, session, MAX_SESSIONS)
  return token
}

/**
 * The open session of a token. Cached for half a second, so the end of a session takes effect within a second
 * on all nodes.
 */
export async function findSession(
  ctx: Pick<Context, 'node' | 'clock'>,
  token: string | undefined,
): Promise<SignedIn | undefined> {
  if (token === undefined || !TOKEN.test(token)) return undefined
  const found = await sessions(ctx).get(sha256(token).toString('base64'))
  const now = ctx.clock.now()
  if (!found || found.session.endTime <= now) return undefined
  const { signedIn, visits } = found
  const open = visits.filter(({ endsTime }) => endsTime > now)
  return open.length === 0 ? signedIn : { ...signedIn, memberships: [...signedIn.memberships, ...open] }
}

type Rotating = Pick<Context, 'db' | 'node' | 'clock' | 'random'>

/**
 * A new token for the same session, after a change of how the person signs in. The old one ends at once. The
 * change proves nothing: a new authenticator may be that of a thief.
 */
export const rotateSession = (ctx: Rotating, session: Pick<SignedIn, 'sessionId'>): Promise<string> =>
  rotate(ctx, session, null)

/** A new token for the same session, whose person has just given a password, code or passkey. */
export const proveSession = (ctx: Rotating, session: Pick<SignedIn, 'sessionId'>): Promise<string> =>
  rotate(ctx, session, ctx.clock.now())

async function rotate(
  ctx: Rotating,
  { sessionId }: Pick<SignedIn, 'sessionId'>,
  provenTime: Date | null,
): Promise<string> {
  const token = newToken(ctx)
  if (!(await rotateToken(ctx.db, sessionId, sha256(token), provenTime))) throw notFound('The session')
  sessions(ctx).clear()
  return token
}

/** Whether the person gave a password, code or passkey within the last five minutes. */
export const hasFreshProof = ({ provenTime }: Pick<SignedIn, 'provenTime'>, now: Date): boolean =>
  now.getTime() - provenTime.getTime() < PROOF_MS

/** Whether that proof had a code: one from before the second factor had none. */
export function codeOf(
  person: Pick<SignedIn, 'provenTime' | 'secondFactorTime'>,
  now: Date,
): 'given' | 'missing' | 'not-enrolled' {
  if (person.secondFactorTime === null) return 'not-enrolled'
  return hasFreshProof(person, now) && person.provenTime >= person.secondFactorTime ? 'given' : 'missing'
}

/** Newest first. */
export const listSessions = (ctx: Context, personId: string): Promise<StoredSession[]> =>
  selectSessions(ctx.db, personId, ctx.clock.now(), MAX_SESSIONS)

/** Ends one session of the person; false when it has ended already. */
export async function endSession(ctx: Context, personId: string, sessionId: string): Promise<boolean> {
  const hasEnded = await deleteSession(ctx.db, personId, sessionId)
  sessions(ctx).clear()
  return hasEnded
}

/** Ends all sessions but this one. Returns their number. */
export async function endOtherSessions(ctx: Context, session: SignedIn): Promise<number> {
  const count = await deleteSessions(ctx.db, session.personId, session.sessionId)
  sessions(ctx).clear()
  return count
}

/** Ends all sessions of a member; the caller has checked the permission. */
export async function endAllSessions(ctx: Context, licenseId: string, personId: string): Promise<number> {
  const count = await ctx.db.transaction(async (tx) => {
    if (!(await selectMembership(tx, licenseId, personId))) throw notFound('The member')
    await audit(ctx, tx, { licenseId, action: 'member.sessions_ended', target: `person:${personId}` })
    return deleteSessions(tx, personId)
  })
  sessions(ctx).clear()
  return count
}
