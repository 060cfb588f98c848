import type { BigNumberInput } from '@medusajs/framework/types'
import { MathBN } from '@medusajs/framework/utils'

interface AmountRow {
  readonly id: string
  readonly amount: BigNumberInput
  readonly raw_amount?: BigNumberInput
}

interface MovementRow extends AmountRow {
  readonly payment: { readonly id: string }
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

interface SessionRow {
  readonly id: string
  readonly status: string
  readonly provider_id: string
  readonly data: Readonly<Record<string, unknown>> | null
  readonly payment?: { readonly id: string } | null
}

interface FullSessionRow extends SessionRow {
  readonly payment_collection: AmountRow & { readonly payment_sessions: Iterable<SessionRow> }
}

/** The services of Medusa's payment module have this method among others. */
interface Service<T> {
  list(filters: object, config: { relations: string[] }): Promise<T[]>
}

/** Marks refunds that a webhook told of. They are recorded in Medusa and never sent to Tender. */
export const TOLD_BY_TENDER = 'told_by_tender'

export type Rows = ReturnType<typeof rowsOf>

/**
 * Reads the rows of Medusa's payment module. A provider is not given what it needs to keep amounts equal:
 * the amount of a capture, other sessions of the cart, and what the cart costs after a change.
 */
export function rowsOf(cradle: Record<string, unknown>) {
  const sessions = () => cradle.paymentSessionService as Service<FullSessionRow>
  const captures = () => cradle.captureService as Service<MovementRow>
  const refunds = () => cradle.refundService as Service<MovementRow>
  const find = async (service: Service<MovementRow>, id = '') =>
    (await service.list({ id }, { relations: ['payment'] }))[0]
  const ofRecord = async (service: Service<MovementRow>, recordId: string) =>
    totalOf(await service.list({ payment_id: recordId }, { relations: [] }))
  return {
    async session(id: string) {
      const relations = ['payment', 'payment_collection.payment_sessions.payment']
      const [row] = await sessions().list({ id }, { relations })
      return row && shopSession(row)
    },
    /** The amount of a capture, and of all captures of its payment. */
    async capture(id: string | undefined) {
      const row = await find(captures(), id)
      return row && { amount: totalOf([row]), total: await ofRecord(captures(), row.payment.id) }
    },
    captured: (recordId: string) => ofRecord(captures(), recordId),
    /** All refunds of a payment, if this one records what Tender has refunded already. */
    async toldRefund(id: string | undefined) {
      const row = await find(refunds(), id)
      return row?.metadata?.[TOLD_BY_TENDER] ? ofRecord(refunds(), row.payment.id) : undefined
    },
  }
}

const totalOf = (rows: readonly AmountRow[]) =>
  rows.reduce((sum, { amount, raw_amount }) => MathBN.add(sum, raw_amount ?? amount), MathBN.convert(0))

function shopSession({ id, status, data, payment, provider_id, payment_collection }: FullSessionRow) {
  const others = [...payment_collection.payment_sessions].filter(
    (other) => other.id !== id && other.provider_id === provider_id,
  )
  return {
    status,
    /** The payment in Tender that belongs to it now. */
    paymentId: data?.paymentId,
    /** Medusa's own record of the payment, made when the session is authorised. */
    recordId: payment?.id,
    /** What the cart or order costs now. */
    due: payment_collection.raw_amount ?? payment_collection.amount,
    others: others.map((other) => ({ id: other.id, data: other.data, isRecorded: Boolean(other.payment) })),
  }
}
