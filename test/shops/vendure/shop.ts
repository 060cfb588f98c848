import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../../../src/net/free-port.ts'
import { type HostProcess, hostProcess } from '../support/host.ts'
import type { Cart, CartWish, Shop, ShopOrder, ShopPayment, ShopSystem } from '../support/shop.ts'
import type { World } from '../support/world.ts'

/** The runner is a bundle in dist/, so paths are from the root of the project. */
const FOLDER = fileURLToPath(new URL('../../test/shops/vendure', import.meta.url))
const SUPERADMIN = { username: 'superadmin', password: 'superadmin' }

export const vendure: ShopSystem = { name: 'vendure', start: startVendure }

async function startVendure(world: World): Promise<Shop> {
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const databaseUrl = await world.database('vendure')
  const { url: tenderUrl, appId, apiKey, webhookSecret } = world.tender
  const host = {
    port,
    databaseUrl,
    products: join(FOLDER, 'products.csv'),
    tender: { url: tenderUrl, appId, apiKey, webhookSecret },
  }
  const options = { url, args: ['host.js'], cwd: FOLDER, readyPath: '/ready' }
  const env = { HOST: JSON.stringify(host), VENDURE_DISABLE_TELEMETRY: 'true' }
  // The schema and the product are made by a first process; those of the day find them.
  const first = hostProcess({ ...options, env: { ...env, HOST_IS_NEW: 'true' } })
  await first.start()
  await first.kill()
  const process = hostProcess({ ...options, env })
  await process.start()
  const admin = session(`${url}/admin-api`)
  await admin(LOGIN, SUPERADMIN)
  const database = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  // At the end the server goes first.
  database.on('error', () => {})
  const made: Made = { url, database, admin, process }
  return { process, webhookUrl: `${url}/tender/webhook`, newCart: (wish) => newCart(made, wish) }
}

interface Made {
  readonly url: string
  readonly database: pg.Pool
  readonly admin: Session
  readonly process: HostProcess
}

type Reply = Record<string, { __typename?: string; message?: string; [member: string]: unknown }>
type Session = (query: string, variables?: object) => Promise<Reply>

/** Calls a GraphQL API and keeps the token of its session. */
function session(url: string): Session {
  let token = ''
  return async (query, variables = {}) => {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    })
    token = reply.headers.get('vendure-auth-token') ?? token
    const { data, errors } = (await reply.json()) as { data?: Reply; errors?: { message: string }[] }
    if (errors?.[0]) throw new Error(errors[0].message)
    return data ?? {}
  }
}

/** Error results of Vendure are types whose name says so. */
async function done(reply: Promise<Reply>): Promise<Reply> {
  const answer = await reply
  for (const result of Object.values(answer))
    if (/Error$/.test(result?.__typename ?? '')) throw new Error(`${result.__typename}: ${result.message}`)
  return answer
}

const RESULT = '{ __typename ... on ErrorResult { message } }'
const LOGIN = `mutation ($username: String!, $password: String!) {
  login(username: $username, password: $password) ${RESULT} }`

async function newCart(made: Made, { quantity, isManual, account, currency }: CartWish): Promise<Cart> {
  const shop = session(`${made.url}/shop-api${currency ? `?currencyCode=${currency}` : ''}`)
  if (account !== undefined) await signIn(shop, account)
  const { addItemToOrder } = await done(
    shop(
      `mutation ($quantity: Int!) { addItemToOrder(productVariantId: 1, quantity: $quantity)
        { __typename ... on Order { code lines { id } } ... on ErrorResult { message } } }`,
      { quantity },
    ),
  )
  const { code, lines } = addItemToOrder as unknown as { code: string; lines: { id: string }[] }
  if (account === undefined)
    await done(
      shop(`mutation { setCustomerForOrder(input: { firstName: "Dana", lastName: "Doe",
        emailAddress: "guest-${code}@shop.example" }) ${RESULT} }`),
    )
  await done(
    shop(`mutation { setOrderShippingAddress(input: { fullName: "Dana Doe", streetLine1: "Road 1",
      city: "Berlin", postalCode: "10115", countryCode: "DE" }) ${RESULT} }`),
  )
  await done(shop(`mutation { setOrderShippingMethod(shippingMethodId: [1]) ${RESULT} }`))
  const method = isManual ? 'manual' : 'tender'
  return { ...shopperActs(shop, { method, lineId: lines[0]?.id ?? '' }), ...merchantActs(made, code) }
}

async function signIn(shop: Session, emailAddress: string): Promise<void> {
  const password = 'a password of the day'
  const input = { emailAddress, password, firstName: 'Dana', lastName: 'Doe' }
  await shop(
    `mutation ($input: RegisterCustomerInput!) { registerCustomerAccount(input: $input) ${RESULT} }`,
    {
      input,
    },
  )
  await done(shop(LOGIN, { username: emailAddress, password }))
}

function shopperActs(shop: Session, { method, lineId }: { method: string; lineId: string }) {
  const addPayment = async (metadata: object) => {
    const query = `mutation ($input: PaymentInput!) { addPaymentToOrder(input: $input) ${RESULT} }`
    await shop(query, { input: { method, metadata } }).catch(() => {})
  }
  return {
    async checkout() {
      const query =
        'mutation ($method: String) { createTenderPayment(paymentMethodCode: $method) { redirectUrl } }'
      const { createTenderPayment } = await shop(query, { method })
      return String(createTenderPayment?.redirectUrl)
    },
    async changeQuantity(quantity: number) {
      await shop(`mutation { transitionOrderToState(state: "AddingItems") ${RESULT} }`)
      const query = `mutation ($lineId: ID!, $quantity: Int!) {
        adjustOrderLine(orderLineId: $lineId, quantity: $quantity) ${RESULT} }`
      await done(shop(query, { lineId, quantity }))
    },
    complete: () => addPayment({}),
    cheat: (paymentId: number) =>
      addPayment({ paymentId, transactionId: String(paymentId), amount: 1, state: 'Settled' }),
  }
}

function merchantActs({ admin, database }: Made, code: string) {
  const paymentRow = async () => {
    const rows = await ask<{ id: number }>(database, PAYMENTS, code)
    return String(rows[0]?.id)
  }
  return {
    order: () => readOrder(database, code),
    async capture() {
      await done(
        admin(`mutation ($id: ID!) { settlePayment(id: $id) ${RESULT} }`, { id: await paymentRow() }),
      )
    },
    async cancel() {
      await done(
        admin(`mutation ($id: ID!) { cancelPayment(id: $id) ${RESULT} }`, { id: await paymentRow() }),
      )
    },
    async cancelOrder() {
      const [row] = await ask<{ id: number }>(database, 'select id from "order" where code = $1', code)
      const query = `mutation ($id: ID!) { cancelOrder(input: { orderId: $id }) ${RESULT} }`
      await done(admin(query, { id: String(row?.id) }))
    },
    async refund(amount: number) {
      const input = { lines: [], shipping: 0, adjustment: 0, amount, reason: 'Returned' }
      const query = `mutation ($input: RefundOrderInput!) { refundOrder(input: $input) ${RESULT} }`
      await done(admin(query, { input: { ...input, paymentId: await paymentRow() } }))
    },
  }
}

const ORDERS = `select "subTotalWithTax" + "shippingWithTax" as total,
  case when "orderPlacedAt" is null then 0 else 1 end as placed from "order" where code = $1`

const PAYMENTS = `select p.id, p."transactionId", p.state, p.amount,
    coalesce(sum(r.total) filter (where r.state = 'Settled'), 0)::int as refunded,
    coalesce(sum(r.total) filter (where r.state = 'Pending'), 0)::int as pending
  from payment p join "order" o on o.id = p."orderId" left join refund r on r."paymentId" = p.id
  where o.code = $1 and p.state in ('Authorized', 'Settled') group by p.id order by p.id`

interface PaymentRow {
  readonly transactionId: string
  readonly state: string
  readonly amount: number
  readonly refunded: number
  readonly pending: number
}

async function readOrder(database: pg.Pool, code: string): Promise<ShopOrder> {
  const orders = await ask<{ total: number; placed: number }>(database, ORDERS, code)
  const payments = await ask<PaymentRow>(database, PAYMENTS, code)
  return {
    orders: orders.reduce((sum, { placed }) => sum + placed, 0),
    total: orders[0]?.total ?? 0,
    payments: payments.map(
      ({ transactionId, state, amount, refunded, pending }): ShopPayment => ({
        paymentId: Number(transactionId),
        state: state === 'Settled' ? 'captured' : 'authorized',
        amount,
        refunded,
        pendingRefunds: pending,
      }),
    ),
  }
}

const ask = async <Row>(database: pg.Pool, text: string, value: string): Promise<Row[]> =>
  (await database.query(text, [value])).rows
