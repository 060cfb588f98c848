import { ApiError, invalid, wrongField } from '../../base/errors.ts'
import { expected } from '../../base/mistakes.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { auditApp } from '../../merchants/app-audit.ts'
import { listMembers } from '../../people/members/members.ts'
import type { Eraser } from '../erasure/erase.ts'
import {
  deleteNotes,
  insertNote,
  type Note,
  type NoteSubject,
  selectAssignee,
  selectNotes,
  writeAssignee,
} from './store.ts'

export type { Note, NoteSubject } from './store.ts'

export const NOTE_LENGTH = 2_000
/** Of one payment or customer; more are refused. */
const MAX_NOTES = 200

/** Newest first. */
export const notesOf = (ctx: Pick<Context, 'db'>, { appId }: App, subject: NoteSubject): Promise<Note[]> =>
  selectNotes(ctx.db, appId, subject, MAX_NOTES)

/** The audit log names the note and not its text: the log outlives an erasure. */
export function addNote(ctx: Context, app: App, subject: NoteSubject, written: string): Promise<Note> {
  const text = written.trim()
  if (text === '' || text.length > NOTE_LENGTH)
    throw invalid([expected('text', 'textFromTo', { least: 1, most: NOTE_LENGTH })])
  const { kind = 'service', id = 'service', name = 'service' } = ctx.actor ?? {}
  return ctx.db.transaction(async (tx) => {
    const fresh = { subject, text, author: { kind, id, name }, createdTime: appNow(ctx, app) }
    const note = await insertNote(tx, app.appId, fresh, MAX_NOTES)
    if (!note) throw new ApiError('not_possible', `There are ${MAX_NOTES} notes already.`)
    await auditApp(ctx, tx, app, { action: 'note.added', target: subject, after: { noteId: note.noteId } })
    return note
  })
}

/** The person of the team who takes care of it. */
export const assigneeOf = (
  ctx: Pick<Context, 'db'>,
  { appId }: App,
  subject: NoteSubject,
): Promise<string | undefined> => selectAssignee(ctx.db, appId, subject)

/** Gives it to a member of the team, or to none. The same person again changes nothing. */
export async function assign(
  ctx: Context,
  app: App,
  subject: NoteSubject,
  personId: string | undefined,
): Promise<void> {
  const members = personId === undefined ? [] : await listMembers(ctx, app.licenseId)
  if (personId !== undefined && !members.some((member) => member.person.personId === personId))
    throw invalid([wrongField('personId', 'must be a member of the team')])
  await ctx.db.transaction(async (tx) => {
    const before = await selectAssignee(tx, app.appId, subject)
    if (before === personId) return
    await writeAssignee(tx, app.appId, { subject, personId, time: ctx.clock.now() })
    await auditApp(ctx, tx, app, {
      action: personId === undefined ? 'assignment.removed' : 'assignment.made',
      target: subject,
      ...(before !== undefined && { before: { personId: before } }),
      ...(personId !== undefined && { after: { personId } }),
    })
  })
}

/** Notes may have anything that a person wrote about the customer. */
export const eraseNotes: Eraser = async (ctx, { appId, customerId, paymentIds }) =>
  deleteNotes(ctx.db, appId, [
    `customer:${customerId}`,
    ...paymentIds.map((paymentId): NoteSubject => `payment:${paymentId}`),
  ])
