import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http'
import type { BigNumberInput, IPaymentModuleService } from '@medusajs/framework/types'
import { ContainerRegistrationKeys, MathBN, Modules, PaymentActions } from '@medusajs/framework/utils'
import { processPaymentWorkflow, refundPaymentWorkflow } from '@medusajs/medusa/core-flows'
import { WebhookError } from 'tender-sdk'
import type { ToldPayment } from '../../../provider.ts'
import { TOLD_BY_TENDER } from '../../../rows.ts'

const DEFAULT_PROVIDER = 'pp_tender_tender'
type Scope = MedusaRequest['scope']

const paymentsOf = (scope: Scope) => scope.resolve<IPaymentModuleService>(Modules.PAYMENT)

/**
 * Takes webhooks and answers when the order is made, see decision 0182. Medusa's own address acknowledges
 * first and acts seconds later from memory: a crash in between loses it. Tender sends again what fails here.
 */
export async function POST(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const { scope, body, rawBody, headers } = request
  try {
    const provider = (await providerOf(scope, body)).replace(/^pp_/, '')
    const received = { provider, payload: { data: body, rawData: rawBody, headers } }
    type Received = Parameters<IPaymentModuleService['getWebhookActionAndData']>[0]
    const result = await paymentsOf(scope).getWebhookActionAndData(received as Received)
    const told = result.data as ToldPayment | undefined
    if (told) await act(scope, result.action, told)
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    response.status(401).json({ type: 'not_allowed', message: error.message })
  }
}

/** By the session that the body names: each provider has its own secret. The body is verified afterwards. */
async function providerOf(scope: Scope, body: unknown): Promise<string> {
  const { payment } = (body ?? {}) as { readonly payment?: { readonly referenceId?: unknown } }
  if (typeof payment?.referenceId !== 'string') return DEFAULT_PROVIDER
  const id = payment.referenceId.split('.')[0] ?? ''
  const options = { select: ['id', 'provider_id'], take: 1 }
  const [session] = await paymentsOf(scope).listPaymentSessions({ id }, options)
  return session?.provider_id ?? DEFAULT_PROVIDER
}

async function act(scope: Scope, action: string, told: ToldPayment): Promise<void> {
  let order: string | undefined
  if (action === PaymentActions.AUTHORIZED || action === PaymentActions.SUCCESSFUL) {
    await processPaymentWorkflow(scope).run({ input: { action, data: told } })
    order = await orderOf(scope, told.session_id)
    if (order === 'none')
      throw new Error('The cart is paid and has no order yet. Tender will send this webhook again.')
  }
  if (told.refundedAmount > 0) await giveBack(scope, told, false)
  if (order === 'canceled') await giveBack(scope, told, true)
}

/** The status of the order; 'none' where the workflow could not complete the cart: it does not tell. */
async function orderOf(scope: Scope, sessionId: string): Promise<string | undefined> {
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const find = async (entity: string, field: string, filters: Record<string, unknown>) =>
    (await query.graph({ entity, fields: [field], filters })).data[0]?.[field] as string | undefined
  const collection = await find('payment_session', 'payment_collection_id', { id: sessionId })
  const cart = await find('cart_payment_collection', 'cart_id', { payment_collection_id: collection })
  const id = cart && (await find('order_cart', 'order_id', { cart_id: cart }))
  return id ? find('order', 'status', { id }) : cart && 'none'
}

/**
 * Records a refund that was made elsewhere, such as in the console of Tender: Medusa has no webhook action
 * for it. Or returns all: the order was cancelled while its payment was under way.
 */
async function giveBack(scope: Scope, told: ToldPayment, isAll: boolean): Promise<void> {
  const options = { relations: ['captures', 'refunds'] }
  const [record] = await paymentsOf(scope).listPayments({ payment_session_id: told.session_id }, options)
  const sum = (rows: readonly { readonly amount: BigNumberInput }[] = []) =>
    rows.reduce((total, { amount }) => MathBN.add(total, amount), MathBN.convert(0))
  const captured = sum(record?.captures)
  const amount = MathBN.sub(
    isAll ? captured : MathBN.min(told.refundedAmount, captured),
    sum(record?.refunds),
  )
  const metadata = isAll ? {} : { [TOLD_BY_TENDER]: true }
  const input = { payment_id: record?.id ?? '', amount, metadata }
  if (record && MathBN.gt(amount, 0)) await refundPaymentWorkflow(scope).run({ input })
  else if (record && isAll && MathBN.eq(captured, 0)) await paymentsOf(scope).cancelPayment(record.id)
}
