import Type from 'typebox'
import { acting, type Context } from '../../context.ts'
import { getCustomer } from '../../customers/commands.ts'
import type { Route } from '../../http/route.ts'
import { Instant, readId, text } from '../../http/wire.ts'
import type { App } from '../../merchants/app.ts'
import { appRoute } from '../../merchants/app-route.ts'
import { listMembers } from '../../people/members/members.ts'
import { getPayment } from '../actions.ts'
import { PaymentParams } from '../wire/schema.ts'
import { addNote, assign, assigneeOf, NOTE_LENGTH, type Note, type NoteSubject, notesOf } from './notes.ts'

const NoteBody = Type.Object(
  { text: text(NOTE_LENGTH, { minLength: 1, description: 'What the team should know.' }) },
  { title: 'NewNote' },
)

const NoteAnswer = Type.Object(
  {
    noteId: Type.Integer(),
    text: Type.String(),
    author: Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() }),
    createdTime: Instant,
  },
  { title: 'Note' },
)

const EXAMPLE = {
  noteId: 1,
  text: 'The customer called: the parcel arrived damaged.',
  author: { kind: 'key', id: 'key_8f3k2m9q', name: 'Shop' },
  createdTime: '2030-01-31T12:00:00.000Z',
}

const PersonId = Type.Union([Type.String(), Type.Null()])
const Assigned = Type.Object(
  {
    personId: PersonId,
    name: Type.Union([Type.String(), Type.Null()], {
      description: 'The name, otherwise the e-mail address.',
    }),
  },
  { title: 'Assignment', description: 'The member of the team who takes care of it; null for none.' },
)
const AssignBody = Type.Object({ personId: PersonId }, { title: 'NewAssignment' })
const ASSIGNED = { personId: 'usr_4k2m9q8f', name: 'Dana Kern' }

const noteView = ({ createdTime, ...note }: Note) => ({ ...note, createdTime: createdTime.toISOString() })

interface NotedOf {
  readonly tag: 'Payments' | 'Customers'
  /** Of the payment or the customer. */
  readonly path: string
  readonly noun: 'payment' | 'customer'
  readonly params: typeof PaymentParams | typeof CustomerParams
  readonly subjectOf: (app: App, params: Readonly<Record<string, string>>) => Promise<NoteSubject>
}

const CustomerParams = Type.Object({ appId: Type.String(), customerId: Type.String() })

/** Notes and assignments of payments and customers. A review is that of its payment. */
export const noteRoutes = (ctx: Context): Route[] =>
  subjectsOf(ctx).flatMap((noted) => [...routesOf(ctx, noted), ...assignmentRoutes(ctx, noted)])

const subjectsOf = (ctx: Context): NotedOf[] => [
  {
    tag: 'Payments',
    path: '/payments/{paymentId}',
    noun: 'payment',
    params: PaymentParams,
    subjectOf: async (app, params) =>
      `payment:${(await getPayment(ctx, app, readId(params.paymentId ?? ''))).paymentId}`,
  },
  {
    tag: 'Customers',
    path: '/customers/{customerId}',
    noun: 'customer',
    params: CustomerParams,
    subjectOf: async (app, params) =>
      `customer:${(await getCustomer(ctx, app, params.customerId ?? '')).customerId}`,
  },
]

function routesOf(ctx: Context, { tag, path, noun, params, subjectOf }: NotedOf): Route[] {
  return [
    appRoute({
      method: 'GET',
      tag,
      path: `${path}/notes`,
      status: 200,
      summary: `List the notes of a ${noun}, the newest first`,
      description: 'For the team only: customers do not see them. Erasing the customer removes them.',
      params,
      response: Type.Array(NoteAnswer),
      errors: ['not_found'],
      examples: { response: [EXAMPLE] },
      handler: async (app, call) =>
        (await notesOf(ctx, app, await subjectOf(app, call.params))).map(noteView),
    }),
    appRoute({
      method: 'POST',
      tag,
      path: `${path}/notes`,
      status: 201,
      summary: `Add a note to a ${noun}`,
      description: 'At most 200 notes. A note cannot be changed.',
      params,
      body: NoteBody,
      response: NoteAnswer,
      errors: ['not_found', 'not_possible'],
      examples: { body: { text: EXAMPLE.text }, response: EXAMPLE },
      handler: async (app, { params: named, body, actor }) =>
        noteView(await addNote(acting(ctx, actor), app, await subjectOf(app, named), body.text)),
    }),
  ]
}

function assignmentRoutes(ctx: Context, { tag, path, noun, params, subjectOf }: NotedOf): Route[] {
  const common = {
    tag,
    path: `${path}/assignment`,
    status: 200,
    params,
    response: Assigned,
    errors: ['not_found'],
  } as const
  const view = async (app: App, subject: NoteSubject) => {
    const personId = (await assigneeOf(ctx, app, subject)) ?? null
    const members = personId === null ? [] : await listMembers(ctx, app.licenseId)
    const person = members.find((member) => member.person.personId === personId)?.person
    return { personId, name: person?.name || person?.email || null }
  }
  return [
    appRoute({
      ...common,
      method: 'GET',
      summary: `Read which member of the team takes care of a ${noun}`,
      examples: { response: ASSIGNED },
      handler: async (app, call) => view(app, await subjectOf(app, call.params)),
    }),
    appRoute({
      ...common,
      method: 'PUT',
      summary: `Give a ${noun} to a member of the team`,
      description: '`personId` of the list of members; null gives it to none.',
      body: AssignBody,
      examples: { body: { personId: ASSIGNED.personId }, response: ASSIGNED },
      handler: async (app, { params: named, body, actor }) => {
        const subject = await subjectOf(app, named)
        await assign(acting(ctx, actor), app, subject, body.personId ?? undefined)
        return view(app, subject)
      },
    }),
  ]
}
