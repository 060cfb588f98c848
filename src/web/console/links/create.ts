import { sha256 } from '../../../base/secret.ts'
import { createPayment } from '../../../payments/create.ts'
import type { Payment } from '../../../payments/payment.ts'
import { creationOf } from '../../../payments/wire/request.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { OrderedCustomer } from './customer.tsx'
import type { LinkOrder } from './fields.ts'

/** Creates the payment of a link by the ordinary command. */
export async function createLink(
  request: AppRequest,
  { amountMinor, customerOrder, ...order }: LinkOrder,
  customer: OrderedCustomer,
): Promise<Payment> {
  const body = {
    ...order,
    referenceId: referenceOf(request),
    customerOrder: { customer, ...customerOrder },
  }
  const wanted = creationOf('HostedPage', body, amountMinor)
  const { payment } = await createPayment(request.ctx, request.app, {
    ...wanted,
    details: { ...wanted.details, isLink: true },
  })
  return payment
}

/** A UUID of the posted form, whose id is random: the same form sent twice makes one payment. */
function referenceOf({ call }: AppRequest): string {
  const hex = sha256(JSON.stringify([...call.form])).toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}
