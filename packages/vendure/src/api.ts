import { Controller, HttpCode, HttpException, Inject, Post, Req } from '@nestjs/common'
import { Args, Mutation, Resolver } from '@nestjs/graphql'
import {
  ActiveOrderService,
  Allow,
  Ctx,
  isGraphQlErrorResult,
  Logger,
  Order,
  Permission,
  type RequestContext,
  RequestContextService,
  Transaction,
  UserInputError,
} from '@vendure/core'
import { TenderError, verifyWebhook, WebhookError } from 'tender-sdk'
import { orderCodeIn } from './reference.ts'
import { TenderService } from './tender-service.ts'

export const SHOP_SCHEMA = `
  type TenderPaymentPage {
    "Send the browser here."
    redirectUrl: String!
  }
  extend type Mutation {
    "Opens the payment of the active order; the code of a payment method is needed where several use Tender."
    createTenderPayment(paymentMethodCode: String): TenderPaymentPage!
  }
`

@Resolver()
export class TenderResolver {
  @Inject(TenderService) private readonly service!: TenderService
  @Inject(ActiveOrderService) private readonly active!: ActiveOrderService

  @Transaction()
  @Mutation()
  @Allow(Permission.Owner)
  async createTenderPayment(
    @Ctx() ctx: RequestContext,
    @Args() { paymentMethodCode }: { paymentMethodCode?: string | null },
  ): Promise<{ redirectUrl: string }> {
    const order = ctx.authorizedAsOwnerOnly ? await this.active.getActiveOrder(ctx, undefined) : undefined
    if (!order) throw new UserInputError('There is no active order. Add an item first.')
    const locked = await this.service.lock(ctx, order.id)
    if (locked.state !== 'ArrangingPayment') {
      const moved = await this.service.orders.transitionToState(ctx, order.id, 'ArrangingPayment')
      if (isGraphQlErrorResult(moved)) throw new UserInputError(moved.transitionError)
      locked.state = moved.state
    }
    const full = await this.service.orders.findOne(ctx, order.id, ['customer', 'customer.user', 'lines'])
    if (full?.customer) locked.customer = full.customer
    return { redirectUrl: await this.service.open(ctx, locked, paymentMethodCode).catch(toShopper) }
  }
}

@Controller('tender')
export class TenderController {
  @Inject(TenderService) private readonly service!: TenderService
  @Inject(RequestContextService) private readonly contexts!: RequestContextService

  /** A webhook says that something changed; the payment itself is read from Tender. */
  @Post('webhook')
  @HttpCode(204)
  async webhook(@Req() { body, headers }: { body: unknown; headers: Record<string, string> }) {
    const raw = Buffer.isBuffer(body) ? body : ''
    const event = await verifyWebhook(raw, headers, this.service.settings.webhookSecret).catch(refuse)
    if (event.type !== 'payment.state_changed') return
    const code = orderCodeIn(event.payment.referenceId)
    const found = code === undefined ? undefined : await this.find(code)
    if (!found) return
    const channel = found.channels.find((one) => one.code !== '__default_channel__') ?? found.channels[0]
    const ctx = await this.contexts.create({ apiType: 'admin', channelOrToken: channel?.token ?? '' })
    await this.service.connection.withTransaction(ctx, async (own) => {
      const order = await this.service.lock(own, found.id)
      await this.service.follow(own, order, await this.service.tender.payments.get(event.payment.paymentId))
    })
  }

  private find(code: string): Promise<Order | null> {
    const orders = this.service.connection.rawConnection.getRepository(Order)
    return orders.findOne({ where: { code }, relations: ['channels'] })
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof WebhookError)) throw error
  Logger.warn(`A webhook was refused. ${error.message}`, 'Tender')
  throw new HttpException(error.message, 400)
}

/** The shopper can only try again; the log says what the merchant can do. */
function toShopper(error: unknown): never {
  if (!(error instanceof TenderError)) throw error
  const advice = 'Check url, appId and apiKey of TenderPlugin.init, and the log of Tender.'
  Logger.error(`The payment page was not opened. ${error.message} ${advice}`, 'Tender')
  throw new UserInputError('The payment page cannot be opened now. Try again in a minute.')
}
