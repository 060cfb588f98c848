import { type Database, type Due, type Queryable, sql } from '../../db/database.ts'
import { lookup } from '../../db/lookup.ts'
import { asMembers } from '../../db/rows.ts'
import type { Membership, SignedIn } from '../signed-in.ts'
import { OWN_ROLE } from './memberships.ts'

export interface StoredSession {
  readonly sessionId: string
  readonly createdTime: Date
  readonly lastSeenTime: Date
  /** Without activity. */
  readonly expiresTime: Date
  readonly endTime: Date
  /** When the person last gave a password, a code or a passkey. */
  readonly provenTime: Date
  readonly address: string
  readonly userAgent: string
}

/** With the person and their roles, as a request needs it. */
export interface SessionWithPerson {
  readonly session: StoredSession
  readonly signedIn: SignedIn
  /** Licences that the person entered as an operator; some may have ended. */
  readonly visits: readonly (Membership & { readonly endsTime: Date })[]
  readonly isDisabled: boolean
}

const COLUMNS = `session_id, created_time, last_seen_time, expires_time, end_time, proven_time, address,
  user_agent`

interface Found extends Omit<SessionWithPerson, 'visits'> {
  readonly visits: readonly { readonly licenseId: string; readonly until: string }[]
}

const toVisit = ({ licenseId, until }: Found['visits'][number]) =>
  ({ licenseId, role: 'Viewer', ownRole: null, refundLimits: null, endsTime: new Date(until) }) as const

const FIND = lookup<{ hash: string }, Found>('sessions.find', {
  columns: 'hash text',
  finds: `select ${asMembers('s', COLUMNS, { of: 'session' })}, p.is_disabled,
        ${asMembers('s', 'session_id, proven_time', { of: 'signedIn' })},
        ${asMembers('p', 'person_id, email, name, is_operator', { of: 'signedIn' })},
        ${asMembers('p', 'language, theme, time_zone, has_shortcuts', { of: 'signedIn' })},
        p.totp_enabled_time is not null as "signedIn.hasSecondFactor",
        p.totp_enabled_time as "signedIn.secondFactorTime", array(
        select json_build_object('licenseId', m.license_id, 'role', m.role,
          'refundLimits', m.refund_limits, 'ownRole', ${OWN_ROLE})
        from memberships m where m.person_id = p.person_id order by m.license_id) as "signedIn.memberships",
        array(select json_build_object('licenseId', v.license_id, 'until', v.expires_time)
          from license_visits v where v.person_id = p.person_id and p.is_operator
            and not exists (select from memberships m
              where m.license_id = v.license_id and m.person_id = v.person_id)
          order by v.license_id) as visits
      from person_sessions s join people p on p.person_id = s.person_id
      where s.token_hash = decode(i.hash, 'hex')`,
})
const INSERT = sql<never>(
  'sessions.insert',
  `with seen as (update people set last_seen_time = $4 where person_id = $3)
   insert into person_sessions (token_hash, session_id, person_id, created_time, last_seen_time, expires_time,
     end_time, proven_time, address, user_agent)
   values ($1, $2, $3, $4, $4, $5, $6, $4, $7, $8)`,
)
const TOUCH = sql<never>(
  'sessions.touch',
  `with seen as (
     update person_sessions set last_seen_time = $2, expires_time = least($3, end_time)
     where session_id = $1 and last_seen_time < $2 returning person_id)
   update people p set last_seen_time = $2 from seen where p.person_id = seen.person_id`,
)
const ROTATE = sql<{ sessionId: string }>(
  'sessions.rotate',
  `update person_sessions set token_hash = $2, proven_time = coalesce($3, proven_time)
   where session_id = $1 returning session_id`,
)
const LIST = sql<StoredSession>(
  'sessions.list',
  `select ${COLUMNS} from person_sessions s where s.person_id = $1 and s.expires_time > $2
   order by s.last_seen_time desc, s.session_id limit $3`,
)
const END = sql<{ sessionId: string }>(
  'sessions.end',
  'delete from person_sessions where person_id = $1 and session_id = $2 returning session_id',
)
const END_ALL = sql<{ sessionId: string }>(
  'sessions.end_all',
  `with pending as (delete from pending_sign_ins where person_id = $1),
     fence as (update people set access_version = access_version + 1 where person_id = $1)
   delete from person_sessions where person_id = $1 and session_id is distinct from $2 returning session_id`,
)
const END_OLDEST = sql<never>(
  'sessions.end_oldest',
  `delete from person_sessions where person_id = $1 and session_id in (
     select session_id from person_sessions where person_id = $1
     order by last_seen_time desc, session_id offset $2)`,
)

export interface NewSession {
  readonly tokenHash: Uint8Array
  readonly sessionId: string
  readonly personId: string
  readonly now: Date
  readonly expiresTime: Date
  readonly endTime: Date
  readonly address: string
  readonly userAgent: string
}

/** Beyond `most` sessions of the person, those unused for longest end. */
export async function insertPersonSession(tx: Queryable, session: NewSession, most: number): Promise<void> {
  const { tokenHash, sessionId, personId, now, expiresTime, endTime, address, userAgent } = session
  await tx.query(END_OLDEST, [personId, most - 1])
  await tx.query(INSERT, [tokenHash, sessionId, personId, now, expiresTime, endTime, address, userAgent])
}

/** One read, grouped with others. */
export async function selectSessionWithPerson(
  db: Database,
  tokenHash: Uint8Array,
): Promise<SessionWithPerson | undefined> {
  const found = await db.batch(FIND, { hash: Buffer.from(tokenHash).toString('hex') })
  return found && { ...found, visits: found.visits.map(toVisit) }
}

export async function touchSession(db: Queryable, sessionId: string, now: Date, expiresTime: Date) {
  await db.query(TOUCH, [sessionId, now, expiresTime])
}

/** Replaces the token. Without `provenTime` the last proof stays. False when the session has ended. */
export const rotateToken = async (
  db: Queryable,
  sessionId: string,
  tokenHash: Uint8Array,
  provenTime: Date | null,
) => (await db.query(ROTATE, [sessionId, tokenHash, provenTime])).length > 0

export const selectSessions = (db: Queryable, personId: string, now: Date, most: number) =>
  db.query(LIST, [personId, now, most])

export const deleteSession = async (db: Queryable, personId: string, sessionId: string): Promise<boolean> =>
  (await db.query(END, [personId, sessionId])).length > 0

/** Also ends sign-ins that have begun. Returns the number of ended sessions. */
export const deleteSessions = async (db: Queryable, personId: string, except?: string): Promise<number> =>
  (await db.query(END_ALL, [personId, except ?? null])).length

export const personSessionsDue: Due = (now) => `person_sessions where expires_time < ${now}`

const FORGET = sql<{ sessionId: string }>(
  'sessions.forget',
  `delete from person_sessions where token_hash in (
     select token_hash from ${personSessionsDue('$1::timestamptz')} limit $2) returning session_id`,
)

export const forgetPersonSessions = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(FORGET, [now, most])).length
