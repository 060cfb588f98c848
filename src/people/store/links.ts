import { DAY } from '../../base/clock.ts'
import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import type { Role } from '../access/roles.ts'
import type { RefundLimits } from '../person.ts'

export type LinkKind = 'invitation' | 'password-reset' | 'second-factor-reset' | 'owner-restore'

/** Used and expired links are kept this long, so that a late click gets an explanation. */
const KEPT_MS = 30 * DAY

interface LinkRow {
  link_id: string
  kind: LinkKind
  email: string
  license_id: string | null
  role: Role | null
  refund_limits: RefundLimits | null
  person_id: string | null
  created_by: string | null
  maker_id: string | null
  is_mailed: boolean
  created_time: Date
  expires_time: Date
  used_time: Date | null
}

/** A one-time link for a person. */
export interface PersonLink {
  readonly linkId: string
  readonly kind: LinkKind
  readonly email: string
  /** Of an invitation, with the role. */
  readonly licenseId: string | null
  readonly role: Role | null
  readonly refundLimits: RefundLimits | null
  /** Of any other link. */
  readonly personId: string | null
  /** The name of the person who created it. */
  readonly createdBy: string | null
  /** The id of that person; null: the operator, or the recipient. */
  readonly makerId: string | null
  /** It went by e-mail alone, so it proves the address. */
  readonly isMailed: boolean
  readonly createdTime: Date
  readonly expiresTime: Date
  readonly usedTime: Date | null
}

const toLink = (row: LinkRow): PersonLink => ({
  linkId: row.link_id,
  kind: row.kind,
  email: row.email,
  licenseId: row.license_id,
  role: row.role,
  refundLimits: row.refund_limits,
  personId: row.person_id,
  createdBy: row.created_by,
  makerId: row.maker_id,
  isMailed: row.is_mailed,
  createdTime: row.created_time,
  expiresTime: row.expires_time,
  usedTime: row.used_time,
})

const COLUMNS = `link_id, kind, email, license_id, role, refund_limits, person_id, created_by, maker_id,
  is_mailed, created_time, expires_time, used_time`

const INSERT = sql<LinkRow>(
  'links.insert',
  `insert into person_links (link_hash, link_id, kind, email, license_id, role, refund_limits, person_id,
     created_by, maker_id, is_mailed, created_time, expires_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning ${COLUMNS}`,
)
const FIND = sql<LinkRow>('links.find', `select ${COLUMNS} from person_links where link_hash = $1`)
const USE = sql<LinkRow>(
  'links.use',
  `update person_links set used_time = $2
   where link_hash = $1 and used_time is null and expires_time > $2 returning ${COLUMNS}`,
)
const USE_INVITATIONS = sql<LinkRow>(
  'links.use_invitations',
  `update person_links set used_time = $2
   where email = $1 and kind = 'invitation' and role <> 'Owner' and used_time is null and expires_time > $2
   returning ${COLUMNS}`,
)
const OPEN_INVITATIONS = sql<LinkRow>(
  'links.open_invitations',
  `select ${COLUMNS} from person_links
   where license_id = $1 and kind = 'invitation' and used_time is null and expires_time > $2
   order by created_time, link_id limit $3`,
)
const REPLACE_INVITATION = sql<never>(
  'links.replace_invitation',
  `delete from person_links
   where license_id = $1 and email = $2 and kind = 'invitation' and used_time is null`,
)
const REPLACE_RESET = sql<never>(
  'links.replace_reset',
  'delete from person_links where person_id = $1 and kind = $2 and used_time is null',
)
const DROP_OTHERS_RESETS = sql<never>(
  'links.drop_others_resets',
  'delete from person_links where person_id = $1 and not is_mailed and used_time is null',
)
const DROP_OF_MAKER = sql<LinkRow>(
  'links.drop_of_maker',
  `delete from person_links
   where maker_id = $1 and kind = 'invitation' and used_time is null and ($2::text is null or license_id = $2)
   returning ${COLUMNS}`,
)
const WITHDRAW = sql<LinkRow>(
  'links.withdraw',
  `delete from person_links
   where license_id = $1 and link_id = $2 and kind = 'invitation' and used_time is null
   returning ${COLUMNS}`,
)

export interface NewLink extends Omit<PersonLink, 'usedTime'> {
  readonly hash: Uint8Array
}

export async function insertLink(tx: Queryable, link: NewLink): Promise<PersonLink> {
  const [row] = await tx.query(INSERT, [
    link.hash,
    link.linkId,
    link.kind,
    link.email,
    link.licenseId,
    link.role,
    link.refundLimits ? JSON.stringify(link.refundLimits) : null,
    link.personId,
    link.createdBy,
    link.makerId,
    link.isMailed,
    link.createdTime,
    link.expiresTime,
  ])
  return toLink(row as LinkRow)
}

const first = (rows: readonly LinkRow[]): PersonLink | undefined => rows[0] && toLink(rows[0])

export const selectLink = async (db: Queryable, hash: Uint8Array): Promise<PersonLink | undefined> =>
  first(await db.query(FIND, [hash]))

/** Uses an open link; undefined when it is unknown, expired or used. Of two requests one gets it. */
export const markUsed = async (tx: Queryable, hash: Uint8Array, now: Date): Promise<PersonLink | undefined> =>
  first(await tx.query(USE, [hash, now]))

/** Uses all open invitations of the address, except to become an owner. */
export const markInvitationsUsed = async (tx: Queryable, email: string, now: Date): Promise<PersonLink[]> =>
  (await tx.query(USE_INVITATIONS, [email, now])).map(toLink)

export const selectInvitations = async (db: Queryable, licenseId: string, now: Date, most: number) =>
  (await db.query(OPEN_INVITATIONS, [licenseId, now, most])).map(toLink)

/** Deletes open invitations of the address to the licence: a new one replaces them. */
export async function dropInvitations(tx: Queryable, licenseId: string, email: string): Promise<void> {
  await tx.query(REPLACE_INVITATION, [licenseId, email])
}

export async function dropResets(tx: Queryable, personId: string, kind: LinkKind): Promise<void> {
  await tx.query(REPLACE_RESET, [personId, kind])
}

/** Deletes open links to the account, except those that its person asked for by e-mail. */
export async function dropOthersResets(tx: Queryable, personId: string): Promise<void> {
  await tx.query(DROP_OTHERS_RESETS, [personId])
}

/** Deletes and returns the open invitations that the person made, to one licence or to all. */
export const dropInvitationsOf = async (
  tx: Queryable,
  makerId: string,
  licenseId: string | null,
): Promise<PersonLink[]> => (await tx.query(DROP_OF_MAKER, [makerId, licenseId])).map(toLink)

export const deleteInvitation = async (tx: Queryable, licenseId: string, linkId: string) =>
  first(await tx.query(WITHDRAW, [licenseId, linkId]))

export const linksDue: Due = (now) => `person_links where expires_time < ${ago(now, KEPT_MS)}`

const FORGET = sql<{ link_id: string }>(
  'links.forget',
  `delete from person_links where link_hash in (
     select link_hash from ${linksDue('$1::timestamptz')} limit $2) returning link_id`,
)

export const forgetLinks = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(FORGET, [now, most])).length
