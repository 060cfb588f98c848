import { notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type CustomerMethod, customerMethods } from '../../customers/methods.ts'
import { getPayment } from '../../payments/actions.ts'
import type { Payment } from '../../payments/payment.ts'
import type { PanelRegistration } from './parts/home.tsx'
import { showsMethod } from './rules.ts'
import type { PanelVisitor } from './session.ts'

/** Ids come from URLs: a method or payment of another customer answers 404. */
export async function methodsOfVisitor(
  ctx: Context,
  { app, grant, customer }: PanelVisitor,
): Promise<CustomerMethod[]> {
  const methods = await customerMethods(ctx, app, customer.customerId, { onlyVerified: false })
  return methods.filter(({ kind }) => showsMethod(grant, kind))
}

export async function ownMethod(ctx: Context, visitor: PanelVisitor, id: number): Promise<CustomerMethod> {
  const found = (await methodsOfVisitor(ctx, visitor)).find(({ paymentMethodId }) => paymentMethodId === id)
  if (!found) throw notFound('The method')
  return found
}

export async function ownPayment(
  ctx: Context,
  { app, customer }: PanelVisitor,
  id: number,
): Promise<Payment> {
  const payment = await getPayment(ctx, app, id)
  if (payment.customerId !== customer.customerId) throw notFound('The payment')
  return payment
}

/** The registrations of all verified methods. */
export const panelRegistrations = (
  methods: readonly CustomerMethod[],
  last: ReadonlyMap<number, Payment>,
): PanelRegistration[] =>
  methods
    .filter(({ verificationState }) => verificationState === 'Verified')
    .flatMap((method) => method.tokens.map(({ tokenId }) => ({ tokenId, method, last: last.get(tokenId) })))
