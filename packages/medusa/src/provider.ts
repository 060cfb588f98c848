import type * as T from '@medusajs/framework/types'
import {
  AbstractPaymentProvider,
  MathBN,
  PaymentActions,
  PaymentSessionStatus,
} from '@medusajs/framework/utils'
import { createTender, type Payment, type Tender, TenderError, verifyWebhook } from 'tender-sdk'
import { checkOptions, type TenderProviderOptions } from './options.ts'
import {
  amountText,
  dataOf,
  isOver,
  isPaid,
  isSameAmount,
  notAllowed,
  referenceOf,
  sessionOf,
  statusOf,
  told,
} from './payment.ts'
import { type Rows, rowsOf } from './rows.ts'

/** What a webhook tells, with what Medusa does not ask for. */
export type ToldPayment = T.WebhookActionData & { readonly refundedAmount: number }

const NOTHING_TO_DO: T.WebhookActionResult = { action: PaymentActions.NOT_SUPPORTED }

/** The payment provider `pp_tender_{id}`. Amounts and states are read from Tender, never from the browser. */
export class TenderPaymentProvider extends AbstractPaymentProvider<TenderProviderOptions> {
  static override identifier = 'tender'
  private readonly tender: Tender
  private readonly rows: Rows

  static override validateOptions(options: Record<string, unknown>): void {
    checkOptions(options)
  }

  constructor(cradle: Record<string, unknown>, options: TenderProviderOptions) {
    super(cradle, options)
    this.tender = createTender({ ...options, timeoutMs: 15_000, maxRetries: 2 })
    this.rows = rowsOf(cradle)
  }

  /** Opens the hosted page: the storefront sends the browser to `data.redirectUrl`. */
  async initiatePayment(input: T.InitiatePaymentInput): Promise<T.InitiatePaymentOutput> {
    const sessionId = String(input.data?.session_id ?? '')
    await this.refuseSecondPayment(sessionId)
    const payment = await this.open(sessionId, 1, input)
    return { id: String(payment.paymentId), status: statusOf(payment), data: dataOf(payment) }
  }

  /** Another amount is another payment: Tender never changes what a customer was shown. */
  async updatePayment(input: T.UpdatePaymentInput): Promise<T.UpdatePaymentOutput> {
    const { amount, currency_code: currency } = input
    const payment = await this.read(input.data)
    const isSame = isSameAmount(amount, payment) && currency.toUpperCase() === payment.currency
    if (isSame && !isOver(payment)) return { status: statusOf(payment), data: dataOf(payment) }
    await this.giveBack(payment)
    const { session_id: sessionId, version } = dataOf(payment)
    const opened = await this.open(sessionId, version + 1, input)
    return { status: statusOf(opened), data: dataOf(opened) }
  }

  /** A session goes when its cart changes or is paid anew. Its money goes back first. */
  async deletePayment({ data }: T.DeletePaymentInput): Promise<T.PaymentProviderOutput> {
    const payment = await this.known(data)
    if (payment && isPaid(payment) && (await this.isWanted(payment)))
      throw notAllowed(`Payment ${payment.paymentId} in Tender has paid this cart: complete the cart.`)
    return payment ? { data: dataOf(await this.giveBack(payment)) } : {}
  }

  async authorizePayment({ data, context }: T.AuthorizePaymentInput): Promise<T.AuthorizePaymentOutput> {
    const payment = await this.read(data)
    if (context?.idempotency_key !== sessionOf(payment))
      throw notAllowed(`Payment ${payment.paymentId} in Tender is not of this session.`)
    const status = statusOf(payment)
    if (status === PaymentSessionStatus.PENDING || isOver(payment)) return { status, data: dataOf(payment) }
    if (!(await this.isWanted(payment)))
      return { status: PaymentSessionStatus.CANCELED, data: dataOf(await this.giveBack(payment)) }
    await this.closeOthers(payment)
    // For Medusa "captured" is all of it: how much a capture of a part took is told by the webhook.
    const isPart = status === PaymentSessionStatus.CAPTURED && payment.capturedAmount < payment.amount
    return { status: isPart ? PaymentSessionStatus.AUTHORIZED : status, data: dataOf(payment) }
  }

  async getPaymentStatus({ data }: T.GetPaymentStatusInput): Promise<T.GetPaymentStatusOutput> {
    const payment = await this.read(data)
    return { status: statusOf(payment), data: dataOf(payment) }
  }

  async retrievePayment({ data }: T.RetrievePaymentInput): Promise<T.PaymentProviderOutput> {
    return { data: { ...(await this.read(data)) } }
  }

  /** Called for captures that a person starts in Medusa, and for those that a webhook tells of. */
  async capturePayment({ data, context }: T.CapturePaymentInput): Promise<T.PaymentProviderOutput> {
    const payment = await this.read(data)
    const { paymentId, capturedAmount, currency } = payment
    const row = await this.rows.capture(context?.idempotency_key)
    if (capturedAmount > 0) {
      if (!row || MathBN.lte(row.total, capturedAmount)) return { data: dataOf(payment) }
      throw notAllowed(
        `${capturedAmount} ${currency} of payment ${paymentId} are captured. Tender captures once and ` +
          'releases the rest: ask the customer for a new payment.',
      )
    }
    const query =
      row && !isSameAmount(row.amount, payment) ? { amount: amountText(row.amount, currency) } : {}
    const captured = await told(this.tender.payments.capture(paymentId, query, once(context)))
    if (statusOf(captured) === PaymentSessionStatus.CAPTURED || captured.paymentState === 'Capturing')
      return { data: dataOf(captured) }
    throw notAllowed(`Nothing was captured: ${captured.lastError ?? captured.paymentState}`)
  }

  async refundPayment({ data, amount, context }: T.RefundPaymentInput): Promise<T.PaymentProviderOutput> {
    const payment = await this.read(data)
    const { paymentId, currency, refundedAmount } = payment
    const recorded = await this.rows.toldRefund(context?.idempotency_key)
    if (recorded !== undefined) {
      if (MathBN.lte(recorded, refundedAmount)) return { data: dataOf(payment) }
      throw notAllowed('This refund of Tender is already recorded.')
    }
    const query = { amount: amountText(amount, currency) }
    const refunded = await told(this.tender.payments.refund(paymentId, query, once(context)))
    if (refunded.paymentState !== 'Refunding' && refunded.refundedAmount <= refundedAmount)
      throw notAllowed(`Nothing was refunded: ${refunded.lastError ?? refunded.paymentState}`)
    return { data: dataOf(refunded) }
  }

  async cancelPayment({ data }: T.CancelPaymentInput): Promise<T.PaymentProviderOutput> {
    const payment = await this.read(data)
    if (isOver(payment) || payment.canCancel) return { data: dataOf(await this.giveBack(payment)) }
    throw notAllowed(`Payment ${payment.paymentId} is ${payment.paymentState} in Tender: refund it instead.`)
  }

  /** Reads the payment that a webhook names: late and repeated ones tell the present state too. */
  async getWebhookActionAndData(
    payload: T.ProviderWebhookPayload['payload'],
  ): Promise<T.WebhookActionResult> {
    const headers = payload.headers as Record<string, string>
    const event = await verifyWebhook(payload.rawData ?? '', headers, this.config.webhookSecret)
    if (event.type !== 'payment.state_changed') return NOTHING_TO_DO
    const payment = await told(this.tender.payments.get(event.payment.paymentId))
    const session_id = sessionOf(payment)
    const session = await this.rows.session(session_id)
    if (session?.paymentId !== payment.paymentId) return NOTHING_TO_DO
    const { amount, capturedAmount, refundedAmount } = payment
    const data: ToldPayment = { session_id, amount, refundedAmount }
    const status = statusOf(payment)
    if (status !== PaymentSessionStatus.CAPTURED) return { action: actionOf(status), data }
    const known = session.recordId === undefined ? 0 : await this.rows.captured(session.recordId)
    // Of a whole capture the shop's own amount, which may have more decimals.
    const isWhole = capturedAmount === amount && isSameAmount(session.due, payment)
    const missing = MathBN.sub(isWhole ? session.due : capturedAmount, known)
    // What Medusa has captured already still needs its order.
    if (MathBN.lte(missing, 0)) return { action: PaymentActions.AUTHORIZED, data }
    return { action: PaymentActions.SUCCESSFUL, data: { ...data, amount: missing.toNumber() } }
  }

  async createAccountHolder({ context }: T.CreateAccountHolderInput): Promise<T.CreateAccountHolderOutput> {
    const { customer } = context
    const created = this.tender.customers.create({ customerId: customer.id, ...personOf(customer) })
    const isKnown = (error: unknown) => error instanceof TenderError && error.code === 'customer_exists'
    await told(created.catch((error) => isKnown(error) || Promise.reject(error)))
    return { id: customer.id, data: { customerId: customer.id } }
  }

  async updateAccountHolder({ context }: T.UpdateAccountHolderInput): Promise<T.PaymentProviderOutput> {
    const customerId = String(context.account_holder.data.customerId)
    if (context.customer) await told(this.tender.customers.update(customerId, personOf(context.customer)))
    return { data: { customerId } }
  }

  async listPaymentMethods({ context }: T.ListPaymentMethodsInput): Promise<T.ListPaymentMethodsOutput> {
    const customerId = context?.account_holder?.data.customerId
    if (typeof customerId !== 'string') return []
    const methods = await told(this.tender.customers.paymentMethods(customerId))
    return methods.map((method) => ({ id: String(method.paymentMethodId), data: { ...method } }))
  }

  async deletePaymentMethod({ data, context }: T.DeletePaymentMethodInput): Promise<T.PaymentProviderOutput> {
    const customerId = context?.account_holder?.data.customerId
    if (typeof customerId !== 'string') throw notAllowed('This customer has no stored methods in Tender.')
    await told(this.tender.customers.removePaymentMethod(customerId, data.id))
    return {}
  }

  private open(sessionId: string, version: number, input: T.UpdatePaymentInput): Promise<Payment> {
    const { amount, currency_code: currency, context } = input
    const { autoCapture = true, offerToSave = true, returnUrl, webhookUrl, paymentProfiles } = this.config
    const customer = context?.customer
    const customerId = customer?.id ?? `guest-${sessionId}`
    const opened = this.tender.payments.createHostedPage({
      referenceId: referenceOf(sessionId, version),
      amount: amountText(amount, currency),
      currency: currency.toUpperCase(),
      autoCapture,
      returnUrl,
      showPayRecurringInCheckout: offerToSave && customer !== undefined,
      customerOrder: { customer: { customerId, ...(customer && personOf(customer)) } },
      ...(webhookUrl && { webhookUrl }),
      ...(paymentProfiles && { paymentProfiles: [...paymentProfiles] }),
    })
    return told(opened)
  }

  private async read(data: Record<string, unknown> | undefined): Promise<Payment> {
    const payment = await this.known(data)
    if (payment) return payment
    throw notAllowed('This payment session has no payment in Tender: make a new session.')
  }

  /** Until Tender has answered, a session has data of the browser: the payment of another order, perhaps. */
  private async known(data?: Record<string, unknown> | null, id?: string): Promise<Payment | undefined> {
    if (typeof data?.paymentId !== 'number') return undefined
    const payment = await told(this.tender.payments.get(data.paymentId))
    const isOwn = id === undefined || sessionOf(payment) === id
    return isOwn && payment.paymentKey === data.paymentKey ? payment : undefined
  }

  /** Ends a payment: it is cancelled, or refunded when the money is taken. */
  private async giveBack(payment: Payment): Promise<Payment> {
    const { paymentId, canCancel, canRefund } = payment
    if (isOver(payment)) return payment
    const options = { idempotencyKey: `give-back-${paymentId}` }
    let ended = payment
    if (canCancel) ended = await told(this.tender.payments.cancel(paymentId, {}, options))
    else if (canRefund) ended = await told(this.tender.payments.refund(paymentId, {}, options))
    if (isOver(ended) || ended.paymentState === 'Refunding') return ended
    throw notAllowed(`Payment ${paymentId} is still ${ended.paymentState} in Tender: try again in a minute.`)
  }

  /** Whether the cart or order still costs what was paid, and nothing else has paid it. */
  private async isWanted(payment: Payment): Promise<boolean> {
    const session = await this.rows.session(sessionOf(payment))
    if (!session || session.others.some(({ isRecorded }) => isRecorded)) return false
    // The order was made while the payment was held or under way.
    const hasOrder = session.status === PaymentSessionStatus.PENDING_AUTHORIZATION
    return session.recordId !== undefined || hasOrder || isSameAmount(session.due, payment)
  }

  /** A cart that is paid but not yet completed must not be paid in another tab. */
  private async refuseSecondPayment(sessionId: string): Promise<void> {
    const session = await this.rows.session(sessionId)
    for (const { id, data } of session?.others ?? []) {
      const other = await this.known(data, id)
      if (session && other && isPaid(other) && isSameAmount(session.due, other))
        throw notAllowed(`Payment ${other.paymentId} in Tender has paid this cart: complete the cart.`)
    }
  }

  /** Pages of this cart that are still open in other tabs. */
  private async closeOthers(payment: Payment): Promise<void> {
    const session = await this.rows.session(sessionOf(payment))
    for (const { id, data } of session?.others ?? []) {
      const other = await this.known(data, id)
      if (other) await this.giveBack(other)
    }
  }
}

const actionOf = (status: PaymentSessionStatus): PaymentActions =>
  status === PaymentSessionStatus.ERROR ? PaymentActions.FAILED : (status as unknown as PaymentActions)

const once = (context: T.PaymentProviderContext | undefined) =>
  context?.idempotency_key === undefined ? {} : { idempotencyKey: context.idempotency_key }

const personOf = ({ email, first_name, last_name, phone }: T.PaymentCustomerDTO) => ({
  email,
  firstName: first_name ?? null,
  lastName: last_name ?? null,
  phoneNumber: phone ?? null,
})
