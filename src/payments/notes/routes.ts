import Type from 'typebox'
import { acting, type Context } from '../../context.ts'
import { getCustomer } from '../../customers/commands.ts'
import type { Route } from '../../http/route.ts'
import { Instant, readId, text } from '../../http/wire.ts'
import type { App } from '../../merchants/app.ts'
import { appRoute } from '../../merchants/app-route.ts'
import { getPayment } from '../actions.ts'
import { PaymentParams } from '../wire/schema.ts'
import { addNote, NOTE_LENGTH, type Note, type NoteSubject, notesOf } from './notes.ts'

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

const noteView = ({ createdTime, ...note }: Note) => ({ ...note, createdTime: createdTime.toISOString() })

interface NotedOf {
  readonly tag: 'Payments' | 'Customers'
  readonly path: string
  readonly noun: 'payment' | 'customer'
  readonly params: typeof PaymentParams | typeof CustomerParams
  readonly subjectOf: (app: App, params: Readonly<Record<string, string>>) => Promise<NoteSubject>
}

const CustomerParams = Type.Object({ appId: Type.String(), customerId: Type.String() })

/** Notes of a payment and of a customer. */
export const noteRoutes = (ctx: Context): Route[] => [
  ...routesOf(ctx, {
    tag: 'Payments',
    path: '/payments/{paymentId}/notes',
    noun: 'payment',
    params: PaymentParams,
    subjectOf: async (app, params) =>
      `payment:${(await getPayment(ctx, app, readId(params.paymentId ?? ''))).paymentId}`,
  }),
  ...routesOf(ctx, {
    tag: 'Customers',
    path: '/customers/{customerId}/notes',
    noun: 'customer',
    params: CustomerParams,
    subjectOf: async (app, params) =>
      `customer:${(await getCustomer(ctx, app, params.customerId ?? '')).customerId}`,
  }),
]

function routesOf(ctx: Context, { tag, path, noun, params, subjectOf }: NotedOf): Route[] {
  return [
    appRoute({
      method: 'GET',
      tag,
      path,
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
      path,
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
