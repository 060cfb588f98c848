import type { TestHelpersLedgerResult } from '../../../packages/sdk/src/tender.ts'
import type { Cart, ShopOrder, ShopPayment } from './shop.ts'
import { type TenderService, until } from './world.ts'

/** What the sandbox bank's ledger says of one payment, in minor units. */
interface BankPayment {
  readonly paymentId: number
  /** Reserved, and neither taken nor released. */
  readonly reserved: number
  readonly taken: number
  readonly returned: number
}

type Movement = TestHelpersLedgerResult

const MOVING = [
  'Authorizing',
  'Approved',
  'Capturing',
  'SaleInProgress',
  'Cancelling',
  'Refunding',
] as const satisfies readonly string[]

/** The id of the newest payment: those of a case are newer. */
export async function newestPayment({ client }: TenderService): Promise<number> {
  const [newest] = await client.payments.list().take(1)
  return newest?.paymentId ?? 0
}

/** What the bank did since then, by payment. */
export async function bankPayments({ client }: TenderService, since: number): Promise<BankPayment[]> {
  const movements = (await client.testHelpers.ledger()).filter(
    ({ paymentId, status }) => (paymentId ?? 0) > since && status === 'done',
  )
  const ids = [...new Set(movements.map(({ paymentId }) => paymentId ?? 0))]
  return ids.map((paymentId) => summed(paymentId, movements))
}

function summed(paymentId: number, movements: readonly Movement[]): BankPayment {
  const sum = (...kinds: readonly Movement['kind'][]) =>
    movements
      .filter((one) => one.paymentId === paymentId && kinds.includes(one.kind))
      .reduce((total, { amount }) => total + Math.round(amount * 100), 0)
  const isOpen = sum('capture', 'void') === 0
  return {
    paymentId,
    reserved: isOpen ? sum('authorise') : 0,
    taken: sum('sale', 'capture'),
    returned: sum('refund'),
  }
}

/** Until no payment since then is moving and the shop has acknowledged every webhook. */
export const untilQuiet = (tender: TenderService, since: number): Promise<true> =>
  until(tender, 'every payment rests and every webhook is delivered', async () => {
    const { client } = tender
    const moving = await client.payments.list({ state: MOVING.join(',') }).take(50)
    if (moving.some(({ paymentId }) => paymentId > since)) return false
    return (await client.webhooks.list({ status: 'pending' }).take(1)).length === 0
  })

export interface Expected {
  readonly total: number
  readonly refunded?: number
  readonly state?: ShopPayment['state']
}

/**
 * One order, one payment in the bank's ledger, equal amounts. Whatever else the bank took or reserved since
 * the case began was given back.
 */
export async function checkBooks(
  tender: TenderService,
  since: number,
  cart: Cart,
  { total, refunded = 0, state = 'captured' }: Expected,
): Promise<void> {
  await untilQuiet(tender, since)
  const order = await cart.order()
  const bank = await bankPayments(tender, since)
  const [payment] = order.payments
  const charged = bank.find(({ paymentId }) => paymentId === payment?.paymentId)
  const stray = bank.filter((one) => one !== charged && !isGivenBack(one))
  const wanted = { orders: 1, total, payments: 1, paid: total, refunded, pending: 0, state, stray: 0 }
  const found = { ...inShop(order), stray: stray.length, ...inBank(charged, state) }
  const books = JSON.stringify({ ...wanted, bankPaid: total, bankRefunded: refunded })
  if (JSON.stringify(found) !== books)
    throw new Error(`expected ${books}, found ${JSON.stringify(found)}, bank ${JSON.stringify(bank)}`)
}

const isGivenBack = ({ reserved, taken, returned }: BankPayment): boolean =>
  reserved === 0 && taken === returned

const inShop = ({ orders, total, payments }: ShopOrder) => ({
  orders,
  total,
  payments: payments.length,
  paid: payments[0]?.amount ?? 0,
  refunded: payments[0]?.refunded ?? 0,
  pending: payments[0]?.pendingRefunds ?? 0,
  state: payments[0]?.state,
})

const inBank = (payment: BankPayment | undefined, state: ShopPayment['state']) => ({
  bankPaid: (state === 'authorized' ? payment?.reserved : payment?.taken) ?? 0,
  bankRefunded: payment?.returned ?? 0,
})

/** No order, and everything that the bank took or reserved was given back. */
export async function checkNothing(tender: TenderService, since: number, cart: Cart): Promise<void> {
  await untilQuiet(tender, since)
  const { payments } = await cart.order()
  const kept = (await bankPayments(tender, since)).filter((one) => !isGivenBack(one))
  if (payments.length + kept.length > 0)
    throw new Error(`expected nothing, found ${JSON.stringify({ payments, kept })}`)
}
