import { ApiError, invalid, wrongField } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { getPayment } from '../../payments/actions.ts'
import { pay } from '../../payments/pay.ts'
import type { Payment } from '../../payments/payment.ts'
import { offersOf } from '../../payments/provider/failover.ts'
import { recheck } from '../../payments/provider/recheck.ts'
import type { Offer } from '../../routing/offers.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxMethod } from '../values/named.ts'
import {
  actOnPage,
  type ChallengeOutcome,
  isChallenge,
  passChallenge,
  tokeniseBankAccount,
  tokeniseCard,
} from './browser.ts'
import { type Choice, choiceFor, outcomesOf } from './choices.ts'

export interface PayAsCustomerInput {
  readonly method?: string | undefined
  readonly outcome?: string | undefined
  readonly saveMethod?: boolean | undefined
  /** The customer's IP address, for fraud policies. */
  readonly payerIp?: string | undefined
}

interface Customer {
  readonly ctx: Context
  readonly sandbox: Sandbox
  readonly app: App
  readonly payerIp?: string
}

/** Pays like a customer on the hosted page, with the same commands and the same bank. */
export async function payAsCustomer(
  base: Customer,
  payment: Payment,
  input: PayAsCustomerInput,
): Promise<Payment> {
  const { ctx, app } = base
  const customer = { ...base, ...(input.payerIp ? { payerIp: input.payerIp } : {}) }
  const offer = chooseOffer(ctx, app, payment, input)
  if (input.outcome === 'abandon') return abandon(customer, payment, offer)
  const outcome = input.outcome ?? 'approved'
  const method = offer.method as SandboxMethod
  const choice = choiceFor(method, outcome, appNow(ctx, app))
  if (!choice)
    throw invalid([wrongField('outcome', `must be one of ${[...outcomesOf(method), 'abandon'].join(', ')}`)])
  if (choice.kind === 'page' || !offer.abilities.fields || hasPage(payment))
    return payOnPage(customer, payment, { offer, choice })
  return payWithFields(customer, payment, { offer, choice, saveMethod: input.saveMethod === true })
}

const hasPage = (payment: Payment): boolean =>
  payment.flow === 'ProviderHostedPage' && payment.redirectUrl !== null

/** The requested method, else the first that supports the outcome. Cards come first. */
function chooseOffer(
  ctx: Context,
  app: App,
  payment: Payment,
  { method, outcome }: PayAsCustomerInput,
): Offer {
  const only = hasPage(payment) ? payment.profileId : null
  const offers = offersOf(ctx, app, payment)
    .filter(({ profile }) => profile.provider === 'sandbox' && (only === null || profile.profileId === only))
    .sort((a, b) => Number(b.method === 'CreditCard') - Number(a.method === 'CreditCard'))
  const wanted = method
    ? offers.find((offer) => offer.method === method)
    : (offers.find((offer) => outcomesOf(offer.method as SandboxMethod).includes(outcome ?? 'approved')) ??
      offers[0])
  if (wanted) return wanted
  throw new ApiError('profile_not_usable', 'The payment offers no such method of the built-in provider.')
}

/** Opens the page and leaves without paying. */
function abandon({ ctx, app, payerIp }: Customer, payment: Payment, offer: Offer): Promise<Payment> {
  const stays = offer.abilities.fields || hasPage(payment)
  return stays
    ? getPayment(ctx, app, payment.paymentId)
    : pay(ctx, app, payment, { offer, ...(payerIp ? { payerIp } : {}) })
}

async function payOnPage(
  customer: Customer,
  payment: Payment,
  how: { offer: Offer; choice: Choice },
): Promise<Payment> {
  const { ctx, app, sandbox, payerIp } = customer
  const { offer } = how
  const opened = hasPage(payment)
    ? payment
    : await pay(ctx, app, payment, { offer, ...(payerIp ? { payerIp } : {}) })
  if (opened.redirectUrl === null) return opened
  const browser = sandbox.browser(ctx.http)
  const shown = await actOnPage(browser, opened.redirectUrl, pressed(how.choice))
  if (shown.kind === 'refused') throw new ApiError('not_possible', shown.message)
  const challenge = how.choice.kind === 'card' ? how.choice.challenge : 'pass'
  if (shown.kind === 'ok' && shown.next && isChallenge(shown.next))
    await passChallenge(browser, shown.next, challenge)
  return returned(customer, opened)
}

function pressed(choice: Choice) {
  if (choice.kind === 'card') return { action: 'card', card: choice.card } as const
  if (choice.kind === 'bank-account')
    return { action: 'bank-account', bankAccount: choice.bankAccount } as const
  return choice.action
}

interface Typed {
  readonly offer: Offer
  readonly choice: Exclude<Choice, { kind: 'page' }>
  readonly saveMethod: boolean
}

async function payWithFields(customer: Customer, payment: Payment, typed: Typed): Promise<Payment> {
  const { ctx, app, sandbox } = customer
  const { offer, choice, saveMethod } = typed
  const browser = sandbox.browser(ctx.http)
  const key = sandbox.publishableKey(app.appId)
  const token =
    choice.kind === 'card'
      ? await tokeniseCard(browser, key, choice.card)
      : await tokeniseBankAccount(browser, key, choice.bankAccount)
  if (token.kind === 'refused') throw new ApiError('not_possible', token.message)
  if (token.kind === 'lost') throw new ApiError('unavailable', 'The sandbox bank did not answer.')
  const instruments = { instrument: token.token, storeMethod: saveMethod }
  const at = customer.payerIp ? { payerIp: customer.payerIp } : {}
  const paid = await pay(ctx, app, payment, { offer, ...instruments, ...at })
  return choice.kind === 'card' ? answerChallenge(customer, paid, choice.challenge) : paid
}

async function answerChallenge(
  customer: Customer,
  payment: Payment,
  answer: ChallengeOutcome,
): Promise<Payment> {
  const { ctx, sandbox } = customer
  if (payment.redirectUrl === null || !isChallenge(payment.redirectUrl)) return payment
  await passChallenge(sandbox.browser(ctx.http), payment.redirectUrl, answer)
  return returned(customer, payment)
}

/** Rechecks the payment, as when the customer's browser returns. */
async function returned({ ctx, app }: Customer, payment: Payment): Promise<Payment> {
  return recheck(ctx, app, await getPayment(ctx, app, payment.paymentId))
}
