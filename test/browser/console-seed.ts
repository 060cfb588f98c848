import { DAY, HOUR, MINUTE } from '../../src/base/clock.ts'
import { writeLogs } from '../../src/logs/jobs.ts'
import { markProfile } from '../../src/routing/store.ts'
import type { TestConsole } from '../support/console.ts'
import { setProvedHost } from '../support/host-proof.ts'
import { type CsvRow, csvOf, profileOf, saleOf } from '../support/settlement-file.ts'
import { type Answer, good } from '../support/tender.ts'
import { makeExports } from './export-seed.ts'

/** The objects that pages show, by the names of the parameters in the paths of their routes. */
export interface Seeded {
  readonly paymentId: number
  readonly authorized: number
  readonly held: number
  readonly refunded: number
  readonly disputed: number
  readonly disputeId: string
  readonly approvalId: string
  readonly roleId: string
  readonly failed: number
  readonly link: number
  readonly linkId: string
  readonly customerId: string
  readonly paymentMethodId: number
  readonly tokenId: number
  readonly profileId: number
  readonly policyId: number
  readonly keyId: string
  readonly personId: string
  readonly passkeyId: string
  readonly eventId: string
  readonly endpointId: string
  readonly requestId: string
  readonly host: string
  readonly licenseId: string
  readonly payoutId: number
  readonly reportId: number
  readonly exceptionId: number
  readonly importId: string
}

export interface SeedOptions {
  /** What a person wrote; tests replace it by something hostile. */
  readonly say?: (plain: string) => string
  /** Moves the time of the service. */
  readonly move?: (beforeNowMs: number) => void | Promise<void>
  /** Where webhooks of the app go. */
  readonly webhookUrl?: string
}

interface Seeding extends Required<Pick<SeedOptions, 'say' | 'move'>> {
  readonly world: TestConsole
}

const PEOPLE = [
  ['dana', 'Dana', 'Kim', 'DE'],
  ['lee', 'Lee', 'Novak', 'CZ'],
  ['ines', 'Inês', 'Almeida', 'PT'],
  ['omar', 'Omar', 'Haddad', 'FR'],
  ['mia', 'Mia', 'Berg', 'SE'],
  ['tomo', 'Tomoko', 'Sato', 'JP'],
] as const

const BOOKS = ['The Night Train', 'Letters from Home', 'A Short History of Tea', 'Maps of the North'] as const

/** An order of one of the customers. */
function orderOf({ say }: Seeding, place: number) {
  const [id, firstName, lastName, countryCode] = PEOPLE[place % PEOPLE.length] ?? PEOPLE[0]
  const name = BOOKS[place % BOOKS.length] ?? ''
  const amount = 18 + ((place * 37) % 140)
  return {
    referenceId: say(`INV-${1200 + place}`),
    amount,
    customerOrder: {
      orderId: say(String(10_040 + place)),
      description: say(`Order ${10_040 + place}`),
      customer: {
        customerId: id,
        firstName: say(firstName),
        lastName: say(lastName),
        email: `${id}@mail.example`,
        address: { countryCode, city: say('Lisbon'), streetAddressLine1: say('Rua Nova 1') },
      },
      amount: {
        items: [{ name: say(name), amount, quantity: 1, category: 'PhysicalGoods', sku: say(`B-${place}`) }],
      },
    },
  }
}

/** A shop with two weeks of payments in every state, providers, routes, policies, customers and a team. */
export async function seedConsole(world: TestConsole, options: SeedOptions = {}): Promise<Seeded> {
  const { say = (plain) => plain, move = () => {}, webhookUrl } = options
  const seeding: Seeding = { world, say, move }
  await move(14 * DAY)
  await settings(seeding, webhookUrl)
  const { policyId, profileId } = await rules(seeding)
  await history(seeding)
  await move(3 * HOUR)
  const states = await everyState(seeding, policyId)
  const team = await people(seeding, profileId)
  await move(0)
  const settled = await settlements(seeding)
  await makeExports(world.sandbox)
  const roleId = await ownRole(seeding)
  const own = { policyId, profileId, roleId, entryId: await blockList(seeding) }
  const importId = await importedFile(seeding)
  const parts = { ...states, ...team, ...settled, ...(await stored(seeding)) }
  const things = { ...parts, ...(await endpoint(seeding)), ...own, importId }
  // The pages of logged requests show them at once, also where the clock stands still from now on.
  await writeLogs(world.tender.service.ctx)
  return things
}

async function settings({ world, say }: Seeding, webhookUrl: string | undefined): Promise<void> {
  const branding = {
    color: '#0b6e4f',
    slogan1: say('Books for long evenings'),
    slogan2: say('1 Main Street'),
  }
  const address = webhookUrl ? { paymentWebhookUrl: { value: webhookUrl } } : {}
  good(await setProvedHost(world.tender.service.ctx, world.sandbox, 'pay.books.example'))
  good(await world.sandbox.call('PATCH', '', { friendlyName: say('Corner Books'), branding, ...address }))
}

async function rules({ world, say }: Seeding): Promise<{ policyId: number; profileId: number }> {
  const { call } = world.sandbox
  const added = { provider: 'stripe', currency: 'EUR', methods: ['CreditCard'], name: say('Stripe EU') }
  const settings = { secretKey: 'sk_test_51SimulatorSecretKeyOfTheAccount0001' }
  const stripe = good(await call('POST', 'payment-profiles', { ...added, settings, isActive: false }))
  const profiles: Answer[] = good(await call('GET', 'payment-profiles'))
  const cards = profiles[0].paymentProfileId
  const both = [{ paymentProfileId: cards }, { paymentProfileId: stripe.paymentProfileId }]
  const routes = [
    { name: say('Large orders'), minAmount: 500, profiles: both },
    { name: say('Nordic cards'), countries: ['SE', 'NO'], profiles: [{ paymentProfileId: cards }] },
  ]
  good(await call('PUT', 'routing', { routes }))
  const policy = {
    name: say('Standard checks'),
    rules: [
      { action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60, message: say('We check it.') },
      {
        ...{ action: 'RejectPayment', measure: 'TotalAmount', threshold: 5_000, currency: 'EUR' },
        ...{ period: 'Daily', periodCount: 1, message: say('Please try tomorrow.') },
      },
    ],
  }
  const { fraudPolicyId } = good(await call('POST', 'fraud-policies', policy))
  return { policyId: fraudPolicyId, profileId: stripe.paymentProfileId }
}

const OUTCOMES = [
  {},
  {},
  { method: 'Paypal' },
  { outcome: 'insufficient-funds' },
  {},
  { outcome: 'challenge' },
  { outcome: 'expired-card' },
] as const

/** Two payments a day. */
async function history(seeding: Seeding): Promise<void> {
  const { world, move } = seeding
  for (let place = 0; place < 26; place++) {
    await move(13.5 * DAY - place * 12 * HOUR + (place % 5) * 47 * MINUTE)
    const currency = place % 4 === 3 ? { currency: 'USD' } : {}
    const { paymentId } = await world.sandbox.create({ ...orderOf(seeding, place), ...currency })
    await world.sandbox.pay(paymentId, OUTCOMES[place % OUTCOMES.length])
    if (place % 9 === 4) await world.sandbox.act(paymentId, 'refund')
  }
}

async function everyState(seeding: Seeding, fraudPolicyId: number) {
  const { world, say, move } = seeding
  const { sandbox } = world
  const make = async (place: number, wish: object | undefined, more: object = {}): Promise<number> => {
    const { paymentId } = await sandbox.create({ ...orderOf(seeding, place), ...more })
    if (wish) good(await sandbox.pay(paymentId, wish))
    return paymentId
  }
  const authorized = await make(40, {}, { autoCapture: false })
  const refunded = await make(41, {})
  const reason = say('Arrived damaged')
  await world.post('Manager', `payments/${refunded}/refund`, { amount: '5', reason })
  const disputed = await make(42, {})
  const disputing = { outcome: 'open', dueDays: 6 }
  const { disputes } = good(
    await sandbox.call('POST', `test-helpers/payments/${disputed}/dispute`, disputing),
  )
  const { disputeId } = disputes[0]
  const texts = { explanation: say('Delivered to the door.'), trackingNumber: 'JD014600003' }
  good(await sandbox.call('PUT', `disputes/${disputeId}/evidence`, { texts }))
  const failed = await make(43, { outcome: 'lost-card' })
  good(await sandbox.pay(failed, { outcome: 'insufficient-funds' }))
  const held = await make(44, { outcome: 'elevated-risk' }, { fraudPolicyId })
  await make(45, { outcome: 'high-risk' }, { fraudPolicyId })
  good(await sandbox.act(await make(46, undefined), 'cancel'))
  await make(47, undefined)
  const paymentId = await make(48, { outcome: 'challenge' })
  const [event] = good(await sandbox.call('GET', `events?paymentId=${paymentId}`)) as Answer[]
  // In another second: the log keeps a number of requests a second, also where the clock stands still.
  await move(3 * HOUR - MINUTE)
  const requestId = await loggedRequest(seeding)
  const link = await paymentLink(seeding)
  const linkId = await reusableLink(seeding)
  const payments = { authorized, refunded, disputed, failed, held, paymentId, link, linkId }
  const approvalId = await askedRefund(seeding, await make(49, {}))
  return { ...payments, disputeId, approvalId, eventId: event.eventId, requestId }
}

/** A refund that waits for a second person. */
async function askedRefund({ world, say }: Seeding, paymentId: number): Promise<string> {
  const { sandbox } = world
  const above = (value: { currency: string; amount: number }[]) =>
    sandbox.settings({ refundApprovalAbove: { value } })
  await above([
    { currency: 'EUR', amount: 1 },
    { currency: 'USD', amount: 1 },
  ])
  await world.post('Admin', `payments/${paymentId}/refund`, { amount: '4', reason: say('Cancelled order') })
  await above([])
  return good(await sandbox.call('GET', 'refund-approvals?state=open'))[0].approvalId
}

/** At the end: payments of an app with blocked cards go in two steps. */
async function blockList({ world, say }: Seeding): Promise<number> {
  const { call } = world.sandbox
  const add = async (kind: string, value: string, more: object = {}): Promise<number> =>
    good(await call('POST', 'block-list', { kind, value, ...more })).entryId
  await add('EmailDomain', 'throwaway.example', { reason: say('Addresses for ten minutes') })
  await add('Address', '203.0.113.0/24', { endTime: '2099-01-01T00:00:00Z' })
  await add('Country', 'KP')
  return add('Card', 'visa 1881 8/2031', { reason: say('Reported as stolen') })
}

/** A role of the merchant's own. */
async function ownRole({ world, say }: Seeding): Promise<string> {
  await world.post('Owner', 'team/roles/new', { name: say('Bookkeeper').slice(0, 40), PaymentRead: 'yes' })
  const { html } = await world.get('Owner', 'team/permissions')
  return /team\/roles\/(role_\w+)/.exec(html)?.[1] ?? ''
}

/**
 * A refused request that is in the log. The log keeps a number of requests a second, and a quick machine may
 * have made them all: then it is made again.
 */
async function loggedRequest({ world, say }: Seeding): Promise<string> {
  const { sandbox, tender } = world
  for (let left = 20; ; left--) {
    const { headers } = await sandbox.call('POST', 'payments/hosted-page', { amount: say('-1') })
    const requestId = headers.get('x-request-id') ?? ''
    await writeLogs(tender.service.ctx)
    if ((await sandbox.call('GET', `api-log/${requestId}`)).status === 200) return requestId
    if (left === 0) throw new Error('the log keeps no request')
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** A file of the provider with a payout that does not add up, and a line of each kind of problem. */
async function settlements({ world, say }: Seeding) {
  const { sandbox } = world
  const listed: Answer[] = good(await sandbox.call('GET', 'payments?pageSize=50'))
  const captured = listed.filter(({ capturedAmount }) => capturedAmount > 0)
  const cards = captured.filter((one) => profileOf(one) === profileOf(captured[0]))
  const paid = cards.filter((one) => one.paymentState === 'Captured' && one.currency === 'EUR')
  const [altered, twice, ...others] = paid
  const paidOut = { payout_id: 'po-2031', fee: 0.9 }
  const row = (payment: Answer, more: CsvRow = {}) =>
    saleOf(payment, { net: payment.capturedAmount - 0.9, ...paidOut, ...more })
  const { createdTime: time } = listed[0]
  const po = { currency: 'EUR', time, payout_id: 'po-2031' }
  const lines = [
    ...others.map((payment) => row(payment)),
    row(altered, { gross: altered.capturedAmount + 1, net: altered.capturedAmount + 0.1 }),
    ...[row(twice), row(twice)],
    row(twice, { provider_ids: say('tx-elsewhere'), gross: 12, net: 11.1, line_id: say('line elsewhere') }),
    { line_id: 'fee-1', kind: 'fee', gross: 0, fee: 4.5, net: -4.5, ...po },
  ]
  const amount = lines.reduce((sum, { net }) => sum + Number(net), -1.25).toFixed(2)
  const rows = [
    ...lines,
    { line_id: 'bad-1', kind: 'sale', gross: 1, currency: '', time },
    {
      ...{ line_id: 'po-2031', kind: 'payout', gross: `-${amount}`, ...po },
      ...{ bank_reference: say('CORNER BOOKS 2031'), arrival_time: time },
    },
  ]
  const file = csvOf(rows)
  const query = new URLSearchParams({
    paymentProfileId: String(profileOf(altered)),
    fileName: say('november.csv'),
  })
  const report = good(
    await sandbox.call('POST', `settlement-reports?${query}`, file, { 'content-type': 'text/csv' }),
  )
  const [payout] = good(await sandbox.call('GET', 'payouts')) as Answer[]
  const found: Answer[] = good(await sandbox.call('GET', 'settlement-exceptions?state=open'))
  const doubled = found.find(({ kind }) => kind === 'doubled')
  const reason = say('The provider has credited it.')
  good(await sandbox.call('POST', `settlement-exceptions/${doubled?.exceptionId}/close`, { reason }))
  const open = found.find(({ kind }) => kind === 'unknown')
  return { payoutId: payout.payoutId, reportId: report.reportId, exceptionId: open?.exceptionId }
}

/** A file of which every line is wrong, so that it is done at once. */
async function importedFile({ world, say }: Seeding): Promise<string> {
  const file = 'kind,customerId,isBlocked\r\ncustomer,,true\r\ncustomer,1001,perhaps\r\ninvoice,1001,\r\n'
  const query = new URLSearchParams({ fileName: say('old-shop.csv'), isDryRun: 'true' })
  const made = await world.sandbox.call('POST', `imports?${query}`, file, { 'content-type': 'text/csv' })
  return good(made).importId
}

async function paymentLink({ world, say }: Seeding): Promise<number> {
  const fields = { amount: '24.50', currency: 'EUR', description: say('Gift card'), expiry: 'week' }
  const { location } = await world.post('Manager', 'links/new', { ...fields, customer: 'none' })
  return Number(/links\/(\d+)/.exec(location ?? '')?.[1])
}

/** A link for many payers, one of whom has paid. */
async function reusableLink({ world, say }: Seeding): Promise<string> {
  const { sandbox, tender } = world
  const amounts = { minimumAmount: 5, maximumAmount: 500, currency: 'EUR', maximumPayments: 100 }
  const wanted = { isReusable: true, ...amounts, description: say('Donation'), referenceId: 'gala' }
  const made = good(await sandbox.call('POST', 'payment-links', wanted))
  const { paymentLinkId } = made
  // The app has a host name of its own, which leads nowhere here.
  const url = tender.url + new URL(made.url).pathname
  const page = await (await fetch(url)).text()
  const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? ''
  for (const amount of ['25', '40'])
    await fetch(url, { method: 'POST', body: new URLSearchParams({ form, amount }), redirect: 'manual' })
  const [last] = good(await sandbox.call('GET', `payment-links/${paymentLinkId}/payments`)) as Answer[]
  good(await sandbox.pay(last.paymentId))
  return paymentLinkId
}

/** A customer with a stored card that was charged again. */
async function stored(seeding: Seeding) {
  const { sandbox } = seeding.world
  const order = orderOf(seeding, 60)
  await sandbox.paid({ ...order, registerAutoPayment: true })
  const { customerOrder } = order
  const { customerId } = customerOrder.customer
  const again = { referenceId: 'subscription-1', amount: 9.6, currency: 'EUR', autoCapture: true }
  good(await sandbox.call('POST', 'payments/auto-payment', { ...again, customerOrder }))
  const [method] = good(await sandbox.call('GET', `customers/${customerId}/payment-methods`)) as Answer[]
  const { paymentMethodId, providerProfiles } = method
  return { customerId, paymentMethodId, tokenId: providerProfiles[0].paymentMethodProviderProfileId }
}

/** A second webhook endpoint. Paused: nothing is sent to it. */
async function endpoint({ world }: Seeding): Promise<{ endpointId: string }> {
  const body = { url: 'https://ledger.example/hooks', states: ['Captured', 'Refunded'], isPaused: true }
  const { endpointId } = good(await world.sandbox.call('POST', 'webhook-endpoints', body))
  return { endpointId }
}

/** The team, its keys, views and shops, and a provider in trouble. */
async function people({ world, say }: Seeding, profileId: number) {
  const names = { Owner: 'Anna Lind', Admin: 'Ben Okafor', Manager: 'Carla Ruiz', Support: 'Dev Patel' }
  for (const [role, name] of Object.entries(names))
    await world.post(role as keyof typeof names, '/console/profile', {
      ...{ name: say(name), timeZone: 'UTC', theme: 'system', language: '', shortcuts: 'yes' },
    })
  await world.post('Owner', 'team/invite', { email: 'erik@shop.example', role: 'Support' })
  await world.post('Owner', 'payments/views', { name: say('Refunds'), query: 'state=Refunded' }, 'payments')
  const made = good(await world.sandbox.call('POST', 'api-keys', { name: say('Shop server') }))
  const { host, licenseId } = await connectShop(world)
  const { ctx } = world.tender.service
  await insertPasskey(world, say('Laptop'))
  const due = new Date(ctx.clock.now().getTime() + 60 * MINUTE)
  const trouble = {
    profileId,
    failures: 3,
    diagnosis: { code: 'text', text: say('answers slowly') },
    due,
  } as const
  await markProfile(ctx.db, world.sandbox.appId, trouble)
  return { keyId: made.keyId as string, host, licenseId, personId: 'usr_support', passkeyId: PASSKEY_ID }
}

async function connectShop(world: TestConsole) {
  const returnUrl = 'https://books.example/admin'
  const page = `/auth/signin?returnUrl=${encodeURIComponent(returnUrl)}&grantAuthorization=true`
  const licenseId = /lic_[0-9a-z]{16}/.exec((await world.get('Owner', page)).html)?.[0] ?? ''
  await world.post('Owner', '/auth/signin', { returnUrl, decision: 'grant', licenseId }, page)
  return { host: 'books.example', licenseId }
}

const PASSKEY_ID = 'cGFzc2tleQ'

async function insertPasskey({ tender }: TestConsole, name: string): Promise<void> {
  const { ctx } = tender.service
  const text = `insert into passkeys (credential_id, person_id, public_key, counter, transports, name,
    is_synced, created_time) values ($1, 'usr_owner', '\\x00', 0, '{internal}', $2, true, $3)`
  await ctx.db.query({ name: 'seed.passkey', text }, [PASSKEY_ID, name, ctx.clock.now()])
}
