import { randomText } from '../../../base/ids.ts'
import { LIMITS } from '../../../base/limits.ts'
import { isMailbox } from '../../../base/mailbox.ts'
import { type Customer, customerPage, findCustomer } from '../../../customers/commands.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { LinkFields } from './fields.ts'

export const CUSTOMER_KINDS = ['none', 'known', 'new'] as const
export type CustomerKind = (typeof CUSTOMER_KINDS)[number]

export const customerKind = (fields: LinkFields): CustomerKind =>
  CUSTOMER_KINDS.find((kind) => kind === fields.text('customerKind')) ?? 'none'

/** As the order of a payment names its customer. */
export interface OrderedCustomer {
  readonly customerId: string
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
}

export interface CustomerProblem {
  readonly problem: 'customer' | 'customerMissing' | 'email'
  /** Set if the search has several results. */
  readonly choices?: readonly Customer[]
}

export type CustomerChoice = { readonly customer: OrderedCustomer } | CustomerProblem

const MOST_CHOICES = 8

/** Every payment has a customer: without one it gets an id of its own. */
export async function chooseCustomer(request: AppRequest, fields: LinkFields): Promise<CustomerChoice> {
  const kind = customerKind(fields)
  if (kind === 'known') return knownCustomer(request, fields)
  const customerId = `link_${randomText(request.ctx.random, 20)}`
  if (kind === 'none') return { customer: { customerId } }
  const email = fields.text('email').slice(0, LIMITS.emailLength)
  if (email !== '' && !isMailbox(email)) return { problem: 'email' }
  const firstName = fields.text('firstName').slice(0, LIMITS.nameLength)
  const lastName = fields.text('lastName').slice(0, LIMITS.nameLength)
  if (!email && !firstName && !lastName) return { problem: 'customerMissing' }
  return { customer: { customerId, firstName, lastName, email } }
}

/** The customer with this id, else the only one that the search finds. */
async function knownCustomer({ ctx, app }: AppRequest, fields: LinkFields): Promise<CustomerChoice> {
  const search = (fields.text('choice') || fields.text('customer')).slice(0, LIMITS.customerIdLength)
  if (search === '') return { problem: 'customerMissing' }
  const exact = await findCustomer(ctx, app.appId, search)
  if (exact) return { customer: { customerId: exact.customerId } }
  const { customers } = await customerPage(ctx, app, { search, pageNumber: 1, pageSize: MOST_CHOICES })
  const [first] = customers
  if (!first) return { problem: 'customer' }
  if (customers.length === 1) return { customer: { customerId: first.customerId } }
  return { problem: 'customer', choices: customers }
}

export const customerName = ({ customerId, firstName, lastName, email }: Customer): string =>
  [[firstName, lastName].filter(Boolean).join(' '), email, customerId].filter(Boolean).join(' · ')
