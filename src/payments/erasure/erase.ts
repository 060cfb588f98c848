import { after, MINUTE } from '../../base/clock.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { eraseCustomerRecord } from '../../customers/erasure/erase.ts'
import { eraseBlocks } from '../../fraud/blocks/commands.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { auditApp } from '../../merchants/app-audit.ts'
import { clearTables } from '../../merchants/app-rows.ts'
import {
  type Erasure,
  endErasure,
  erasePayments,
  movingPayment,
  pageOfPayments,
  scheduleErasure,
} from './store.ts'
import { eraseViews } from './views.ts'

/** What is left to erase for one page of payments of a customer. */
interface ErasedPayments {
  readonly appId: string
  readonly customerId: string
  readonly paymentIds: readonly number[]
}

/**
 * Overwrites what a feature holds about these payments and their customer. Called after the payments were
 * erased, more than once. Without payments it is called once, for what belongs to the customer alone.
 */
export type Eraser = (ctx: Context, erased: ErasedPayments) => Promise<void>

/** Small enough that the locks of one page delay no request. */
const PAGE_SIZE = 200
/** By then requests that were running have ended and logs are written. */
const SECOND_PASS_MS = MINUTE

/** Refused while a payment of the customer moves. Idempotent. */
export async function eraseCustomer(
  ctx: Context,
  app: App,
  customerId: string,
  erasers: readonly Eraser[],
): Promise<Erasure> {
  const erasure = { appId: app.appId, customerId, erasedTime: appNow(ctx, app) }
  await ctx.db.transaction(async (tx) => {
    const moving = await movingPayment(tx, app.appId, customerId)
    if (moving !== undefined) throw stillMoving(moving)
    await eraseViews(tx, app.appId, customerId)
    await eraseBlocks(tx, app.appId, customerId)
    if (!(await eraseCustomerRecord(ctx, tx, app, erasure))) throw notFound('The customer')
    await scheduleErasure(tx, erasure, after(ctx.clock.now(), SECOND_PASS_MS))
    await auditApp(ctx, tx, app, { action: 'customer.erased', target: `customer:${customerId}` })
  })
  ctx.signals.wake('method-removals')
  await erasePass(ctx, erasure, erasers)
  return erasure
}

const stillMoving = (paymentId: number): ApiError =>
  new ApiError('customer_busy', `Payment ${paymentId} of the customer is being carried out.`, {
    transient: true,
    members: { paymentId },
  })

/** Erases all payments until the time of the erasure. False when some of them move and are left. */
export async function erasePass(
  ctx: Context,
  erasure: Erasure,
  erasers: readonly Eraser[],
): Promise<boolean> {
  const { appId, customerId, erasedTime } = erasure
  let isWhole = true
  let page: readonly number[] = []
  do {
    const window = { customerId, after: page.at(-1) ?? 0, createdUntil: erasedTime, limit: PAGE_SIZE }
    page = await pageOfPayments(ctx.db, appId, window)
    const found = page
    const paymentIds =
      found.length === 0 ? [] : await ctx.db.transaction((tx) => erasePayments(tx, appId, found))
    isWhole &&= paymentIds.length === page.length
    for (const erase of erasers) await erase(ctx, { appId, customerId, paymentIds })
  } while (page.length === PAGE_SIZE)
  return isWhole
}

/** The later pass of an erasure. It ends when nothing was left out. */
export async function completeErasure(
  ctx: Context,
  erasure: Erasure,
  erasers: readonly Eraser[],
): Promise<void> {
  if (await erasePass(ctx, erasure, erasers)) await endErasure(ctx.db, erasure)
}

export const clearPayments = clearTables([
  'notes',
  'assignments',
  'timers',
  'undos',
  'provider_movements',
  'method_storings',
  'card_tries',
  'charged_cards',
  'operations',
  'refunds',
  'payments',
  'payment_search',
  'refund_counts',
])
