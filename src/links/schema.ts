import Type, { type Static, type TSchema } from 'typebox'
import { LIMITS } from '../base/limits.ts'
import { Instant, InstantInput, MoneyInput, maybe, name, UrlOrNothing } from '../http/wire.ts'
import { LINKS } from './limits.ts'

const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const LinkBody = Type.Object({
  isReusable: Type.Boolean({ description: 'false: one payment at most.' }),
  amount: maybe(MoneyInput, 'What each payer pays. Without it the payer chooses between the bounds.'),
  minimumAmount: maybe(MoneyInput, 'The least that the payer may choose.'),
  maximumAmount: maybe(MoneyInput, 'The most that the payer may choose.'),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    expected: 'currency',
    description: 'An ISO 4217 code that a provider profile of the app takes.',
  }),
  description: maybe(
    name(LIMITS.nameLength),
    'Shown to the payer; the name of the app where it is left out.',
  ),
  referenceId: maybe(
    name(LINKS.referenceLength),
    'The reference of each payment begins with it; else with the id of the link.',
  ),
  maximumPayments: maybe(
    Type.Integer({ minimum: 1, maximum: LINKS.maximumPayments }),
    'How many payments the link makes. Payments that fail or expire do not count.',
  ),
  expirationTime: maybe(InstantInput, 'The link makes no payment after it.'),
  autoCapture: maybe(
    Type.Boolean(),
    'true, which is the default, captures as soon as authorised; false authorises only.',
  ),
  returnUrl: maybe(UrlOrNothing, 'Where payers go from the result of their payment.'),
})
export type LinkBody = Static<typeof LinkBody>

const PageSize = Type.Optional(
  Type.Refine(
    Type.String({ pattern: '^[1-9]\\d{0,2}$', expected: `an integer from 1 to ${LIMITS.pageSize}` }),
    (value) => Number(value) <= LIMITS.pageSize,
  ),
)
const description = 'Where a page begins; from the `Link` header of the one before.'
const linkId = Type.String({ minLength: 1, maxLength: 40 })

export const LinksQuery = Type.Object({
  pageSize: PageSize,
  before: Type.Optional(
    Type.String({ pattern: '^link_[0-9a-z]{16}$', expected: 'the id of a payment link', description }),
  ),
})
export const LinkPaymentsQuery = Type.Object({
  pageSize: PageSize,
  before: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', expected: 'integer', description })),
})
export const LinkParams = Type.Object({ appId: Type.String(), paymentLinkId: linkId })

export const LinkAnswer = Type.Object(
  {
    paymentLinkId: Type.String(),
    url: Type.String({ description: 'Opening it creates nothing; the button on its page makes a payment.' }),
    isReusable: Type.Boolean(),
    isActive: Type.Boolean({
      description: 'false when it was withdrawn, has expired or made all its payments.',
    }),
    amount: nullable(Type.Number(), 'Null: the payer chooses.'),
    minimumAmount: nullable(Type.Number()),
    maximumAmount: nullable(Type.Number()),
    currency: Type.String(),
    description: Type.String(),
    referenceId: nullable(Type.String()),
    autoCapture: Type.Boolean(),
    returnUrl: nullable(Type.String()),
    maximumPayments: nullable(Type.Integer(), 'Null: any number.'),
    paidCount: Type.Integer({ description: 'Payments of which something was captured.' }),
    paidAmount: Type.Number({ description: 'What was captured, before refunds.' }),
    createdTime: Instant,
    expirationTime: nullable(Instant),
    withdrawnTime: nullable(Instant),
  },
  { title: 'PaymentLink' },
)

const wanted = {
  isReusable: true,
  minimumAmount: 5,
  maximumAmount: 500,
  currency: 'EUR',
  description: 'Donation for the library',
  referenceId: 'library',
} as const

export const EXAMPLES = {
  body: { ...wanted, maximumPayments: 100 },
  link: {
    ...wanted,
    paymentLinkId: 'link_7h2k9m4qpx0w3c5e',
    url: 'https://pay.example.com/l/0123456789abcdefghjkmnpqrstvwxyz012345',
    isActive: true,
    amount: null,
    autoCapture: true,
    returnUrl: null,
    maximumPayments: 100,
    paidCount: 2,
    paidAmount: 75.5,
    createdTime: '2030-01-31T12:00:00.000Z',
    expirationTime: null,
    withdrawnTime: null,
  },
} as const
