import { type Queryable, sql } from '../../db/database.ts'
import type { Person } from '../person.ts'

/** `p` is the table `people`. */
export const PERSON_COLUMNS = `p.person_id, p.email, p.name, p.theme, p.language, p.time_zone,
  p.has_shortcuts, p.is_operator, p.is_disabled, p.password_hash is not null as has_password,
  p.totp_enabled_time is not null as has_totp, p.verified_time is not null as is_verified, p.access_version,
  p.created_time, p.last_seen_time`

const INSERT = sql<Person>(
  'people.insert',
  `insert into people as p (person_id, email, name, password_hash, is_operator, created_time,
     verified_time)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (email) do nothing returning ${PERSON_COLUMNS}`,
)
const FIND = sql<Person>('people.find', `select ${PERSON_COLUMNS} from people p where p.person_id = $1`)
const FIND_BY_EMAIL = sql<Person>(
  'people.find_by_email',
  `select ${PERSON_COLUMNS} from people p where p.email = $1`,
)
const LOCK = sql<Person>(
  'people.lock',
  `select ${PERSON_COLUMNS} from people p where p.person_id = $1 for update`,
)
const ANY = sql<{ personId: string }>('people.any', 'select person_id from people limit 1')
const LOCK_SETUP = sql<never>('people.lock_setup', 'select pg_advisory_xact_lock(7363266)')
const CHANGE = sql<Person>(
  'people.change',
  `update people p set name = $2, theme = $3, language = $4, time_zone = $5, has_shortcuts = $6
   where p.person_id = $1 returning ${PERSON_COLUMNS}`,
)
const SET_DISABLED = sql<Person>(
  'people.set_disabled',
  `update people p set is_disabled = $2 where p.person_id = $1 returning ${PERSON_COLUMNS}`,
)
const DELETE_UNUSED = sql<{ personId: string }>(
  'people.delete_unused',
  `delete from people p where p.person_id = $1 and not p.is_operator
     and not exists (select from memberships m where m.person_id = p.person_id)
   returning p.person_id`,
)

const RENAME = sql<never>('people.rename', 'update people set name = $2 where person_id = $1')

export interface NewPerson {
  readonly personId: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
  readonly isOperator?: boolean
  /** The address was proved. */
  readonly isVerified?: boolean
  readonly now: Date
}

/** Undefined when the e-mail address is taken. */
export async function insertPerson(db: Queryable, person: NewPerson): Promise<Person | undefined> {
  const { personId, email, name, passwordHash, isOperator = false, isVerified = false, now } = person
  const values = [personId, email, name, passwordHash, isOperator, now, isVerified ? now : null]
  return (await db.query(INSERT, values))[0]
}

export const selectPerson = async (db: Queryable, personId: string): Promise<Person | undefined> =>
  (await db.query(FIND, [personId]))[0]

export const selectPersonByEmail = async (db: Queryable, email: string): Promise<Person | undefined> =>
  (await db.query(FIND_BY_EMAIL, [email]))[0]

/** Locks the row until the transaction ends. */
export const lockPerson = async (tx: Queryable, personId: string): Promise<Person | undefined> =>
  (await tx.query(LOCK, [personId]))[0]

export const anyPerson = async (db: Queryable): Promise<boolean> => (await db.query(ANY)).length > 0

/** One set-up at a time: the second waits and then finds the people of the first. */
export async function lockSetup(tx: Queryable): Promise<void> {
  await tx.query(LOCK_SETUP)
}

export type PersonSettings = Pick<Person, 'name' | 'theme' | 'language' | 'timeZone' | 'hasShortcuts'>

export async function updatePerson(db: Queryable, personId: string, settings: PersonSettings) {
  const { name, theme, language, timeZone, hasShortcuts } = settings
  return (await db.query(CHANGE, [personId, name, theme, language, timeZone, hasShortcuts]))[0]
}

export async function updateName(tx: Queryable, personId: string, name: string): Promise<void> {
  await tx.query(RENAME, [personId, name])
}

export const updateDisabled = async (db: Queryable, personId: string, isDisabled: boolean) =>
  (await db.query(SET_DISABLED, [personId, isDisabled]))[0]

/** Deletes a person without membership, with everything that belongs to the account. Operators stay. */
export const deleteUnused = async (tx: Queryable, personId: string): Promise<boolean> =>
  (await tx.query(DELETE_UNUSED, [personId])).length > 0
