import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import type { Payment } from '../payment.ts'
import {
  type CustomerPaid,
  type CustomerStanding,
  type CustomerTotal,
  lastCharges,
  listOfCustomer,
  paidBy,
  standingOf,
  totalsOf,
} from './customer-store.ts'

export interface PaymentsPage {
  readonly payments: readonly Payment[]
  readonly hasOlder: boolean
}

/** What a customer has paid or is to pay, newest first, from before a payment where one is named. */
export async function paymentsOfCustomer(
  ctx: Pick<Context, 'db'>,
  app: App,
  wanted: { readonly customerId: string; readonly before?: number | undefined; readonly most: number },
): Promise<PaymentsPage> {
  const { customerId, before = Number.MAX_SAFE_INTEGER, most } = wanted
  // One more than is shown tells whether there are older ones.
  const found = await listOfCustomer(ctx.db, app.appId, { customerId, before, most: most + 1 })
  return { payments: found.slice(0, most), hasOlder: found.length > most }
}

/** By registration: the last charge that was made without the customer. */
export async function lastChargesOf(
  ctx: Pick<Context, 'db'>,
  app: App,
  customerId: string,
): Promise<ReadonlyMap<number, Payment>> {
  const charges = await lastCharges(ctx.db, app.appId, customerId)
  return new Map(charges.flatMap((payment) => (payment.tokenId === null ? [] : [[payment.tokenId, payment]])))
}

/** Bounds the work for a customer with very many payments. */
const MAX_SUMMED = 1_000

export interface CustomerTotals {
  readonly totals: readonly CustomerTotal[]
  /** True: only the newest payments are counted, `most` of them. */
  readonly isPartial: boolean
  readonly most: number
}

/** What a customer paid, by currency. */
export async function totalsOfCustomer(
  ctx: Pick<Context, 'db'>,
  app: App,
  customerId: string,
): Promise<CustomerTotals> {
  const totals = await totalsOf(ctx.db, app.appId, { customerId, most: MAX_SUMMED })
  const count = totals.reduce((sum, total) => sum + total.count, 0)
  return { totals, isPartial: count >= MAX_SUMMED, most: MAX_SUMMED }
}

/** For a list of customers less is summed than for one. */
const MAX_LISTED = 200

export interface LifetimeValue {
  readonly sums: readonly Pick<CustomerPaid, 'currency' | 'paidMinor'>[]
  readonly lastTime: Date
  /** True: only the newest payments are summed. */
  readonly isPartial: boolean
}

/** What each customer has paid and not got back, and the time of the last payment. */
export async function lifetimeValues(
  ctx: Pick<Context, 'db'>,
  { appId }: App,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, LifetimeValue>> {
  const rows = await paidBy(ctx.db, appId, { customerIds, most: MAX_LISTED })
  const values = new Map<string, LifetimeValue & { count: number }>()
  for (const { customerId, currency, paidMinor, lastTime, count } of rows) {
    const before = values.get(customerId)
    const all = (before?.count ?? 0) + count
    values.set(customerId, {
      sums: [...(before?.sums ?? []), { currency, paidMinor }],
      lastTime: before && before.lastTime > lastTime ? before.lastTime : lastTime,
      isPartial: all >= MAX_LISTED,
      count: all,
    })
  }
  return values
}

/** For a reviewer: the newest payments of the customer, this one included. */
export const standingOfCustomer = (
  ctx: Pick<Context, 'db'>,
  { appId }: App,
  customerId: string,
): Promise<CustomerStanding> => standingOf(ctx.db, appId, { customerId, most: MAX_SUMMED })
