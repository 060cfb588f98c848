import type { Money } from '../../base/money.ts'
import type { AccountMethods } from '../check.ts'
import { type Checked, checkProblem } from '../check.ts'
import { itemsAt, type Json, listAt, textAt } from '../kit/json.ts'
import { unsupported, withoutDecline } from '../kit/reply.ts'
import { type AnyMethod, isMethodId } from '../methods/method.ts'
import type { Handles, NotDone, Outcome, StoredRead } from '../outcome.ts'
import type { Operation, ProviderAdapter, Purchase } from '../port.ts'
import {
  type AdyenToken,
  AFTERPAY_TYPES,
  cancelByReference,
  cancelPayment,
  capturePayment,
  chargeStored,
  closeLink,
  isId,
  isShopperName,
  listStored,
  openLink,
  readLink,
  readMethods,
  refundPayment,
  removeStored,
  TYPES,
} from './calls.ts'
import { connect, problemOf } from './connect.ts'
import { type AdyenContext, call } from './exchange.ts'
import { type AdyenSettings, manifest, notReady } from './manifest.ts'
import {
  chargeOutcome,
  closedState,
  closeOutcome,
  linkOutcome,
  modificationOutcome,
  referenceCancelOutcome,
  wantsCustomer,
} from './outcomes.ts'
import { received } from './receive.ts'
import { listedMethod, retrieve } from './retrieve.ts'
import { settlements } from './settlements.ts'

/**
 * Adyen's Checkout API with payment links. A payment cannot be read: its notifications tell what happened.
 * See docs/decisions/0118-adyen.md.
 */
export const adyen: ProviderAdapter<AdyenSettings> = {
  manifest,
  check,
  accountMethods,
  connect,
  connectHelp:
    'In the Customer Area under Developers, Webhooks: add a standard webhook in JSON with this address, ' +
    'and copy its HMAC key.',
  start,
  resume: async () => unsupported('Adyen pays without a second step.'),
  charge,
  capture: (ctx, op, handles, amount) => modify(ctx, op, { handles, amount, request: capturePayment }),
  cancel,
  refund: (ctx, op, handles, amount) => modify(ctx, op, { handles, amount, request: refundPayment }),
  retrieve: (ctx, _reference, handles, about) => retrieve(ctx, handles, about?.reported ?? []),
  forget,
  readStored,
  receive: async (ctx, call) => received(ctx, call),
  settlements,
  notificationAnswer: '[accepted]',
}

async function check(ctx: AdyenContext): Promise<Checked> {
  const read = await call(ctx, readMethods(ctx.config.merchantAccount))
  if (read.kind !== 'object') return { ok: false, problem: problemOf(read), code: checkProblem(read) }
  const missing = missingMethods(ctx, read.object)
  if (missing.length > 0) return { ok: false, problem: notOn(missing), code: 'refused' }
  const unready = notReady(ctx.config)
  // A merchant account has the payments, and Adyen refuses the key of another one.
  if (unready) return { ok: false, problem: unready.problem, code: 'not-ready' }
  const isListed = itemsAt(read.object, 'paymentMethods') !== undefined
  return {
    ok: true,
    tested: ['credentials', ...(isListed ? (['methods'] as const) : [])],
    account: ctx.config.merchantAccount,
  }
}

/** Methods that the profile offers, and that are not turned on at Adyen. Without a list: none. */
function missingMethods({ profile }: AdyenContext, methods: Json): AnyMethod[] {
  if (!itemsAt(methods, 'paymentMethods')) return []
  const types = listAt(methods, 'paymentMethods').map((one) => textAt(one, 'type'))
  return (profile?.methods ?? []).filter(
    // A method by name that is not on is left out of the checkout.
    (method) => !isMethodId(method) && !types.includes(TYPES[method] ?? method),
  )
}

const notOn = (methods: readonly AnyMethod[]): string =>
  `Not turned on at Adyen: ${methods.join(', ')}. ` +
  'Turn it on in the Customer Area under Settings, Payment methods, or remove it here.'

async function accountMethods(ctx: AdyenContext): Promise<AccountMethods> {
  const read = await call(ctx, readMethods(ctx.config.merchantAccount))
  if (read.kind !== 'object') return withoutDecline(read)
  const types = listAt(read.object, 'paymentMethods').map((one) => textAt(one, 'type'))
  const isListed = (method: AnyMethod) =>
    types.includes(TYPES[method]) || (OTHER_NAMES[method] ?? []).some((name) => types.includes(name))
  return { kind: 'methods', methods: (Object.keys(TYPES) as AnyMethod[]).filter(isListed) }
}

/** Lists may have this name of Google Pay; requests have the other one. */
const OTHER_NAMES: Readonly<Partial<Record<AnyMethod, readonly string[]>>> = {
  afterpay: AFTERPAY_TYPES,
  'google-pay': ['paywithgoogle'],
}

async function start(ctx: AdyenContext, op: Operation, purchase: Purchase): Promise<Outcome> {
  if (purchase.instrument) return unsupported('Adyen takes payments on its page only.')
  const request = openLink(ctx.config.merchantAccount, op, purchase)
  return request ? linkOutcome(await call(ctx, request), op, purchase) : cannotTake(purchase)
}

const cannotTake = ({ amount, method }: Purchase): NotDone =>
  unsupported(`Adyen does not take this amount in ${amount.currency} by ${method}.`)

async function charge(ctx: AdyenContext, op: Operation, purchase: Purchase, token: string): Promise<Outcome> {
  const stored = storedToken(token)
  if (!stored) return unsupported('The stored method is not one of Adyen.')
  const request = chargeStored(ctx.config.merchantAccount, op, purchase, stored)
  if (!request) return cannotTake(purchase)
  if (purchase.customerPresent && purchase.threeDSecure === 'challenge')
    return authenticate(ctx, op, purchase, stored)
  const read = await call(ctx, request)
  const outcome = chargeOutcome(read)
  if (!purchase.customerPresent || !wantsCustomer(read)) return outcome
  // A page offers the same stored method and authenticates the customer. Repeated requests get both answers
  // again.
  const page = openLink(ctx.config.merchantAccount, op, purchase, stored.shopper)
  const opened = page && linkOutcome(await call(ctx, page), op, { ...purchase, storeMethod: false })
  return opened?.kind === 'redirect' || opened?.kind === 'unknown' ? opened : outcome
}

/** A charge without a page cannot ask for a challenge: a page with the same stored method can. */
async function authenticate(
  ctx: AdyenContext,
  op: Operation,
  purchase: Purchase,
  { shopper }: AdyenToken,
): Promise<Outcome> {
  const page = openLink(ctx.config.merchantAccount, op, purchase, shopper)
  return page
    ? linkOutcome(await call(ctx, page), op, { ...purchase, storeMethod: false })
    : cannotTake(purchase)
}

/** An imported method may have a shopper that the merchant named. */
function storedToken(token: string): AdyenToken | undefined {
  const cut = token.lastIndexOf('/')
  const [shopper, id] = [token.slice(0, Math.max(0, cut)), token.slice(cut + 1)]
  return isShopperName(shopper) && isId(id) ? { shopper, id } : undefined
}

interface Modification {
  readonly handles: Handles
  readonly amount: Money
  readonly request: typeof capturePayment
}

async function modify(
  ctx: AdyenContext,
  op: Operation,
  { handles, amount, request }: Modification,
): Promise<Outcome> {
  const { payment } = handles
  if (!isId(payment))
    return { kind: 'not-done', why: 'wrong-state', raw: { message: 'The page was not paid.' } }
  const of = { id: payment, amount, isPaidLater: handles.later !== undefined }
  const read = await call(ctx, request(ctx.config.merchantAccount, op, of))
  return modificationOutcome(read, op, payment)
}

/** Voids a payment, closes an open page, or cancels by our reference what has no id yet. */
async function cancel(ctx: AdyenContext, op: Operation, { payment, link }: Handles): Promise<Outcome> {
  const { merchantAccount } = ctx.config
  if (isId(payment))
    return modificationOutcome(await call(ctx, cancelPayment(merchantAccount, op, payment)), op, payment)
  if (isId(link)) return closePage(ctx, op, link)
  return referenceCancelOutcome(await call(ctx, cancelByReference(merchantAccount, op)), op, 'approved')
}

/** A page that was paid on has a payment whose id only a notification tells: our reference cancels it. */
async function closePage(ctx: AdyenContext, op: Operation, link: string): Promise<Outcome> {
  const closed = closeOutcome(await call(ctx, closeLink(link)), op)
  if (closed.kind !== 'not-done' || closed.why !== 'wrong-state') return closed
  const read = await call(ctx, readLink(link))
  if (read.kind !== 'object') return read
  const state = closedState(read.object, op)
  if (state !== 'paid') return state
  const { merchantAccount } = ctx.config
  return referenceCancelOutcome(await call(ctx, cancelByReference(merchantAccount, op)), op, 'pending')
}

async function forget(ctx: AdyenContext, token: string): ReturnType<typeof adyen.forget> {
  const stored = storedToken(token)
  if (!stored) return unsupported('The stored method is not one of Adyen.')
  const removed = await call(ctx, removeStored(ctx.config.merchantAccount, stored))
  if (removed.kind === 'object') return { kind: 'done' }
  // It may have been removed before.
  const isGone = removed.kind === 'declined' || (removed.kind === 'not-done' && removed.why === 'not-found')
  return isGone ? { kind: 'done' } : removed
}

async function readStored(ctx: AdyenContext, token: string): Promise<StoredRead> {
  const stored = storedToken(token)
  if (!stored) return unsupported('The stored method is not one of Adyen.')
  const read = await call(ctx, listStored(ctx.config.merchantAccount, stored.shopper))
  if (read.kind === 'declined') return { kind: 'unknown', why: 'unreadable-reply' }
  if (read.kind !== 'object') return read
  const found = listAt(read.object, 'storedPaymentMethods').find((one) => textAt(one, 'id') === stored.id)
  return found
    ? { kind: 'stored', stored: listedMethod(stored, found) }
    : { kind: 'not-done', why: 'not-found' }
}
