import { DECLINE_REASONS } from '../../../providers/outcome.ts'
import { type Behaviour, refusal } from '../../values/behaviour.ts'
import { buttonsOf, NAMED_ACTIONS } from '../../values/named.ts'
import { CRYPTO_BUTTONS } from '../../values/values.ts'
import { freshAccount } from '../accounts.ts'
import { answer } from '../answer.ts'
import { accountNow, type BankContext } from '../context.ts'
import { type BankDecision, changePayment, readPayment } from '../perform.ts'
import { authorise, closePage, endDeclined, refuse, VERSION } from '../rules/authorise.ts'
import type { ActiveFault } from '../rules/faults.ts'
import { TERMS } from '../rules/methods.ts'
import type { Draft, Instrument } from '../rules/payment.ts'
import { badRequest, bankNotFound, wrongState } from '../rules/refused.ts'
import {
  bankDetails,
  cardDetails,
  codeDetails,
  type InstrumentDetails,
  paypalDetails,
} from './instruments.ts'
import * as read from './read.ts'
import type { BankRequest, Handler } from './request.ts'
import { issueToken } from './tokens.ts'

/** Exchanges card, bank account or security code input for a one-time token. */
export const createToken: Handler = async (bank, request) => {
  const { account, body } = request
  const details =
    body.code === undefined
      ? detailsOf(bank, request, body.bankAccount === undefined ? 'card' : 'bank-account')
      : codeDetails(body)
  const now = accountNow(bank, await freshAccount(bank, account))
  const { brand, type, last4 } = details.instrument
  return answer(201, {
    token: issueToken(bank.keys, bank.random, { account, now, details }),
    brand,
    type,
    last4,
  })
}

function detailsOf(
  bank: BankContext,
  { account, body }: BankRequest,
  kind: 'card' | 'bank-account',
): InstrumentDetails {
  return kind === 'card'
    ? cardDetails(bank.keys, account, read.section(body, 'card'))
    : bankDetails(bank.keys, account, read.section(body, 'bankAccount'))
}

export const showPage: Handler = async (bank, { account, id }) =>
  answer(200, bank.views.page(await readPayment(bank, account, id)))

const CRYPTO_ACTIONS = CRYPTO_BUTTONS.map((button) => button.action)
const ACTIONS = ['decline', 'cancel', 'card', 'bank-account', ...CRYPTO_ACTIONS, ...NAMED_ACTIONS]

/** Variants of an approval: a smaller amount, or a later dispute. */
const TWISTS = ['less', 'dispute'] as const
type Twist = (typeof TWISTS)[number]

const TWIST_BEHAVIOUR: Readonly<Record<Twist, Behaviour>> = {
  less: { percent: 90 },
  dispute: { dispute: 'fraudulent' },
}

/** Handles a button or form of the payment page. */
export const actOnPage: Handler = async (bank, request) => {
  const action = read.oneOf(request.body, 'action', ACTIONS)
  const twist = request.body.twist === undefined ? undefined : read.oneOf(request.body, 'twist', TWISTS)
  const call = { account: request.account, target: request.id }
  const { method } = await readPayment(bank, call.account, call.target)
  // If the merchant authorises later, the approval moves no money, so authorisation faults do not apply.
  const movesMoney = !TERMS[method].approvesFirst && action !== 'do-nothing' && action !== 'cancel'
  return changePayment(bank, movesMoney ? { ...call, step: 'authorise' } : call, ({ effect }, draft) => {
    if (draft.payment.page?.kind !== 'pay') throw wrongState('This page is closed.')
    act(draft, { bank, request, action, twist, effect })
    return shown(bank, draft)
  })
}

interface Click {
  readonly bank: BankContext
  readonly request: BankRequest
  readonly action: string
  readonly twist: Twist | undefined
  readonly effect: ActiveFault | undefined
}

function act(draft: Draft, click: Click): void {
  const { body } = click.request
  switch (click.action) {
    case 'do-nothing':
      break
    case 'cancel':
      endDeclined(draft, refusal('customer-cancelled'))
      break
    case 'decline': {
      const reason = body.reason === undefined ? 'generic' : read.oneOf(body, 'reason', DECLINE_REASONS)
      refuse(draft, refusal(reason), draft.payment.operationKey)
      break
    }
    default:
      pay(draft, click)
  }
}

function pay(draft: Draft, click: Click): void {
  const { payment } = draft
  const { instrument, behaviour } = chosen(draft, click)
  payment.instrument = instrument
  payment.behaviour = click.twist ? { ...behaviour, ...TWIST_BEHAVIOUR[click.twist] } : behaviour
  if (!TERMS[payment.method].approvesFirst) {
    authorise(draft, { operationKey: payment.operationKey, effect: click.effect })
  } else if (behaviour.refuse?.reason === 'customer-cancelled') {
    endDeclined(draft, behaviour.refuse)
  } else {
    closePage(draft)
    payment.status = 'approved'
    draft.events.push('payment.approved')
  }
}

/** The card in a wallet; nothing else is known of a payer by name. */
const walletCard = ({ payment, now }: Draft): Instrument =>
  payment.method === 'apple-pay'
    ? {
        ...{ brand: 'Visa', type: 'credit', last4: '4242', country: 'US' },
        ...{ expiryMonth: 12, expiryYear: now.getUTCFullYear() + 3 },
        wallet: 'apple-pay',
      }
    : {}

/** The customer's input, or an approved test value if only the button was pressed. */
function chosen(draft: Draft, { bank, request, action }: Click): InstrumentDetails {
  const { account, body } = request
  const { keys } = bank
  const { method } = draft.payment
  const named = buttonsOf(method)?.find((one) => one.action === action)
  if (named) return { method, behaviour: named.behaviour, instrument: walletCard(draft) }
  switch (method) {
    case 'CreditCard': {
      const approving = {
        number: '4242424242424242',
        expiryMonth: 12,
        expiryYear: draft.now.getUTCFullYear() + 3,
      }
      if (action === 'approve') return cardDetails(keys, account, approving)
      if (action === 'card') return detailsOf(bank, request, 'card')
      break
    }
    case 'ElectronicCheck':
      if (action === 'approve')
        return bankDetails(keys, account, { routing: '110000000', account: '000123456789' })
      if (action === 'bank-account') return detailsOf(bank, request, 'bank-account')
      break
    case 'Paypal':
      if (action === 'approve')
        return paypalDetails(keys, account, read.optionalText(body, 'email', 254) ?? 'buyer@example.com')
      break
    case 'Crypto': {
      const wanted = action === 'approve' ? 'pay-exactly' : action
      const button = CRYPTO_BUTTONS.find((one) => one.action === wanted)
      if (wanted === 'pay-110-percent') draft.payment.overpaid = Math.floor(draft.payment.amount / 10)
      if (button?.behaviour) return { method: 'Crypto', instrument: {}, behaviour: button.behaviour }
    }
  }
  throw badRequest(`${action} cannot be done on a ${draft.payment.method} page.`)
}

function shown({ views }: BankContext, draft: Draft): BankDecision {
  return {
    draft,
    status: 200,
    body: { ...views.page(draft.payment), url: urlOf(views.payment(draft.payment)) },
  }
}

const urlOf = (view: object): unknown => ('url' in view ? view.url : undefined)

/** Handles the customer's answer to a 3-D Secure challenge. */
export const answerChallenge: Handler = (bank, request) => {
  const outcome = read.oneOf(request.body, 'outcome', ['pass', 'fail', 'cancel'])
  const call = { account: request.account, target: request.id, step: 'authorise' } as const
  return changePayment(bank, call, ({ effect }, draft) => {
    const { payment } = draft
    if (payment.page?.kind !== '3ds') throw wrongState('This challenge is closed.')
    const { operationKey } = payment
    if (outcome === 'pass') authorise(draft, { operationKey, effect, challenged: true })
    else if (outcome === 'fail') {
      payment.threeDSecure = { result: 'failed', version: VERSION, liabilityShift: false }
      refuse(draft, refusal('authentication-failed'), operationKey)
    } else endDeclined(draft, refusal('customer-cancelled'))
    return shown(bank, draft)
  })
}

/** A page is authenticated only by the signed session in its URL. */
export function sessionOwner(bank: BankContext, session: string): { account: string; paymentId: string } {
  const found = bank.keys.paymentOf(session)
  if (!found) throw bankNotFound('page')
  return found
}
