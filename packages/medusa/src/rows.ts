import { MathBN } from '@medusajs/framework/utils'
import type { BigNumberInput } from '@medusajs/framework/types'

type Amount = ReturnType<typeof MathBN.convert>

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

/** A payment session as Medusa's database has it. */
export interface ShopSession {
  readonly status: string
  /** The payment in Tender that belongs to it now. */
  readonly paymentId: unknown
  /** Medusa's own record of the payment, made when the session is authorised. */
  readonly recordId: string | undefined
  /** What the cart or order costs now. */
  readonly due: BigNumberInput
  /** Other sessions of the same cart at this provider. */
  readonly others: readonly { readonly paymentId: unknown; readonly isRecorded: boolean }[]
}

/**
 * Reads the rows of Medusa's payment module. A provider is not given what it needs to keep amounts equal:
 * the amount of a capture, other sessions of the cart, and what the cart costs after a change.
 */
export interface Rows {
  session(id: string): Promise<ShopSession | undefined>
  /** The amount of a capture, and of all captures of its payment. */
  capture(id: string): Promise<{ readonly amount: Amount; readonly total: Amount } | undefined>
  /** All captures of a payment. */
  captured(recordId: string): Promise<Amount>
  /** All refunds of a payment, if this one records what Tender has refunded already. */
  toldRefund(id: string): Promise<Amount | undefined>
}

/** Marks refunds that a webhook told of. They are recorded in Medusa and never sent to Tender. */
export const TOLD_BY_TENDER = 'told_by_tender'

export function rowsOf(cradle: Record<string, unknown>): Rows {
  const sessions = () => cradle.paymentSessionService as Service<FullSessionRow>
  const captures = () => cradle.captureService as Service<MovementRow>
  const refunds = () => cradle.refundService as Service<MovementRow>
  const ofRecord = async (service: Service<MovementRow>, recordId: string) =>
    totalOf(await service.list({ payment_id: recordId }, { relations: [] }))
  return {
    async session(id) {
      const relations = ['payment', 'payment_collection.payment_sessions.payment']
      const [row] = await sessions().list({ id }, { relations })
      return row && shopSession(row)
    },
    async capture(id) {
      const [row] = await captures().list({ id }, { relations: ['payment'] })
      return row && { amount: totalOf([row]), total: await ofRecord(captures(), row.payment.id) }
    },
    captured: (recordId) => ofRecord(captures(), recordId),
    async toldRefund(id) {
      const [row] = await refunds().list({ id }, { relations: ['payment'] })
      return row?.metadata?.[TOLD_BY_TENDER] ? ofRecord(refunds(), row.payment.id) : undefined
    },
  }
}

const totalOf = (rows: readonly AmountRow[]): Amount =>
  rows.reduce((sum, { amount, raw_amount }) => MathBN.add(sum, raw_amount ?? amount), MathBN.convert(0))

function shopSession({ id, status, data, payment, provider_id, payment_collection }: FullSessionRow) {
  const others = [...payment_collection.payment_sessions]
    .filter((other) => other.id !== id && other.provider_id === provider_id)
    .map((other) => ({ paymentId: other.data?.paymentId, isRecorded: Boolean(other.payment) }))
  return {
    status,
    paymentId: data?.paymentId,
    recordId: payment?.id,
    due: payment_collection.raw_amount ?? payment_collection.amount,
    others,
  }
}
