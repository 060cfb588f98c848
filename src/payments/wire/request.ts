import { currencyDigits, isCurrency } from '../../base/currencies.ts'
import { type FieldError, invalid } from '../../base/errors.ts'
import { expected } from '../../base/mistakes.ts'
import { decimalsOf, parseMinor } from '../../base/money.ts'
import { readId, readInstant } from '../../http/wire.ts'
import type { ThreeDSecureAction } from '../../providers/methods/three-d-secure.ts'
import type { Details, Flow, Payment } from '../payment.ts'
import type { CustomerDetails } from '../store/write.ts'
import type {
  AutoPaymentBody,
  CustomerOrder,
  DirectBody,
  HostedPageBody,
  ProviderHostedPageBody,
} from './schema.ts'

/** Pure: a checked body in the core's words, or every field that is wrong with it. */
export interface NewPayment
  extends Pick<
    Payment,
    | 'flow'
    | 'referenceId'
    | 'amountMinor'
    | 'currency'
    | 'autoCapture'
    | 'autoPayment'
    | 'returnUrl'
    | 'webhookUrl'
    | 'expirationTime'
    | 'details'
    | 'customerId'
  > {
  readonly customer: CustomerDetails
}

type Body = HostedPageBody | DirectBody | ProviderHostedPageBody

export const readCreation = (flow: Exclude<Flow, 'AutoPayment'>, body: Body): NewPayment =>
  creationOf(flow, body, amountIn(body.currency, body.amount))

/** The same with an amount that was read before. */
export function creationOf(
  flow: Exclude<Flow, 'AutoPayment'>,
  body: Omit<Body, 'amount'>,
  amountMinor: bigint,
): NewPayment {
  const { currency, registerAutoPayment } = body
  return {
    ...readCommon({ ...(body as Omit<HostedPageBody, 'amount'>), flow }, { amountMinor, currency }),
    autoPayment: registerAutoPayment ? 'Register' : 'None',
  }
}

export function readAutoPayment(body: AutoPaymentBody, currency: string): NewPayment {
  const price = { amountMinor: amountIn(currency, body.amount), currency }
  return { ...readCommon({ ...body, flow: 'AutoPayment' }, price), autoPayment: 'Use' }
}

/** What any of the bodies may hold, seen as one. */
type Common = Omit<AutoPaymentBody, 'amount' | 'currency'> &
  Partial<Omit<HostedPageBody, keyof AutoPaymentBody>> & { readonly flow: Flow }

function readCommon(
  body: Common,
  { amountMinor, currency }: Pick<NewPayment, 'amountMinor' | 'currency'>,
): Omit<NewPayment, 'autoPayment'> {
  const { customer } = body.customerOrder
  return {
    flow: body.flow,
    referenceId: body.referenceId,
    amountMinor,
    currency,
    autoCapture: body.autoCapture,
    returnUrl: body.returnUrl || null,
    webhookUrl: body.webhookUrl || null,
    expirationTime: (body.expirationTime && readInstant(body.expirationTime)) || null,
    customerId: customer.customerId,
    details: detailsOf(body),
    customer: customerDetails(body.customerOrder),
  }
}

/** The `amount` of a request in minor units. Amounts are parsed here, at the wire, and stay minor units. */
export function amountIn(currency: string, value: number | string): bigint {
  const errors: FieldError[] = []
  const minor = readAmount(value, currency, errors)
  if (minor === undefined) throw invalid(errors)
  return minor
}

/** At most two decimals and at most the currency's own; 0.01 to 999,999,999.99. */
export function readAmount(
  value: number | string,
  currency: string,
  errors: FieldError[],
  field = 'amount',
): bigint | undefined {
  if (!isCurrency(currency)) {
    errors.push(expected('currency', 'currency'))
    return undefined
  }
  const digits = currencyDigits(currency)
  const minor = decimalsOf(value) > 2 ? undefined : parseMinor(value, currency)
  const { least, most } = boundsOf(digits)
  if (minor !== undefined && minor >= least && minor <= most) return minor
  if (!isNumeric(value)) errors.push(expected(field, 'amount'))
  else if (minor === undefined && Number(value) >= 0 && Number(value) < TOO_MUCH)
    errors.push(expected(field, 'amountPlaces', { places: Math.min(2, digits), currency }))
  else {
    const [from = '', to = ''] = digits < 2 ? ['1', '999999999'] : ['0.01', '999999999.99']
    errors.push(expected(field, 'amountFromTo', { least: from, most: to }))
  }
  return undefined
}

const TOO_MUCH = 1_000_000_000

const isNumeric = (value: number | string): boolean =>
  typeof value === 'number' || /^-?\d{1,50}(\.\d{1,50})?$/.test(value)

function boundsOf(digits: number): { least: bigint; most: bigint } {
  const scale = 10n ** BigInt(digits)
  return { least: digits < 2 ? 1n : scale / 100n, most: (99_999_999_999n * scale) / 100n }
}

function detailsOf(body: Common): Details {
  const order = body.customerOrder
  const profiles = body.paymentProfiles?.length
    ? body.paymentProfiles
    : body.paymentProfileId
      ? [body.paymentProfileId]
      : []
  const profileIds = profiles.flatMap((id) => readId(id) ?? [])
  const fraudPolicyId = body.fraudPolicyId ? readId(body.fraudPolicyId) : undefined
  return {
    customerOrder: orderEcho(order),
    ...(order.orderId ? { orderId: order.orderId } : {}),
    ...(order.description ? { description: order.description } : {}),
    ...(body.showPayRecurringInCheckout ? { showPayRecurringInCheckout: true } : {}),
    ...(profileIds.length > 0 ? { paymentProfiles: profileIds } : {}),
    ...(body.checkoutMethods?.length ? { checkoutMethods: body.checkoutMethods } : {}),
    ...(fraudPolicyId ? { fraudPolicyId } : {}),
    ...(body.locale ? { locale: body.locale } : {}),
    ...(body.country ? { country: body.country } : {}),
    ...(body.threeDSecure ? { threeDSecure: actionOf(body.threeDSecure) } : {}),
    ...(body.brandName ? { brand: body.brandName } : {}),
    ...(body.statementDescriptor ? { statement: body.statementDescriptor } : {}),
  }
}

function actionOf({ requested, isRequired }: NonNullable<Common['threeDSecure']>): ThreeDSecureAction {
  if (requested === 'exemption') return 'RequestExemption'
  return isRequired ? 'RequireChallenge' : 'RequestChallenge'
}

/** Empty and blank values never erase what is stored, so they are not passed on. */
function customerDetails({ customer }: CustomerOrder): CustomerDetails {
  const { address, accountCreatedTime, customId } = customer
  const extras = filledIn({ accountCreatedTime, customId, address: address && filledIn(address) })
  return {
    firstName: filled(customer.firstName),
    lastName: filled(customer.lastName),
    email: filled(customer.email),
    mobileNumber: filled(customer.mobileNumber) ?? filled(customer.phoneNumber),
    extras,
  }
}

const filled = (text: string | null | undefined): string | undefined => (text?.trim() ? text : undefined)

/** The members with a value; undefined when there is none. */
function filledIn(values: Readonly<Record<string, string | object | null | undefined>>): object | undefined {
  const kept = Object.entries(values).filter(([, value]) =>
    typeof value === 'string' ? filled(value) : value,
  )
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

/** The order as it is answered: known members only, money as numbers. */
function orderEcho(order: CustomerOrder): object {
  const { customer, amount } = order
  const person = pick(customer, CUSTOMER_MEMBERS)
  return withoutNothing({
    customer: {
      ...person,
      ...(customer.address ? { address: pick(customer.address, ADDRESS_MEMBERS) } : {}),
    },
    orderId: order.orderId,
    description: order.description,
    amount:
      amount &&
      withoutNothing({ ...numbers(pick(amount, AMOUNT_MEMBERS)), items: amount.items?.map(itemEcho) }),
    items: order.items?.map(itemEcho),
  })
}

const CUSTOMER_MEMBERS = [
  'customerId',
  'firstName',
  'lastName',
  'email',
  'phoneNumber',
  'mobileNumber',
  'accountCreatedTime',
  'customId',
]
const ADDRESS_MEMBERS = [
  'streetAddressLine1',
  'streetAddressLine2',
  'zipCode',
  'city',
  'state',
  'country',
  'countryCode',
]
const AMOUNT_MEMBERS = ['total', 'shipping', 'totalTax', 'discount', 'handling', 'insurance']

const itemEcho = (item: object): object => ({
  ...pick(item, ['name', 'category', 'sku', 'description']),
  ...numbers(pick(item, ['amount', 'quantity', 'tax'])),
})

function pick(from: object, members: readonly string[]): Record<string, unknown> {
  const known = from as Record<string, unknown>
  const picked: Record<string, unknown> = {}
  for (const member of members)
    if (known[member] !== undefined && known[member] !== null) picked[member] = known[member]
  return picked
}

const numbers = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([member, value]) => [member, Number(value)]))

const withoutNothing = (values: object): Record<string, unknown> => pick(values, Object.keys(values))
