import { DAY } from '../../base/clock.ts'
import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import type { RoleId } from '../access/roles.ts'
import type { RefundLimits } from '../person.ts'

export type LinkKind = 'invitation' | 'password-reset' | 'second-factor-reset' | 'owner-restore'

/** Used and expired links are kept this long, so that a late click gets an explanation. */
const KEPT_MS = 30 * DAY

/** A one-time link for a person. */
export interface PersonLink {
  readonly linkId: string
  readonly kind: LinkKind
  readonly email: string
  /** Set for an invitation, with the role. */
  readonly licenseId: string | null
  readonly role: RoleId | null
  /** The name of an own role. */
  readonly ownRoleName: string | null
  readonly refundLimits: RefundLimits | null
  /** Set for any other link. */
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

const COLUMNS = `link_id, (select o.name from own_roles o where o.role_id = role) as own_role_name,
  kind, email, license_id, role, refund_limits, person_id, created_by, maker_id,
  is_mailed, created_time, expires_time, used_time`

const INSERT = sql<PersonLink>(
  'person_links.insert',
  `insert into person_links (link_hash, link_id, kind, email, license_id, role, refund_limits, person_id,
     created_by, maker_id, is_mailed, created_time, expires_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning ${COLUMNS}`,
)
const FIND = sql<PersonLink>('person_links.find', `select ${COLUMNS} from person_links where link_hash = $1`)
const USE = sql<PersonLink>(
  'person_links.use',
  `update person_links set used_time = $2
   where link_hash = $1 and used_time is null and expires_time > $2 returning ${COLUMNS}`,
)
const USE_INVITATIONS = sql<PersonLink>(
  'person_links.use_invitations',
  `update person_links set used_time = $2
   where email = $1 and kind = 'invitation' and role <> 'Owner' and used_time is null and expires_time > $2
   returning ${COLUMNS}`,
)
const OPEN_INVITATIONS = sql<PersonLink>(
  'person_links.open_invitations',
  `select ${COLUMNS} from person_links
   where license_id = $1 and kind = 'invitation' and used_time is null and expires_time > $2
   order by created_time, link_id limit $3`,
)
const REPLACE_INVITATION = sql<never>(
  'person_links.replace_invitation',
  `delete from person_links
   where license_id = $1 and email = $2 and kind = 'invitation' and used_time is null`,
)
const REPLACE_RESET = sql<never>(
  'person_links.replace_reset',
  'delete from person_links where person_id = $1 and kind = $2 and used_time is null',
)
const DROP_OTHERS_RESETS = sql<never>(
  'person_links.drop_others_resets',
  'delete from person_links where person_id = $1 and not is_mailed and used_time is null',
)
const DROP_OF_MAKER = sql<PersonLink>(
  'person_links.drop_of_maker',
  `delete from person_links
   where maker_id = $1 and kind = 'invitation' and used_time is null and ($2::text is null or license_id = $2)
   returning ${COLUMNS}`,
)
const WITHDRAW = sql<PersonLink>(
  'person_links.withdraw',
  `delete from person_links
   where license_id = $1 and link_id = $2 and kind = 'invitation' and used_time is null
   returning ${COLUMNS}`,
)

export interface NewLink extends Omit<PersonLink, 'usedTime' | 'ownRoleName'> {
  readonly hash: Uint8Array
}

export async function insertLink(tx: Queryable, link: NewLink): Promise<PersonLink> {
  const [made] = await tx.query(INSERT, [
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
  return made as PersonLink
}

export const selectLink = async (db: Queryable, hash: Uint8Array): Promise<PersonLink | undefined> =>
  (await db.query(FIND, [hash]))[0]

/** Uses an open link; undefined when it is unknown, expired or used. Of two requests one gets it. */
export const markUsed = async (tx: Queryable, hash: Uint8Array, now: Date): Promise<PersonLink | undefined> =>
  (await tx.query(USE, [hash, now]))[0]

/** Uses all open invitations of the address, except to become an owner. */
export const markInvitationsUsed = (tx: Queryable, email: string, now: Date): Promise<PersonLink[]> =>
  tx.query(USE_INVITATIONS, [email, now])

export const selectInvitations = (db: Queryable, licenseId: string, now: Date, most: number) =>
  db.query(OPEN_INVITATIONS, [licenseId, now, most])

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
export const dropInvitationsOf = (
  tx: Queryable,
  makerId: string,
  licenseId: string | null,
): Promise<PersonLink[]> => tx.query(DROP_OF_MAKER, [makerId, licenseId])

export const deleteInvitation = async (tx: Queryable, licenseId: string, linkId: string) =>
  (await tx.query(WITHDRAW, [licenseId, linkId]))[0]

export const linksDue: Due = (now) => `person_links where expires_time < ${ago(now, KEPT_MS)}`

const FORGET = sql<{ linkId: string }>(
  'person_links.forget',
  `delete from person_links where link_hash in (
     select link_hash from ${linksDue('$1::timestamptz')} limit $2) returning link_id`,
)

export const forgetLinks = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(FORGET, [now, most])).length
