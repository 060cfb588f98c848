import Type, { type TSchema } from 'typebox'
import { LIMITS } from '../base/limits.ts'
import { Instant, text } from '../http/wire.ts'
import { EVIDENCE_FILES, EVIDENCE_TEXTS, MEDIA_TYPES } from '../providers/disputes.ts'
import { DISPUTES } from './limits.ts'

const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const DisputesQuery = Type.Object({
  state: Type.Optional(Type.Enum(['open', 'won', 'lost'])),
  pageSize: Type.Optional(
    Type.Refine(
      Type.String({ pattern: '^[1-9]\\d{0,2}$', expected: `an integer from 1 to ${LIMITS.pageSize}` }),
      (value) => Number(value) <= LIMITS.pageSize,
    ),
  ),
  before: Type.Optional(
    Type.String({
      pattern: '^[012]_-?\\d{1,15}_\\d{1,15}_.{1,200}$',
      expected: 'taken from the link to the next page',
      description: 'Where a page begins; from the `Link` header of the one before.',
    }),
  ),
})

const dispute = {
  disputeId: Type.String({
    description:
      "The provider's id, as in `disputes` of the payment; `marked-…` for one that was recorded by hand.",
  }),
  paymentId: Type.Integer(),
  referenceId: Type.String({ description: 'The reference of the payment.' }),
  customerId: Type.String(),
  paymentProfileId: nullable(Type.Integer()),
  provider: nullable(Type.String()),
  state: Type.Enum(['open', 'won', 'lost']),
  amount: Type.Number(),
  currency: Type.String(),
  reason: nullable(Type.String(), "The provider's code."),
  evidenceDueTime: nullable(Instant, 'Until when the provider takes evidence.'),
  providerUrl: nullable(Type.String(), "The provider's page about the dispute."),
  openedTime: Instant,
  decidedTime: nullable(Instant),
  answer: nullable(
    Type.Enum(['draft', 'submitting', 'submitted', 'accepting', 'accepted']),
    'What the merchant answered. `submitting` and `accepting`: sent, and the result is not known yet.',
  ),
  answeredBy: nullable(Type.String()),
  answeredTime: nullable(Instant),
}

export const DisputeAnswer = Type.Object(dispute, { title: 'Dispute' })

const FileAnswer = Type.Object({
  kind: Type.Enum([...EVIDENCE_FILES]),
  mediaType: Type.Enum([...MEDIA_TYPES]),
  size: Type.Integer({ description: 'In bytes.' }),
  sha256: Type.String({ description: 'Hexadecimal. It shows later which file was sent.' }),
  savedBy: Type.String(),
  savedTime: Instant,
  isSent: Type.Boolean({ description: 'The provider has the file; it was removed here.' }),
})

const LimitsAnswer = Type.Object({
  texts: Type.Record(Type.String(), Type.Integer(), {
    description: 'The texts that the provider takes, with the most characters of each.',
  }),
  totalText: nullable(Type.Integer(), 'The most characters of all texts together.'),
  files: Type.Array(Type.Enum([...EVIDENCE_FILES])),
  fileBytes: Type.Integer(),
  totalBytes: Type.Integer(),
})

export const DisputeDetailsAnswer = Type.Object(
  {
    ...dispute,
    canRefund: Type.Boolean({ description: 'The payment can be refunded now, in spite of its disputes.' }),
    texts: Type.Record(Type.String(), Type.String(), {
      description: 'The draft. Removed here when the provider has it.',
    }),
    files: Type.Array(FileAnswer),
    limits: nullable(LimitsAnswer, 'Null: the dispute can only be answered at `providerUrl`.'),
    problem: nullable(Type.String(), 'Why the last answer was not taken: a code.'),
  },
  { title: 'DisputeDetails' },
)

const LONGEST_TEXT = 20_000

export const EvidenceBody = Type.Object({
  texts: Type.Object(
    Object.fromEntries(
      EVIDENCE_TEXTS.map((name) => [name, Type.Optional(Type.Union([text(LONGEST_TEXT), Type.Null()]))]),
    ),
    { description: 'All texts of the draft: those that are missing are removed.' },
  ),
})

const disputeId = Type.String({ minLength: 1, maxLength: DISPUTES.idLength })
export const DisputeParams = Type.Object({ appId: Type.String(), disputeId })
export const FileParams = Type.Object({
  appId: Type.String(),
  disputeId,
  kind: Type.Enum([...EVIDENCE_FILES]),
})

const listed = {
  disputeId: 'dp_1PgJq2Lk',
  paymentId: 10001,
  referenceId: 'order-1001',
  customerId: 'customer-7',
  paymentProfileId: 3,
  provider: 'stripe',
  state: 'open',
  amount: 49.9,
  currency: 'EUR',
  reason: 'product_not_received',
  evidenceDueTime: '2030-02-10T23:59:59.000Z',
  providerUrl: 'https://dashboard.stripe.com/disputes/dp_1PgJq2Lk',
  openedTime: '2030-01-31T12:00:00.000Z',
  decidedTime: null,
  answer: 'draft',
  answeredBy: 'olga@shop.example',
  answeredTime: '2030-02-01T09:00:00.000Z',
} as const

const texts = { explanation: 'The parcel was delivered on 28 January.', trackingNumber: 'JD014600003' }

export const EXAMPLES = {
  list: [listed],
  texts: { texts },
  details: {
    ...listed,
    canRefund: false,
    texts,
    files: [],
    limits: {
      texts: { explanation: 20_000, trackingNumber: 200 },
      totalText: 150_000,
      files: ['receipt', 'shippingProof'],
      fileBytes: 4_500_000,
      totalBytes: 4_500_000,
    },
    problem: null,
  },
} as const
