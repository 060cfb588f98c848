import { Inject, type OnApplicationBootstrap } from '@nestjs/common'
import {
  LanguageCode,
  Logger,
  PaymentMethod,
  PaymentMethodService,
  PluginCommonModule,
  ProcessContext,
  RequestContextService,
  TransactionalConnection,
  type Type,
  VendurePlugin,
} from '@vendure/core'
import { parse } from 'graphql'
import { keepRawBody, SHOP_SCHEMA, TenderController, TenderResolver } from './api.ts'
import { tenderPaymentHandler } from './handler.ts'
import { HANDLER_CODE, SETTINGS } from './names.ts'
import { settingsOf, type TenderPluginOptions, type TenderSettings, WEBHOOK_PATH } from './options.ts'
import { TenderService } from './tender-service.ts'

export { tenderPaymentHandler } from './handler.ts'
export type { TenderPluginOptions } from './options.ts'

/** Payments by Tender. Decision 0181 of the project explains one payment for one order. */
@VendurePlugin({
  compatibility: '^3.0.0',
  imports: [PluginCommonModule],
  controllers: [TenderController],
  providers: [TenderService, { provide: SETTINGS, useFactory: () => TenderPlugin.settings }],
  shopApiExtensions: { schema: () => parse(SHOP_SCHEMA), resolvers: [TenderResolver] },
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(tenderPaymentHandler)
    config.apiOptions.middleware.push({
      route: `/${WEBHOOK_PATH}`,
      handler: keepRawBody,
      beforeListen: true,
    })
    return config
  },
})
export class TenderPlugin implements OnApplicationBootstrap {
  private static made: TenderSettings | undefined
  @Inject(PaymentMethodService) private readonly methods!: PaymentMethodService
  @Inject(RequestContextService) private readonly contexts!: RequestContextService
  @Inject(TransactionalConnection) private readonly connection!: TransactionalConnection
  @Inject(ProcessContext) private readonly process!: ProcessContext

  static init(options: TenderPluginOptions): Type<TenderPlugin> {
    TenderPlugin.made = settingsOf(options)
    return TenderPlugin
  }

  static get settings(): TenderSettings {
    if (!TenderPlugin.made) throw new Error('Use TenderPlugin.init({ … }) in the list of plugins.')
    return TenderPlugin.made
  }

  /** A disabled method counts: it was turned off on purpose. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.process.isServer || !TenderPlugin.settings.addPaymentMethod) return
    const all = await this.connection.rawConnection.getRepository(PaymentMethod).find()
    if (all.some(({ handler }) => handler.code === HANDLER_CODE)) return
    const ctx = await this.contexts.create({ apiType: 'admin' })
    await this.methods.create(ctx, {
      code: HANDLER_CODE,
      enabled: true,
      handler: { code: HANDLER_CODE, arguments: [{ name: 'autoCapture', value: 'true' }] },
      translations: [{ languageCode: LanguageCode.en, name: 'Pay online', description: '' }],
    })
    Logger.info(`The payment method "${HANDLER_CODE}" was added.`, 'Tender')
  }
}
