import { Inject, Injectable } from '@nestjs/common'
import {
  ConfigService,
  type ID,
  isGraphQlErrorResult,
  Logger,
  Order,
  OrderService,
  Payment,
  type PaymentMethod,
  PaymentMethodService,
  type RequestContext,
  TransactionalConnection,
  UserInputError,
} from '@vendure/core'
import {
  createTender,
  type Tender,
  TenderError,
  type TenderErrorCode,
  type Payment as TenderPayment,
} from 'tender-sdk'
import { HANDLER_CODE, SETTINGS, type TenderSettings, WEBHOOK_PATH } from './options.ts'
import { decimalOf, integerOf, MAX_TRIES, orderCodeIn, referenceOf } from './reference.ts'
import { reconcileRefunds } from './refunds.ts'

const isOneOf = (...states: readonly TenderPayment['paymentState'][]) => {
  return ({ paymentState }: TenderPayment): boolean => states.includes(paymentState)
}
/** Another payment may be made for the same total. */
const hasEnded = isOneOf('Failed', 'Refunded')
/** The money is reserved or taken, and no review holds it. */
const isPaid = isOneOf('Authorized', 'Captured')

const capturesAtOnce = ({ handler }: PaymentMethod): boolean =>
  handler.args.find(({ name }) => name === 'autoCapture')?.value !== 'false'

/** Undefined where Tender refuses with this code. */
const unless = <T>(code: TenderErrorCode, call: Promise<T>): Promise<T | undefined> =>
  call.catch((error) => {
    if (error instanceof TenderError && error.code === code) return undefined
    throw error
  })

/** What the mutation, the webhooks and the handler have in common. */
@Injectable()
export class TenderService {
  @Inject(SETTINGS) readonly settings!: TenderSettings
  @Inject(TransactionalConnection) readonly connection!: TransactionalConnection
  @Inject(OrderService) readonly orders!: OrderService
  @Inject(PaymentMethodService) private readonly methods!: PaymentMethodService
  @Inject(ConfigService) private readonly config!: ConfigService
  private made: Tender | undefined

  get tender(): Tender {
    // The order is locked meanwhile. Tender waits for a provider for ten seconds.
    this.made ??= createTender({ ...this.settings, timeoutMs: 15_000, maxRetries: 2 })
    return this.made
  }

  private precision = () => this.config.entityOptions.moneyStrategy?.precision ?? 2
  decimal = (amount: number): string => decimalOf(amount, this.precision())
  integer = (amount: number): number => integerOf(amount, this.precision())

  /** Locks the order until the transaction ends and reads it again. SQLite has one writer and no lock. */
  async lock(ctx: RequestContext, orderId: ID): Promise<Order> {
    const orders = this.connection.getRepository(ctx, Order)
    const isSqlite = /sql\.?js|sqlite/.test(this.connection.rawConnection.options.type)
    const query = orders.createQueryBuilder('order').where('order.id = :orderId', { orderId })
    if (!isSqlite) query.setLock('pessimistic_write')
    const order = await query.getOneOrFail()
    order.payments = await this.connection
      .getRepository(ctx, Payment)
      .find({ where: { order: { id: orderId } }, relations: ['refunds'] })
    return order
  }

  /** The first method that fits, among those that use the handler and are enabled. */
  private async methodOf(ctx: RequestContext, fits: (method: PaymentMethod) => boolean) {
    const all = await this.methods.getActivePaymentMethods(ctx)
    const found = all.find((method) => method.handler.code === HANDLER_CODE && fits(method))
    if (found) return found
    throw new UserInputError(
      `No enabled payment method of this kind uses the handler "${HANDLER_CODE}". ` +
        'Add or enable one in the dashboard, under Settings, Payment methods.',
    )
  }

  /** Where the browser goes now: the page of the payment, or back when there is nothing left to pay. */
  async open(ctx: RequestContext, order: Order, code?: string | null): Promise<string> {
    const method = await this.methodOf(ctx, (one) => !code || one.code === code)
    const payment = await this.create(ctx, order, method)
    await this.cancelOthers(order, payment)
    if (isPaid(payment)) await this.follow(ctx, order, payment)
    return payment.redirectUrl ?? this.returnUrlOf(order)
  }

  private async create(ctx: RequestContext, order: Order, method: PaymentMethod): Promise<TenderPayment> {
    const { customer } = order
    const isSignedIn = ctx.activeUserId !== undefined && customer?.user?.id === ctx.activeUserId
    const keepsMethods = isSignedIn && this.settings.savedMethods
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const creating = this.tender.payments.createHostedPage({
        referenceId: referenceOf(order, attempt),
        amount: this.decimal(order.totalWithTax),
        currency: order.currencyCode,
        autoCapture: capturesAtOnce(method),
        showPayRecurringInCheckout: keepsMethods,
        returnUrl: this.returnUrlOf(order),
        webhookUrl: `${this.settings.serverUrl.replace(/\/+$/, '')}/${WEBHOOK_PATH}`,
        customerOrder: {
          orderId: order.code,
          customer: {
            // A guest may type the address of another person: stored methods are for who is signed in.
            customerId: keepsMethods ? `vendure-${customer?.id}` : `vendure-order-${order.code}`,
            firstName: customer?.firstName ?? null,
            lastName: customer?.lastName ?? null,
            email: customer?.emailAddress ?? null,
          },
        },
      })
      // A payment with other settings has the reference, such as another method of the shop.
      const payment = await unless('reference_id_reused', creating)
      if (payment && !hasEnded(payment)) return payment
    }
    throw new UserInputError(`Order ${order.code} has ${MAX_TRIES} payments that ended. Begin a new order.`)
  }

  returnUrlOf = ({ code }: Order): string =>
    this.settings.returnUrl.replaceAll('{code}', encodeURIComponent(code))

  /** Payments for earlier totals of the order. One that is being paid just now is given back later. */
  private async cancelOthers(order: Order, current: TenderPayment): Promise<void> {
    for await (const other of this.tender.payments.list({ q: `ref:${order.code}-*` })) {
      // The code of another order may begin with this one.
      const isOther = orderCodeIn(other.referenceId) === order.code && other.paymentId !== current.paymentId
      const isOnOrder = order.payments.some(({ transactionId }) => transactionId === String(other.paymentId))
      if (isOther && !isOnOrder && other.canCancel) await this.giveBack(other, 'The cart was changed.')
    }
  }

  /** Brings the locked order up to the payment, whatever came before. The payment was read just now. */
  async follow(ctx: RequestContext, order: Order, payment: TenderPayment): Promise<void> {
    const known = order.payments.find(({ transactionId }) => transactionId === String(payment.paymentId))
    if (!known) {
      const refusal = isPaid(payment) ? await this.accept(ctx, order, payment) : undefined
      if (refusal !== undefined) await this.giveBack(payment, refusal)
      return
    }
    const { paymentState } = payment
    const isCaptured = payment.capturedAmount > 0 && !['Capturing', 'CapturedHold'].includes(paymentState)
    if (known.state === 'Authorized' && isCaptured) await this.orders.settlePayment(ctx, known.id)
    if (known.state === 'Authorized' && paymentState === 'Failed')
      await this.orders.cancelPayment(ctx, known.id)
    if (isCaptured) await reconcileRefunds(this, ctx, known, payment)
  }

  /** Adds the payment to the order; the reason where the order cannot take it. */
  private async accept(ctx: RequestContext, order: Order, payment: TenderPayment) {
    const problem = this.problemOf(order, payment)
    if (problem !== undefined) return problem
    if (order.state === 'AddingItems') {
      const moved = await this.orders.transitionToState(ctx, order.id, 'ArrangingPayment')
      if (isGraphQlErrorResult(moved)) return moved.transitionError
    }
    const { code } = await this.methodOf(ctx, (one) => capturesAtOnce(one) === payment.autoCapture)
    const added = await this.orders.addPaymentToOrder(ctx, order.id, { method: code, metadata: {} })
    return isGraphQlErrorResult(added) ? added.message : undefined
  }

  /** Why the order cannot take this payment: it is paid, or the payment is not for its total. */
  problemOf(order: Order, { amount, currency }: TenderPayment): string | undefined {
    const isActive = ({ state }: Payment) => state === 'Authorized' || state === 'Settled'
    if (order.payments.some(isActive)) return 'The order is already paid.'
    if (!['AddingItems', 'ArrangingPayment'].includes(order.state)) return `The order is ${order.state}.`
    const isEqual = this.integer(amount) === order.totalWithTax && currency === order.currencyCode
    return isEqual ? undefined : 'The payment is not for the present total of the order.'
  }

  private async giveBack(payment: TenderPayment, description: string): Promise<void> {
    const { payments } = this.tender
    Logger.warn(`Payment ${payment.referenceId} is given back. ${description}`, 'Tender')
    const options = { idempotencyKey: `${payment.referenceId}-given-back` }
    const after = payment.canCancel
      ? await payments.cancel(payment.paymentId, {}, options)
      : await payments.refund(payment.paymentId, { description }, options)
    const advice = `${payment.referenceId} was not: do it in Tender's console. ${after.lastError ?? ''}`
    if (after.canCancel || after.canRefund) Logger.error(advice, 'Tender')
  }

  /** What the handler adds to the order: an amount that Tender has told, never one of the browser. */
  async paidPayment(ctx: RequestContext, orderId: ID): Promise<TenderPayment | string> {
    const order = await this.lock(ctx, orderId)
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const reading = this.tender.payments.getByReference(referenceOf(order, attempt))
      const payment = await unless('not_found', reading)
      if (payment && isPaid(payment)) return this.problemOf(order, payment) ?? payment
      if (!payment) break
    }
    return 'The order is not paid. Send the browser to the address that createTenderPayment gives.'
  }
}
