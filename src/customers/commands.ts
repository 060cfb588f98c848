import { ApiError, notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { mayLag } from '../db/database.ts'
import { type App, appNow } from '../merchants/app.ts'
import {
  type Customer,
  type CustomerChanges,
  type CustomerFields,
  type CustomerFilter,
  countRegistrations,
  insertCustomer,
  listCustomers,
  selectCustomer,
  updateCustomer,
} from './store.ts'

export type { Customer, CustomerChanges } from './store.ts'

type Ctx = Pick<Context, 'db'>

export const findCustomer = (ctx: Ctx, appId: string, customerId: string): Promise<Customer | undefined> =>
  selectCustomer(ctx.db, appId, customerId)

export async function getCustomer(ctx: Ctx, app: App, customerId: string): Promise<Customer> {
  const customer = await findCustomer(ctx, app.appId, customerId)
  if (!customer) throw notFound('The customer')
  return customer
}

export type NewCustomer = CustomerFields & Pick<Customer, 'customerId'>

export async function createCustomer(ctx: Context, app: App, wanted: NewCustomer): Promise<Customer> {
  const customer = await insertCustomer(ctx.db, app.appId, { ...wanted, createdTime: appNow(ctx, app) })
  if (!customer) throw new ApiError('customer_exists', 'A customer with this customerId exists already.')
  return customer
}

export async function changeCustomer(
  ctx: Ctx,
  app: App,
  customerId: string,
  changes: CustomerChanges,
): Promise<Customer> {
  const customer = await updateCustomer(ctx.db, app.appId, customerId, changes)
  if (!customer) throw notFound('The customer')
  return customer
}

export interface CustomerPage {
  readonly customers: readonly Customer[]
  readonly hasNext: boolean
}

export interface PageOptions extends Omit<CustomerFilter, 'offset' | 'limit'> {
  readonly pageNumber: number
  readonly pageSize: number
}

export async function customerPage(
  ctx: Ctx,
  app: App,
  { pageNumber, pageSize, ...filter }: PageOptions,
): Promise<CustomerPage> {
  // One row more than the page holds tells whether there is a next page.
  const window = { offset: (pageNumber - 1) * pageSize, limit: pageSize + 1 }
  const found = await listCustomers(mayLag(ctx.db), app.appId, { ...filter, ...window })
  return { customers: found.slice(0, pageSize), hasNext: found.length > pageSize }
}

/** Bounds the count at a profile with very many stored methods. */
const MOST_COUNTED = 10_000

/** Stored methods that can be charged through a profile. `count` is at most `most`. */
export const storedMethodsAt = async (ctx: Ctx, { appId }: App, profileId: number) => ({
  count: await countRegistrations(ctx.db, appId, profileId, MOST_COUNTED),
  most: MOST_COUNTED,
})
