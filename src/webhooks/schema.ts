import Type from 'typebox'
import { LIMITS } from '../base/limits.ts'
import { isStorable } from '../base/time/instant.ts'
import { Instant, InstantInput } from '../http/wire.ts'
import { STATUSES } from './list-store.ts'

const orNull = (
  schema: ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>,
  description?: string,
) => Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

const Attempt = Type.Object(
  {
    attempt: Type.Integer({ description: 'Counts from 1.' }),
    time: Instant,
    httpStatus: orNull(Type.Integer(), 'Null when no answer came.'),
    latencyMs: Type.Integer(),
    error: orNull(Type.String(), 'What went wrong, in words; null when the endpoint answered 2xx.'),
    response: Type.Optional(
      orNull(Type.String(), 'The first 4 KiB of the answer, secrets masked. Not in lists.'),
    ),
    nextTryTime: orNull(Instant),
  },
  { title: 'WebhookAttempt' },
)

export const DeliveryAnswer = Type.Object(
  {
    eventId: Type.String({ description: 'Also the `webhook-id` of every try.' }),
    type: Type.String(),
    paymentId: orNull(Type.Integer(), 'Null for a test.'),
    paymentState: orNull(Type.String()),
    sequence: Type.Integer(),
    createdTime: Instant,
    queuedTime: Instant,
    url: orNull(Type.String(), 'Where it goes, without the query.'),
    endpointId: Type.Optional(
      Type.String({ description: 'The further endpoint that it goes to. Absent: the first one.' }),
    ),
    status: Type.Enum([...STATUSES]),
    nextTryTime: orNull(Instant),
    attempts: Type.Array(Attempt),
  },
  { title: 'WebhookDelivery' },
)

export const EventAnswer = Type.Object(
  {
    type: Type.String(),
    eventId: Type.String(),
    createdTime: Instant,
    sequence: Type.Integer(),
    kind: Type.Optional(Type.String({ description: 'What it is about: `payment`, `refund` or `dispute`.' })),
    payment: Type.Optional(Type.Object({}, { description: 'The whole Payment as it was at that change.' })),
  },
  { title: 'Event', description: 'The webhook, as it is sent.' },
)

const PAGE = {
  paymentId: Type.Optional(Type.String({ maxLength: 20, description: 'Only those of this payment.' })),
  since: Type.Optional(InstantInput),
  pageSize: Type.Optional(
    Type.Refine(
      Type.String({ pattern: '^[1-9]\\d{0,2}$', expected: `an integer from 1 to ${LIMITS.pageSize}` }),
      (value) => Number(value) <= LIMITS.pageSize,
    ),
  ),
  before: Type.Optional(
    Type.Refine(
      Type.String({
        pattern: '^\\d{1,15}-\\d{1,15}-\\d{1,9}(-\\d{1,9})?$',
        expected: 'taken from the link to the next page',
        description: 'Where a page begins; from the `Link` header of the one before.',
      }),
      (value) => isStorable(Number(value.split('-')[0])),
    ),
  ),
}

export const EventQuery = Type.Object(PAGE)

export const DeliveryQuery = Type.Object({ ...PAGE, status: Type.Optional(Type.Enum([...STATUSES])) })

export const DeliveryParams = Type.Object({
  appId: Type.String(),
  eventId: Type.String({ description: 'Such as `evt_10001_2`.' }),
})

export const OneDeliveryQuery = Type.Object({
  endpointId: Type.Optional(
    Type.String({ maxLength: 60, description: 'Of `GET /webhook-endpoints`. Absent: the first endpoint.' }),
  ),
})

export const ResendQuery = Type.Object({ since: Type.Optional(InstantInput) })

export const ResentAnswer = Type.Object({ resent: Type.Integer() }, { title: 'Resent' })

export const SecretAnswer = Type.String({ description: 'The secret, as a JSON string. Shown once.' })
