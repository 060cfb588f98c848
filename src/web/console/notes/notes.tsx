import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import {
  addNote,
  assign,
  assigneeOf,
  NOTE_LENGTH,
  type Note,
  type NoteSubject,
  notesOf,
} from '../../../payments/notes/notes.ts'
import type { Permission } from '../../../people/access/roles.ts'
import { listMembers } from '../../../people/members/members.ts'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Button, Select, type SelectOption } from '../../kit/html/controls.tsx'
import { Form, TextArea } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { withQuery } from '../../kit/list.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'

/** Notes of the team about a payment or a customer, and who takes care of it. */

export interface LoadedNotes {
  readonly notes: readonly Note[]
  readonly assignee: string | undefined
  /** Whom it can be given to, for those who may do so. */
  readonly members: readonly SelectOption[]
}

export async function loadNotes(
  request: AppRequest,
  subject: NoteSubject,
  permission: Permission,
): Promise<LoadedNotes> {
  const { ctx, app, can } = request
  const [notes, assignee, members] = await Promise.all([
    notesOf(ctx, app, subject),
    assigneeOf(ctx, app, subject),
    listMembers(ctx, app.licenseId),
  ])
  const options = members.map(({ person }) => ({
    value: person.personId,
    label: shortText(person.name || person.email, ENTRY_SHOWN) ?? '',
  }))
  const shown = options.filter(({ value }) => can(permission) || value === assignee)
  return { notes, assignee, members: shown }
}

interface NotesProps extends LoadedNotes {
  /** The page of the payment or the customer. */
  readonly path: string
  readonly mayWrite: boolean
  /** Where the forms lead back to; the page itself by default. */
  readonly back?: 'reviews'
}

export function NotesCard({ notes, assignee, members, path, mayWrite, back }: NotesProps) {
  const { lists } = useRequest().texts
  const hidden = back ? { back } : {}
  const named = members.find(({ value }) => value === assignee)?.label
  return (
    <Card title={lists.notes.title} id="notes" class="notes">
      {mayWrite ? (
        <Form action={`${path}/assign`} hidden={hidden} class="assign">
          <Select
            id="assignee"
            name="person"
            label={lists.assignee.title}
            value={assignee ?? ''}
            options={[{ value: '', label: lists.assignee.none }, ...members]}
          />
          <Button kind="quiet">{lists.assignee.save}</Button>
        </Form>
      ) : (
        <p class="muted">{`${lists.assignee.title}: ${named ?? lists.assignee.none}`}</p>
      )}
      {notes.length === 0 ? <p class="muted">{lists.notes.none}</p> : <NoteList notes={notes} />}
      {mayWrite && (
        <Form action={`${path}/notes`} hidden={hidden} button={lists.notes.add} buttonKind="quiet">
          <TextArea
            id="note-text"
            name="text"
            label={lists.notes.text}
            hint={lists.notes.hint}
            maxLength={NOTE_LENGTH}
            rows={3}
            required
          />
        </Form>
      )}
    </Card>
  )
}

const NoteList = ({ notes }: Pick<LoadedNotes, 'notes'>) => (
  <ul class="note-list">
    {notes.map(({ author, createdTime, text }) => (
      <li>
        <p class="muted small">
          <bdi>{shortText(author.name, ENTRY_SHOWN)}</bdi> · <Time time={createdTime} style="second" />
        </p>
        <p class="note-text">
          <bdi>{text}</bdi>
        </p>
      </li>
    ))}
  </ul>
)

interface NotedAt {
  readonly path: string
  readonly permission: Permission
  readonly subjectOf: (request: AppRequest) => Promise<NoteSubject>
}

/** The forms of the card, below the page of a payment or a customer. */
export function noteScreens({ path, permission, subjectOf }: NotedAt): ScreenRoute[] {
  const add = async (request: AppRequest) => {
    const { ctx, app, call } = request
    await addNote(ctx, app, await subjectOf(request), call.form.get('text') ?? '')
    return 'note-added'
  }
  const give = async (request: AppRequest) => {
    const { ctx, app, call } = request
    await assign(ctx, app, await subjectOf(request), call.form.get('person') || undefined)
    return 'assigned'
  }
  return [
    app('POST', `${path}/notes`, permission, answered(add), { formBytes: LIMITS.longFormBytes }),
    app('POST', `${path}/assign`, permission, answered(give)),
  ]
}

/** Leads back with a note about what was done, or that what was entered is not possible. */
const answered =
  (work: (request: AppRequest) => Promise<string>) =>
  async (request: AppRequest): Promise<PageAnswer> => {
    try {
      return seeOther(withQuery(backOf(request), { note: await work(request) }))
    } catch (error) {
      const isWrong = error instanceof ApiError && ['invalid_request', 'not_possible'].includes(error.code)
      if (!isWrong) throw error
      return seeOther(withQuery(backOf(request), { note: 'note-refused' }))
    }
  }

function backOf({ base, call }: AppRequest): string {
  const { paymentId } = call.params
  if (paymentId !== undefined && call.form.get('back') === 'reviews')
    return `${base}/reviews?payment=${encodeURIComponent(paymentId)}`
  return call.path.replace(/\?.*$/s, '').replace(/\/[^/]*$/, '')
}
