import { ApiError, notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { mayLag, type Queryable } from '../db/database.ts'
import { type App, appNow } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { forgetApp } from '../merchants/directory.ts'
import { type NewActivity, noteActivity } from './activity/activity.ts'
import {
  type Customer,
  type CustomerChanges,
  type CustomerFields,
  type CustomerFilter,
  countRegistrations,
  customerWords,
  insertCustomer,
  listCustomers,
  lockCustomerRow,
  selectCustomer,
  selectCustomerIds,
  updateCustomer,
} from './store.ts'

export { type Customer, type CustomerChanges, customerIdsBy, knownCustomer } from './store.ts'

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
  ctx: Context,
  app: App,
  customerId: string,
  changes: CustomerChanges,
): Promise<Customer> {
  const changed = await ctx.db.transaction(async (tx) => {
    const before = await lockCustomerRow(tx, app.appId, customerId)
    const customer = before && (await updateCustomer(tx, app.appId, customerId, changes))
    if (!customer) throw notFound('The customer')
    await noteChanges(ctx, tx, app, { before, customer })
    return { before, customer }
  })
  // Whether an app has blocked customers is cached with it.
  if (changed.before.isBlocked !== changed.customer.isBlocked) forgetApp(ctx, app.appId)
  return changed.customer
}

interface Changed {
  readonly before: Customer
  readonly customer: Customer
}

const PERSONAL = ['firstName', 'lastName', 'email', 'mobileNumber'] as const

/** Only the names of changed personal data are recorded: both logs outlive an erasure. */
async function noteChanges(
  ctx: Context,
  tx: Queryable,
  app: App,
  { before, customer }: Changed,
): Promise<void> {
  const { customerId, isBlocked, fraudPolicyId } = customer
  const note = (type: NewActivity['type'], data: object) =>
    noteActivity(ctx, tx, app, { customerId, type, data })
  const record = (action: string, name: 'isBlocked' | 'fraudPolicyId') =>
    auditApp(ctx, tx, app, {
      action,
      target: `customer:${customerId}`,
      before: { [name]: before[name] },
      after: { [name]: customer[name] },
    })
  const members = PERSONAL.filter((name) => before[name] !== customer[name])
  if (members.length > 0) await note('DetailsChanged', { members })
  if (before.fraudPolicyId !== fraudPolicyId) {
    await note('PolicyChanged', { before: before.fraudPolicyId, after: fraudPolicyId })
    await record('customer.policy_changed', 'fraudPolicyId')
  }
  if (before.isBlocked !== isBlocked) {
    await note(isBlocked ? 'Blocked' : 'Unblocked', {})
    await record(isBlocked ? 'customer.blocked' : 'customer.unblocked', 'isBlocked')
  }
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

export interface FoundCustomers {
  /** At most so many as were asked for. */
  readonly ids: readonly string[]
  /** Set where there are more: all of them by `customerIdsBy`. */
  readonly words?: string
  /** There are more than `many`. */
  readonly isMany: boolean
}

/** The customers that a text means, or one of them if it is. */
export async function customersMeant(
  ctx: Ctx,
  { appId }: App,
  text: string,
  { only, most, many }: { readonly only?: string | undefined; readonly most: number; readonly many: number },
): Promise<FoundCustomers> {
  const words = customerWords(appId, text)
  const wanted = { only, limit: most, counted: many + 1 }
  const { ids, count } = await selectCustomerIds(ctx.db, words, wanted)
  return { ids, ...(count > most ? { words } : {}), isMany: count > many }
}

/** Bounds the count at a profile with very many stored methods. */
const MAX_COUNTED = 10_000

/** Stored methods that can be charged through a profile. `count` is at most `most`. */
export const storedMethodsAt = async (ctx: Ctx, { appId }: App, profileId: number) => ({
  count: await countRegistrations(ctx.db, appId, profileId, MAX_COUNTED),
  most: MAX_COUNTED,
})
