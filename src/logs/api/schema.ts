import Type from 'typebox'
import { isStorable } from '../../base/time/instant.ts'
import { Instant, InstantInput } from '../../http/wire.ts'
import { LOGS } from '../limits.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

const MEMBERS = {
  requestId: Type.String({ description: 'As the answer’s `x-request-id`.' }),
  time: Instant,
  method: Type.String(),
  path: Type.String({ description: 'Without the query.' }),
  route: Type.String({ description: 'The path with parameters in braces.' }),
  status: Type.Integer(),
  ms: Type.Integer({ description: 'From the headers of the request to the end of the answer.' }),
  keyId: nullable(Type.String(), 'The API key.'),
  personId: nullable(Type.String(), 'The person, for a request of the console.'),
  address: Type.String({ description: 'The address of the client.' }),
  idempotencyKey: nullable(Type.String()),
  isReplayed: Type.Boolean({ description: 'Answered with the answer of an earlier request.' }),
  paymentId: nullable(Type.Integer()),
  error: nullable(Type.String(), 'The code of a refusal.'),
}

export const ApiCallAnswer = Type.Object(MEMBERS, { title: 'ApiCall' })

const ANY = Type.Unknown({
  description: 'Masked JSON of about 8 kB at most; null when it is not kept.',
})

export const ApiCallDetailsAnswer = Type.Object(
  { ...MEMBERS, query: ANY, requestBody: ANY, answerBody: ANY },
  { title: 'ApiCallDetails' },
)

export const ApiLogQuery = Type.Object({
  since: Type.Optional(InstantInput),
  until: Type.Optional(InstantInput),
  statusClass: Type.Optional(
    Type.Enum(['2xx', '3xx', '4xx', '5xx'], { description: 'Only answers of this class.' }),
  ),
  method: Type.Optional(Type.Enum(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'])),
  pathPrefix: Type.Optional(Type.String({ maxLength: 200, description: 'How the path begins.' })),
  keyId: Type.Optional(Type.String({ maxLength: 64 })),
  requestId: Type.Optional(Type.String({ maxLength: 64 })),
  pageSize: Type.Optional(
    Type.Refine(
      Type.String({ pattern: '^[1-9]\\d{0,2}$', expected: `an integer from 1 to ${LOGS.maxPageLines}` }),
      (value) => Number(value) <= LOGS.maxPageLines,
    ),
  ),
  before: Type.Optional(
    Type.Refine(
      Type.String({
        pattern: '^\\d{1,15}-\\d{1,15}$',
        expected: 'taken from the link to the next page',
        description: 'Where a page begins; from the `Link` header of the one before.',
      }),
      (value) => isStorable(Number(value.split('-')[0])),
    ),
  ),
})

export const ApiLogParams = Type.Object({ appId: Type.String(), requestId: Type.String() })

export const ApiCountsQuery = Type.Object({
  since: Type.Optional(InstantInput),
  until: Type.Optional(InstantInput),
})

export const ApiCountsAnswer = Type.Object(
  {
    from: Instant,
    to: Instant,
    bucket: Type.Enum(['minute', 'hour']),
    buckets: Type.Array(
      Type.Object({
        time: Instant,
        succeeded: Type.Integer(),
        refused: Type.Integer({ description: '4xx.' }),
        failed: Type.Integer({ description: '5xx.' }),
        leftOut: Type.Integer({ description: 'How many of these have no line in the log.' }),
        averageMs: nullable(Type.Integer()),
      }),
    ),
  },
  { title: 'ApiCounts' },
)

const CALL_EXAMPLE = {
  requestId: 'req_7h2m0w9e4t6r8y1v3p5d',
  time: '2026-11-15T12:00:00.000Z',
  method: 'POST',
  path: '/api/apps/app_k3v9tq2m8x1c/payments/hosted-page',
  route: '/api/apps/{appId}/payments/hosted-page',
  status: 400,
  ms: 4,
  keyId: 'key_3p5d7s7h2m0w9e4t',
  personId: null,
  address: '192.0.2.10',
  idempotencyKey: null,
  isReplayed: false,
  paymentId: null,
  error: 'invalid_request',
}

export const API_LOG_EXAMPLES = {
  list: [CALL_EXAMPLE],
  details: {
    ...CALL_EXAMPLE,
    query: null,
    requestBody: { referenceId: 'order-10042', amount: -1, currency: 'EUR' },
    answerBody: { status: 400, code: 'invalid_request', detail: 'amount must be positive.' },
  },
  counts: {
    from: '2026-11-14T12:00:00.000Z',
    to: '2026-11-15T12:00:00.000Z',
    bucket: 'hour',
    buckets: [
      {
        time: '2026-11-15T11:00:00.000Z',
        succeeded: 120,
        refused: 3,
        failed: 0,
        leftOut: 0,
        averageMs: 12,
      },
    ],
  },
} as const
