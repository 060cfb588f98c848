import { notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type CustomerMethod, customerMethods } from '../../customers/methods.ts'
import { getPayment } from '../../payments/actions.ts'
import type { Payment } from '../../payments/payment.ts'
import type { Registered } from './parts/home.tsx'
import { shows } from './rules.ts'
import type { Guest } from './session.ts'

/** What belongs to this customer. Ids come from addresses: what is not the customer's own is not found. */
export async function methodsOfGuest(
  ctx: Context,
  { app, grant, customer }: Guest,
): Promise<CustomerMethod[]> {
  const methods = await customerMethods(ctx, app, customer.customerId, { onlyVerified: false })
  return methods.filter(({ kind }) => shows(grant, kind))
}

export async function ownMethod(ctx: Context, guest: Guest, id: number): Promise<CustomerMethod> {
  const found = (await methodsOfGuest(ctx, guest)).find(({ paymentMethodId }) => paymentMethodId === id)
  if (!found) throw notFound('The method')
  return found
}

export async function ownPayment(ctx: Context, { app, customer }: Guest, id: number): Promise<Payment> {
  const payment = await getPayment(ctx, app, id)
  if (payment.customerId !== customer.customerId) throw notFound('The payment')
  return payment
}

/** Each registration of the methods that can be charged. */
export const registeredOf = (
  methods: readonly CustomerMethod[],
  last: ReadonlyMap<number, Payment>,
): Registered[] =>
  methods
    .filter(({ verificationState }) => verificationState === 'Verified')
    .flatMap((method) => method.tokens.map(({ tokenId }) => ({ tokenId, method, last: last.get(tokenId) })))
