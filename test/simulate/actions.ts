import { HOUR, MINUTE } from '../../src/base/clock.ts'
import { outcomesOf } from '../../src/sandbox/helpers/choices.ts'
import { SANDBOX_METHODS } from '../../src/sandbox/values/named.ts'
import { armPending, confirmOnce, customerWithMethod, noteChallenge, payWithStored } from './challenges.ts'
import { actAtTheProvider, payAgain } from './dashboard.ts'
import type { Known, Merchant } from './merchant.ts'
import { PUBLIC_URL, type Reply } from './node.ts'
import { payOut, plantFault } from './settlements/acts.ts'
import type { World } from './world.ts'

/** What came back; undefined: the node died before it answered. None: there was nothing to act on. */
type Replies = readonly (Reply | undefined)[]
type Act = (world: World, merchant: Merchant) => Promise<Replies>

/** What merchants and customers do, and how often. */
const ACTIONS: Readonly<Record<string, readonly [weight: number, act: Act]>> = {
  create: [24, create],
  pay: [22, pay],
  decline: [6, decline],
  capture: [9, capture],
  cancel: [6, cancel],
  'refund in parts': [6, refundPart],
  'several refunds at once': [4, refundParts],
  'refund the rest': [3, on('refund', 'Captured', 'Disputed')],
  'auto payment': [9, autoPayment],
  unhold: [5, on('unhold', 'ProviderAuthorizedHold', 'CapturedHold')],
  recheck: [5, on('recheck')],
  'delete method': [2, deleteMethod],
  'retry with the same reference': [5, repeatReference],
  dispute: [2, dispute],
  'at the provider': [10, atTheProvider],
  'pay again': [3, secondPayment],
  'stored method': [6, storedMethod],
  'mark as dispute': [1, on('mark-as-dispute', 'Captured')],
  'mark as refund': [1, on('mark-as-refund', 'Captured', 'Disputed')],
  read: [2, read],
  payouts: [3, payOut],
  'settlement fault': [5, plantFault],
}
export const ACTION_NAMES = Object.keys(ACTIONS)
const TOTAL = Object.values(ACTIONS).reduce((sum, [weight]) => sum + weight, 0)

export async function randomAction(world: World, merchant: Merchant): Promise<void> {
  let ticket = world.dice.below(TOTAL)
  const chosen = Object.entries(ACTIONS).find(([, [weight]]) => {
    ticket -= weight
    return ticket < 0
  })
  if (!chosen) return
  const [name, [, act]] = chosen
  const replies = await act(world, merchant)
  if (replies.length > 0) world.counter.count(`action ${name}`)
  if (replies.some((reply) => reply && reply.status < 400)) world.counter.count(`done ${name}`)
}

const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })

function anyCustomer({ dice }: World, merchant: Merchant): string {
  return `${merchant.mark}-customer-${dice.below(4)}`
}

/** Mostly one that the merchant believes to be fit for the action, and mostly a recent one. */
function anyPayment({ dice }: World, merchant: Merchant, fit: readonly string[] = []): Known | undefined {
  const all = [...merchant.known.values()]
  const fitting = all.filter(({ state }) => fit.includes(state))
  const among = fitting.length > 0 && dice.chance(0.8) ? fitting : all
  const recent = dice.chance(0.8) ? among.slice(-8) : among
  return recent.length === 0 ? undefined : dice.pick(recent)
}

const AMOUNTS = [1, 9.99, 25, 100.01, 250]

function newBody(world: World, merchant: Merchant) {
  const { dice, clock, provider } = world
  const currency = dice.pick(provider?.currencies ?? ['EUR', 'USD', 'JPY', 'KWD'])
  const amount = dice.pick(AMOUNTS)
  const paymentProfileId = merchant.profiles.get(currency)
  const expirationTime = new Date(clock.now().getTime() + HOUR * (1 + dice.below(48))).toISOString()
  return {
    referenceId: merchant.newReference(),
    // Yen have no cents.
    amount: currency === 'JPY' ? Math.ceil(amount) : amount,
    currency,
    returnUrl: 'https://shop.example.com/back',
    autoCapture: dice.chance(0.6) || provider?.isSaleOnly === true,
    showPayRecurringInCheckout: false,
    registerAutoPayment: dice.chance(provider?.challenge ? 0.7 : 0.3),
    ...(dice.chance(0.1) ? { expirationTime } : {}),
    ...(paymentProfileId === undefined ? {} : { paymentProfileId }),
    ...order(anyCustomer(world, merchant)),
  }
}

const creationPath = ({ provider }: World): string =>
  provider ? 'payments/provider-hosted-page' : 'payments/hosted-page'

async function create(world: World, merchant: Merchant): Promise<Replies> {
  const body = newBody(world, merchant)
  merchant.orders.set(body.referenceId, body)
  const send = () => merchant.call('POST', creationPath(world), body)
  // An impatient shop: the same request again while the first is on its way, or after it was lost.
  const replies = await Promise.all(world.dice.chance(0.2) ? [send(), send()] : [send()])
  return replies[0] ? replies : [...replies, await send()]
}

async function pay(world: World, merchant: Merchant): Promise<Replies> {
  const { dice } = world
  if (world.provider) return onPage(world, merchant, dice.chance(0.7) ? 'pay' : dice.pick(PAYER_ACTS))
  const method = dice.chance(0.5) ? 'CreditCard' : dice.pick(SANDBOX_METHODS)
  const outcome = dice.chance(0.7) ? 'approved' : dice.pick([...outcomesOf(method), 'abandon'])
  return asCustomer(world, merchant, { method, outcome })
}

async function decline(world: World, merchant: Merchant): Promise<Replies> {
  if (world.provider) return onPage(world, merchant, 'decline')
  const method = world.dice.pick(SANDBOX_METHODS)
  const outcome = world.dice.pick(outcomesOf(method).filter((one) => one !== 'approved'))
  return asCustomer(world, merchant, { method, outcome })
}

async function asCustomer(world: World, merchant: Merchant, wish: object): Promise<Replies> {
  const { dice } = world
  const payment = anyPayment(world, merchant, ['Created'])
  if (!payment) return []
  const path = `test-helpers/payments/${payment.paymentId}/pay`
  const tab = () => merchant.call('POST', path, { ...wish, saveMethod: dice.chance(0.2) })
  return Promise.all(dice.chance(0.15) ? [tab(), tab()] : [tab()])
}

const PAYER_ACTS = ['pay', 'save', 'challenge', 'decline', 'abandon', 'pay-part'] as const

const payerAct = (kind: (typeof PAYER_ACTS)[number]) =>
  kind === 'pay-part' ? { kind, percent: 40 } : { kind }

/** On the provider's page; not every browser comes back from it. */
async function onPage(world: World, merchant: Merchant, kind: (typeof PAYER_ACTS)[number]): Promise<Replies> {
  const { dice, turnstile, provider } = world
  const pageUrl = anyPayment(world, merchant, ['Created'])?.pageUrl
  if (pageUrl === undefined || isOwnPage(pageUrl)) return []
  if (kind === 'pay-part' && (!provider?.takesParts || provider.happened.paidPages.includes(pageUrl)))
    return []
  armPending(world)
  const tab = async () => {
    // A page that is closed refuses.
    const page = await pageOf(world, pageUrl)
    if (page === undefined) return undefined
    const back = await turnstile.pass('customer', async () => visit(provider, page, kind))
    if (back && kind !== 'abandon') provider?.happened.paidPages.push(page)
    if (!back?.startsWith(PUBLIC_URL) || dice.chance(0.3)) return undefined
    return world.anyNode().request('GET', back.slice(PUBLIC_URL.length))
  }
  // A part is paid once: more than the amount is the merchant's to return.
  return Promise.all(dice.chance(0.15) && kind !== 'pay-part' ? [tab(), tab()] : [tab()])
}

async function visit(provider: World['provider'], page: string, kind: (typeof PAYER_ACTS)[number]) {
  const known = provider?.simulator.allEntries().length ?? 0
  const back = await provider?.simulator.payer(page, payerAct(kind)).catch(() => undefined)
  const [made] = provider?.simulator.allEntries().slice(known) ?? []
  // Coins that arrive in parts are one payment.
  const isPart = kind === 'pay-part' && !provider?.isConfirmedByOthers
  if (made && isPart) provider?.happened.paidInPart.add(made.reference)
  return back
}

/** The merchant's checkout, where the payer has not chosen yet. */
const isOwnPage = (url: string): boolean => url.startsWith(`${PUBLIC_URL}/c/`) && !url.includes('/continue/')

/** A page of ours that posts a form leads to the provider's: its fields are in the query then. */
async function pageOf(world: World, pageUrl: string): Promise<string | undefined> {
  if (!pageUrl.startsWith(PUBLIC_URL)) return pageUrl
  const shown = await world.anyNode().request('GET', pageUrl.slice(PUBLIC_URL.length))
  const [, action] = /<form[^>]* action="(http[^"]+)"/.exec(shown?.text ?? '') ?? []
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(shown?.text ?? '') ?? []
  return action && `${action}?${new URLSearchParams({ token })}`
}

function on(verb: string, ...fit: readonly string[]): Act {
  return async (world, merchant) => {
    const payment = anyPayment(world, merchant, fit)
    return payment ? [await merchant.call('POST', `payments/${payment.paymentId}/${verb}`)] : []
  }
}

function capture(world: World, merchant: Merchant): Promise<Replies> {
  return on(world.dice.chance(0.3) ? 'capture?amount=1' : 'capture', 'Authorized')(world, merchant)
}

/** Also what is being paid this moment. */
function cancel(world: World, merchant: Merchant): Promise<Replies> {
  return on('cancel', 'Created', 'Authorized', 'ProviderAuthorizedHold', 'CapturedHold')(world, merchant)
}

async function refundPart(world: World, merchant: Merchant): Promise<Replies> {
  const { dice } = world
  const payment = anyPayment(world, merchant, ['Captured'])
  if (!payment) return []
  const path = `payments/${payment.paymentId}/refund?amount=${dice.pick([1, 5, 9])}`
  if (dice.chance(0.5)) return [await merchant.call('POST', path)]
  // With a key, a lost answer is asked for again.
  const key = { 'idempotency-key': `refund-${dice.below(1e9)}` }
  const reply = await merchant.call('POST', path, undefined, key)
  return [reply ?? (await merchant.call('POST', path, undefined, key))]
}

/** Two clerks, each with a request and a key of their own. One that is told to come back does so once. */
async function refundParts(world: World, merchant: Merchant): Promise<Replies> {
  const { dice } = world
  const payment = anyPayment(world, merchant, ['Captured'])
  if (!payment) return []
  const send = async (): Promise<Reply | undefined> => {
    const path = `payments/${payment.paymentId}/refund?amount=${dice.pick([1, 2, 5])}`
    const key = { 'idempotency-key': `refund-${dice.below(1e9)}` }
    const reply = await merchant.call('POST', path, undefined, key)
    const isTransient = reply?.headers['retry-after'] !== undefined
    return isTransient || !reply ? merchant.call('POST', path, undefined, key) : reply
  }
  return Promise.all([send(), send()])
}

async function autoPayment(world: World, merchant: Merchant): Promise<Replies> {
  const { dice } = world
  const body = {
    referenceId: merchant.newReference(),
    amount: dice.pick(AMOUNTS),
    autoCapture: dice.chance(0.7),
    ...order(anyCustomer(world, merchant)),
  }
  const send = () => merchant.call('POST', 'payments/auto-payment', body)
  if (dice.chance(0.4)) confirmOnce(world, 'charge')
  const reply = (await send()) ?? (await send())
  noteChallenge(world, reply)
  return [reply]
}

/** A payer with a stored method on the merchant's checkout. */
async function storedMethod(world: World, merchant: Merchant): Promise<Replies> {
  if (!world.provider?.challenge) return []
  const customer = await customerWithMethod(
    merchant,
    [0, 1, 2, 3].map((n) => `${merchant.mark}-customer-${n}`),
  )
  if (customer === undefined) return []
  const { paymentProfileId: _any, ...wanted } = newBody(world, merchant)
  // Some links end before a challenge would.
  const endMs = world.clock.now().getTime() + MINUTE * (10 + world.dice.below(45))
  const soon = world.dice.chance(0.4) ? { expirationTime: new Date(endMs).toISOString() } : {}
  const body = { ...wanted, ...order(customer), ...soon }
  merchant.orders.set(body.referenceId, body)
  return payWithStored(world, merchant, body)
}

async function secondPayment(world: World): Promise<Replies> {
  return (await payAgain(world)) ? [DONE] : []
}

async function repeatReference(world: World, merchant: Merchant): Promise<Replies> {
  const { referenceId } = anyPayment(world, merchant) ?? {}
  if (referenceId === undefined) return []
  const same = merchant.orders.get(referenceId)
  const other = { ...newBody(world, merchant), referenceId }
  return [await merchant.call('POST', creationPath(world), world.dice.chance(0.7) ? same : other)]
}

async function deleteMethod(world: World, merchant: Merchant): Promise<Replies> {
  const customer = anyCustomer(world, merchant)
  const reply = await merchant.call('GET', `customers/${customer}/payment-methods`)
  const [method] = reply?.status === 200 ? reply.body : []
  const path = `customers/${customer}/payment-methods/${method?.paymentMethodId}`
  return method ? [await merchant.call('DELETE', path)] : []
}

async function dispute(world: World, merchant: Merchant): Promise<Replies> {
  const payment = anyPayment(world, merchant, ['Captured', 'Disputed'])
  const outcome = world.dice.pick(['open', 'won', 'lost'])
  if (!payment || world.provider) return []
  const { dice } = world
  const wish = {
    outcome,
    ...(dice.chance(0.5) ? { amount: 1 } : {}),
    ...(dice.chance(0.3) ? { isFurther: true } : {}),
    ...(dice.chance(0.3) ? { isInquiry: true } : {}),
  }
  return [await merchant.call('POST', `test-helpers/payments/${payment.paymentId}/dispute`, wish)]
}

async function atTheProvider(world: World): Promise<Replies> {
  return actAtTheProvider(world) ? [DONE] : []
}

const DONE: Reply = { status: 200, headers: {}, text: '', body: undefined }

async function read(world: World, merchant: Merchant): Promise<Replies> {
  const payment = anyPayment(world, merchant)
  if (!payment) return []
  return [await merchant.call('GET', `payments/referenceId:${encodeURIComponent(payment.referenceId)}`)]
}
