import { type Queryable, sql } from '../../db/database.ts'

/** What a note or an assignment is about, as in the audit log. */
export type NoteSubject = `payment:${number}` | `customer:${string}`

/** What a person, or a program on behalf of the merchant, wrote about a payment or a customer. */
export interface Note {
  readonly noteId: number
  readonly text: string
  readonly author: { readonly kind: string; readonly id: string; readonly name: string }
  readonly createdTime: Date
}

const COLUMNS = `note_id, text, author_kind as "author.kind", author_id as "author.id",
  author_name as "author.name", created_time`

const LIST = sql<Note>(
  'notes.list',
  `select ${COLUMNS} from notes where app_id = $1 and subject = $2 order by note_id desc limit $3`,
)

/** Newest first. */
export const selectNotes = (
  db: Queryable,
  appId: string,
  subject: NoteSubject,
  limit: number,
): Promise<Note[]> => db.query(LIST, [appId, subject, limit])

const INSERT = sql<Note>(
  'notes.insert',
  `insert into notes (app_id, subject, author_kind, author_id, author_name, text, created_time)
   select $1, $2, $3, $4, $5, $6, $7
   where (select count(*) from (select from notes where app_id = $1 and subject = $2 limit $8) n) < $8
   returning ${COLUMNS}`,
)

/** Undefined: there are as many as allowed. */
export async function insertNote(
  db: Queryable,
  appId: string,
  { subject, text, author, createdTime }: Omit<Note, 'noteId'> & { readonly subject: NoteSubject },
  most: number,
): Promise<Note | undefined> {
  const values = [appId, subject, author.kind, author.id, author.name, text, createdTime, most]
  return (await db.query(INSERT, values))[0]
}

const ERASE = sql<never>('notes.erase', 'delete from notes where app_id = $1 and subject = any ($2::text[])')

export async function deleteNotes(
  db: Queryable,
  appId: string,
  subjects: readonly NoteSubject[],
): Promise<void> {
  await db.query(ERASE, [appId, subjects])
}

const ASSIGNEE = sql<{ personId: string }>(
  'notes.assignee',
  'select person_id from assignments where app_id = $1 and subject = $2',
)

export const selectAssignee = async (
  db: Queryable,
  appId: string,
  subject: NoteSubject,
): Promise<string | undefined> => (await db.query(ASSIGNEE, [appId, subject]))[0]?.personId

const ASSIGN = sql<never>(
  'notes.assign',
  `insert into assignments (app_id, subject, person_id, assigned_time) values ($1, $2, $3, $4)
   on conflict (app_id, subject) do update set person_id = excluded.person_id,
     assigned_time = excluded.assigned_time`,
)

const UNASSIGN = sql<never>('notes.unassign', 'delete from assignments where app_id = $1 and subject = $2')

/** Undefined: no longer assigned. */
export async function writeAssignee(
  db: Queryable,
  appId: string,
  { subject, personId, time }: { subject: NoteSubject; personId: string | undefined; time: Date },
): Promise<void> {
  if (personId === undefined) await db.query(UNASSIGN, [appId, subject])
  else await db.query(ASSIGN, [appId, subject, personId, time])
}
