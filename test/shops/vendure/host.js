import { TenderPlugin } from '@tender-pay/vendure'
import {
  bootstrap,
  ChannelService,
  DefaultLogger,
  LanguageCode,
  LogLevel,
  PaymentMethodService,
  ProductVariantService,
  RequestContextService,
  TransactionalConnection,
} from '@vendure/core'
import { populate } from '@vendure/core/cli/index.js'

/** A Vendure with one product, as a shop has it. Settings come as JSON in HOST. */
const { port, databaseUrl, tender, products } = JSON.parse(process.env.HOST ?? '{}')
const url = `http://127.0.0.1:${port}`
const database = new URL(databaseUrl)
const isNew = process.env.HOST_IS_NEW === 'true'
let isReady = false

const config = {
  apiOptions: {
    port,
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
    middleware: [
      { route: '/ready', handler: (_request, response) => response.writeHead(isReady ? 200 : 503).end() },
      { route: '/thanks', handler: (_request, response) => response.end('<h1>Thank you</h1>') },
    ],
  },
  authOptions: {
    tokenMethod: 'bearer',
    requireVerification: false,
    superadminCredentials: { identifier: 'superadmin', password: 'superadmin' },
  },
  dbConnectionOptions: {
    type: 'postgres',
    host: database.searchParams.get('host') ?? database.hostname,
    username: decodeURIComponent(database.username),
    password: decodeURIComponent(database.password),
    database: database.pathname.slice(1),
    // A later start finds the tables as the first one made them.
    synchronize: isNew,
  },
  paymentOptions: { paymentMethodHandlers: [] },
  logger: new DefaultLogger({ level: LogLevel.Warn, timestamp: false }),
  plugins: [TenderPlugin.init({ ...tender, serverUrl: url, returnUrl: `${url}/thanks/{code}` })],
}

const INITIAL_DATA = {
  defaultLanguage: LanguageCode.en,
  defaultZone: 'Europe',
  taxRates: [{ name: 'Standard', percentage: 20 }],
  shippingMethods: [{ name: 'Standard', price: 500 }],
  paymentMethods: [],
  countries: [{ name: 'Germany', code: 'DE', zone: 'Europe' }],
  collections: [],
}

/** A second method that reserves the money; the plugin has added the one that takes it at once. */
async function addManualMethod(app) {
  const ctx = await app.get(RequestContextService).create({ apiType: 'admin' })
  await app.get(PaymentMethodService).create(ctx, {
    code: 'manual',
    enabled: true,
    handler: { code: 'tender', arguments: [{ name: 'autoCapture', value: 'false' }] },
    translations: [{ languageCode: LanguageCode.en, name: 'Pay later', description: '' }],
  })
}

/** The product has prices in currencies with another number of decimals; Vendure counts all in hundredths. */
async function addCurrencies(app) {
  const ctx = await app.get(RequestContextService).create({ apiType: 'admin' })
  const { id, defaultCurrencyCode } = await app.get(ChannelService).getDefaultChannel(ctx)
  const availableCurrencyCodes = [defaultCurrencyCode, 'JPY', 'KWD']
  await app.get(ChannelService).update(ctx, { id, availableCurrencyCodes })
  const later = await app.get(RequestContextService).create({ apiType: 'admin' })
  const prices = [
    { currencyCode: 'JPY', price: 120_000 },
    { currencyCode: 'KWD', price: 1_275 },
  ]
  await app.get(ProductVariantService).update(later, [{ id: 1, prices }])
}

const start = () => bootstrap(config)
const app = isNew ? await populate(start, INITIAL_DATA, products) : await start()
if (isNew) {
  await addManualMethod(app)
  await addCurrencies(app)
  await app.get(TransactionalConnection).rawConnection.query('analyze')
}
isReady = true
