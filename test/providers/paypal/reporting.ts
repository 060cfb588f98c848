import { captureView } from './views.ts'
import { type Amount, type Call, type Capture, moneyOf, type Reply, type World } from './world.ts'

/** Transaction search: what was captured, refunded and disputed, in the order of time. */

interface Row {
  readonly at: number
  readonly info: object
}

const TAKEN: readonly Capture['status'][] = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']

const negative = ({ minor, currency }: Amount) => moneyOf({ minor: -minor, currency })

const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+0000')

function capturedRow(world: World, one: Capture): Row {
  const { seller_receivable_breakdown: parts } = captureView(world, one) as {
    seller_receivable_breakdown?: { paypal_fee?: { currency_code: string; value: string } }
  }
  const fee = parts?.paypal_fee
  return {
    at: one.createdAt,
    info: {
      ...{ transaction_id: one.id, paypal_reference_id: one.order.id, paypal_reference_id_type: 'ODR' },
      ...{ transaction_event_code: 'T0006', transaction_initiation_date: iso(one.createdAt) },
      ...{ transaction_amount: moneyOf(one.amount), transaction_status: 'S' },
      ...(fee ? { fee_amount: { ...fee, value: `-${fee.value}` } } : {}),
      ...(one.invoiceId ? { invoice_id: one.invoiceId } : {}),
      custom_field: one.order.reference,
    },
  }
}

function rowsOf(world: World): Row[] {
  const orders = [...world.orders.values()]
  const captures = orders.flatMap((order) => order.captures).filter(({ status }) => TAKEN.includes(status))
  const refunds = orders.flatMap((order) => order.refunds).filter(({ status }) => status === 'COMPLETED')
  const rows = [
    ...captures.map((one) => capturedRow(world, one)),
    ...refunds.map(
      (one): Row => ({
        at: one.createdAt,
        info: {
          ...{ transaction_id: one.id, paypal_reference_id: one.capture.id, paypal_reference_id_type: 'TXN' },
          ...{ transaction_event_code: 'T1107', transaction_initiation_date: iso(one.createdAt) },
          ...{ transaction_amount: negative(one.amount), transaction_status: 'S' },
          ...(one.customId ? { custom_field: one.customId } : {}),
        },
      }),
    ),
  ]
  return rows.toSorted((first, second) => first.at - second.at)
}

export function listTransactions({ world, query }: Call): Reply {
  const [from, until] = ['start_date', 'end_date'].map((name) => Date.parse(query.get(name) ?? ''))
  if (!from || !until || until - from > 31 * 86_400_000)
    return {
      status: 400,
      body: { name: 'INVALID_REQUEST', message: 'The dates are missing or too far apart.' },
    }
  const size = Number(query.get('page_size') ?? 100)
  const page = Number(query.get('page') ?? 1)
  // The last second is included.
  const found = rowsOf(world).filter(({ at }) => at >= from && at < until + 1_000)
  const rows = found.slice((page - 1) * size, page * size)
  return {
    status: 200,
    body: {
      ...{ transaction_details: rows.map(({ info }) => ({ transaction_info: info })), page },
      ...{ total_items: found.length, total_pages: Math.ceil(found.length / size) },
    },
  }
}
