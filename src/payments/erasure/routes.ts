import Type from 'typebox'
import { acting, type Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { Instant } from '../../http/wire.ts'
import { appRoute } from '../../merchants/app-route.ts'
import { type Eraser, eraseCustomer } from './erase.ts'

const ErasedAnswer = Type.Object(
  { customerId: Type.String(), erasedTime: Instant },
  { title: 'ErasedCustomer' },
)

export function erasureRoutes(ctx: Context, erasers: readonly Eraser[]): Route[] {
  return [
    appRoute({
      method: 'POST',
      path: '/customers/{customerId}/erase',
      summary: 'Erase the personal data of a customer',
      description:
        'Names, e-mail and other addresses, phone numbers and IP addresses are overwritten in the ' +
        'customer, its payments, events and logs; providers are told to forget stored methods. Payments ' +
        'and sums stay. `customerId` itself and the texts of orders stay too. It cannot be undone; a ' +
        'repetition changes nothing.',
      tag: 'Customers',
      status: 200,
      params: Type.Object({ appId: Type.String(), customerId: Type.String() }),
      response: ErasedAnswer,
      errors: ['not_found', 'customer_busy'],
      examples: { response: { customerId: 'customer-1001', erasedTime: '2030-01-31T12:00:00.000Z' } },
      handler: async (app, { params, actor }) => {
        const erased = await eraseCustomer(acting(ctx, actor), app, params.customerId, erasers)
        return { customerId: erased.customerId, erasedTime: erased.erasedTime.toISOString() }
      },
    }),
  ]
}
