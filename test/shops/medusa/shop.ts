import { execFile } from 'node:child_process'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../../src/net/free-port.ts'
import { type HostProcess, hostProcess } from '../support/host.ts'
import type { Cart, CartWish, Shop, ShopOrder, ShopPayment, ShopSystem } from '../support/shop.ts'
import type { World } from '../support/world.ts'

/** The runner is a bundle in dist/, so paths are from the root of the project. */
const FOLDER = fileURLToPath(new URL('../../test/shops/medusa', import.meta.url))
const HOST = join(FOLDER, 'host')
const CLI = join(FOLDER, 'node_modules/@medusajs/cli/cli.js')

export const medusa: ShopSystem = { name: 'medusa', start: startMedusa }

async function startMedusa(world: World): Promise<Shop> {
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const { url: tenderUrl, appId, apiKey, webhookSecret } = world.tender
  const env = {
    DATABASE_URL: await overTcp(await world.database('medusa')),
    SHOP_URL: url,
    TENDER_URL: tenderUrl,
    TENDER_APP: appId,
    TENDER_KEY: apiKey,
    TENDER_WEBHOOK_SECRET: webhookSecret,
    MEDUSA_DISABLE_TELEMETRY: 'true',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
  }
  const shell = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
  const migrate = [CLI, 'db:migrate', '--skip-scripts']
  await promisify(execFile)(process.execPath, migrate, { cwd: HOST, env: { ...shell, ...env } })
  const args = [CLI, 'start', '--host', '127.0.0.1', '--port', String(port)]
  const host = hostProcess({ url, args, cwd: HOST, env, readyPath: '/health' })
  await host.start()
  const { regionIds, variantId, storeKey, merchantKey } = await call(`${url}/seed`, { method: 'POST' })
  const merchant = { authorization: `Basic ${Buffer.from(`${merchantKey}:`).toString('base64')}` }
  const made: Made = { url, process: host, regionIds, variantId, storeKey, merchant }
  return { process: host, webhookUrl: `${url}/hooks/tender`, newCart: (wish) => newCart(made, wish) }
}

/** Medusa reaches its database over TCP only; the one of the tests listens on a socket file. */
async function overTcp(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl)
  const path = join(url.searchParams.get('host') ?? '', `.s.PGSQL.${url.port}`)
  const server = createServer((client) => {
    const database = connect(path)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return `postgres://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}?sslmode=disable`
}

interface Made {
  readonly url: string
  readonly process: HostProcess
  /** By currency. */
  readonly regionIds: Readonly<Record<string, string>>
  readonly variantId: string
  readonly storeKey: string
  readonly merchant: Readonly<Record<string, string>>
}

interface Request {
  readonly method?: 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of a foreign API, of which few members are read.
async function call(url: string, { method, headers = {}, body }: Request = {}): Promise<any> {
  const response = await fetch(url, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** A cart with what only Medusa has. */
export interface MedusaCart extends Cart {
  /** `data` is what a hostile browser sends with it. */
  checkout(data?: object): Promise<string>
  /** The addresses of all pages that the cart has now. */
  pages(): Promise<string[]>
  capturePart(amount: number): Promise<void>
}

async function newCart(made: Made, wish: CartWish): Promise<MedusaCart> {
  const { quantity, isManual, account, currency = 'EUR' } = wish
  const token = account === undefined ? undefined : await signIn(made, account)
  const headers = {
    'x-publishable-api-key': made.storeKey,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const store: Store = (path, body) => call(`${made.url}/store/${path}`, { headers, ...(body && { body }) })
  const items = [{ variant_id: made.variantId, quantity }]
  const { cart } = await store('carts', {
    region_id: made.regionIds[currency.toLowerCase()],
    items,
    email: 'dana@shop.example',
  })
  if (token !== undefined) await store(`carts/${cart.id}/customer`, {})
  const providerId = isManual ? 'pp_tender_manual' : 'pp_tender_tender'
  return {
    ...shopperActs(store, { cartId: cart.id, lineId: cart.items[0].id, providerId }),
    ...merchantActs(made, store, cart.id),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
type Store = (path: string, body?: object) => Promise<any>

const PASSWORD = 'a password of the day'

async function signIn({ url, storeKey }: Made, email: string): Promise<string> {
  const auth = (path: string) =>
    call(`${url}/auth/customer/emailpass${path}`, { body: { email, password: PASSWORD } })
  const registered = await auth('/register').catch(() => undefined)
  if (registered) {
    const headers = { 'x-publishable-api-key': storeKey, authorization: `Bearer ${registered.token}` }
    await call(`${url}/store/customers`, { headers, body: { email, first_name: 'Dana', last_name: 'Doe' } })
  }
  return (await auth('')).token
}

interface Session {
  readonly data: { readonly redirectUrl: string }
}

interface CartIds {
  readonly cartId: string
  readonly lineId: string
  readonly providerId: string
}

function shopperActs(store: Store, { cartId, lineId, providerId }: CartIds) {
  const finish = (body: object) => store(`carts/${cartId}/complete`, body).catch(() => {})
  return {
    async checkout(data: object = {}) {
      const ask = () => store('payment-collections', { cart_id: cartId })
      // Medusa refuses the second of two at once: the shopper presses the button again.
      const { payment_collection: collection } = await ask().catch(ask)
      const path = `payment-collections/${collection.id}/payment-sessions`
      const open = () => store(path, { provider_id: providerId, data })
      const { payment_collection: opened } = await open().catch(open)
      return opened.payment_sessions.at(-1).data.redirectUrl
    },
    async pages(): Promise<string[]> {
      const { cart } = await store(`carts/${cartId}?fields=*payment_collection.payment_sessions`)
      return cart.payment_collection.payment_sessions.map(({ data }: Session) => data.redirectUrl)
    },
    changeQuantity: (quantity: number) => store(`carts/${cartId}/line-items/${lineId}`, { quantity }),
    complete: () => finish({}),
    cheat: (paymentId: number) => finish({ data: { paymentId, amount: 1, status: 'captured' } }),
  }
}

function merchantActs({ url, merchant }: Made, store: Store, cartId: string) {
  const admin = (path: string, body: object) => call(`${url}/admin/${path}`, { headers: merchant, body })
  const books = (): Promise<Books> => call(`${url}/books/${cartId}`)
  const paymentOf = async () => paymentsIn(await books())[0]?.id
  return {
    async order(): Promise<ShopOrder> {
      const found = await books()
      const [order] = found.orders
      const total = order ? totalOf(order.items) : (await store(`carts/${cartId}`)).cart.total
      return {
        orders: found.orders.length,
        total: cents(total),
        payments: paymentsIn(found).map(shopPayment),
      }
    },
    capture: async () => admin(`payments/${await paymentOf()}/capture`, {}),
    capturePart: async (amount: number) =>
      admin(`payments/${await paymentOf()}/capture`, { amount: amount / 100 }),
    cancel: async () => admin(`orders/${(await books()).orders[0]?.id}/cancel`, {}),
    async cancelOrder() {
      const [order] = (await books()).orders
      if (order) await admin(`orders/${order.id}/cancel`, {})
    },
    refund: async (amount: number) => admin(`payments/${await paymentOf()}/refund`, { amount: amount / 100 }),
  }
}

interface Moved {
  readonly amount: number
}
interface BookedPayment {
  readonly id: string
  readonly amount: number
  readonly canceled_at: string | null
  readonly data: { readonly paymentId: number }
  readonly captures: readonly Moved[]
  readonly refunds: readonly Moved[]
}
interface Line {
  readonly unit_price: number
  readonly quantity: number
}
interface Books {
  readonly orders: readonly {
    readonly id: string
    readonly items: readonly Line[]
    readonly payment_collections: readonly { readonly payments: readonly BookedPayment[] }[]
  }[]
}

/** Refunds lower the order's own total, so it is counted from the lines. */
const totalOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { unit_price, quantity }) => sum + unit_price * quantity, 0)

const cents = (amount: number): number => Math.round(Number(amount) * 100)
const sum = (rows: readonly Moved[]): number => rows.reduce((total, { amount }) => total + cents(amount), 0)

const paymentsIn = ({ orders }: Books): BookedPayment[] =>
  orders
    .flatMap(({ payment_collections }) => payment_collections.flatMap(({ payments }) => payments))
    .filter(({ canceled_at }) => canceled_at === null)

const shopPayment = ({ amount, data, captures, refunds }: BookedPayment): ShopPayment => ({
  paymentId: data.paymentId,
  state: captures.length > 0 ? 'captured' : 'authorized',
  amount: captures.length > 0 ? sum(captures) : cents(amount),
  refunded: sum(refunds),
  pendingRefunds: 0,
})
