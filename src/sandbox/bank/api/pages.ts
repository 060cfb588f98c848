import { DECLINE_REASONS } from '../../../providers/outcome.ts'
import { type Behaviour, refusal } from '../../values/behaviour.ts'
import { CRYPTO_BUTTONS } from '../../values/values.ts'
import { freshAccount } from '../accounts.ts'
import { answer } from '../answer.ts'
import { changePayment, type Decision, readPayment } from '../perform.ts'
import { authorise, closePage, endDeclined, refuse } from '../rules/authorise.ts'
import type { Effect } from '../rules/faults.ts'
import { TERMS } from '../rules/methods.ts'
import type { Draft } from '../rules/payment.ts'
import { badRequest, notFound, wrongState } from '../rules/refused.ts'
import { accountNow, type World } from '../world.ts'
import { bankMeans, cardMeans, codeMeans, type Means, paypalMeans } from './instruments.ts'
import * as read from './read.ts'
import type { BankRequest, Handler } from './request.ts'
import { issueToken } from './tokens.ts'

/** What a customer's browser asks of the bank: tokens, the pages' contents, and what is clicked on them. */
export const createToken: Handler = async (world, request) => {
  const { account, body } = request
  const means =
    body.code === undefined
      ? meansOf(world, request, body.bankAccount === undefined ? 'card' : 'bank-account')
      : codeMeans(body)
  const now = accountNow(world, await freshAccount(world, account))
  const { brand, type, last4 } = means.instrument
  return answer(201, {
    token: issueToken(world.keys, world.random, { account, now, means }),
    brand,
    type,
    last4,
  })
}

function meansOf(world: World, { account, body }: BankRequest, kind: 'card' | 'bank-account'): Means {
  return kind === 'card'
    ? cardMeans(world.keys, account, read.section(body, 'card'))
    : bankMeans(world.keys, account, read.section(body, 'bankAccount'))
}

export const showPage: Handler = async (world, { account, id }) =>
  answer(200, world.views.page(await readPayment(world, account, id)))

const CRYPTO_ACTIONS = CRYPTO_BUTTONS.map((button) => button.action)
const ACTIONS = ['approve', 'decline', 'cancel', 'card', 'bank-account', ...CRYPTO_ACTIONS]

/** What may come of an approval beside itself. */
const TWISTS = ['less', 'dispute'] as const
type Twist = (typeof TWISTS)[number]

const TWISTED: Readonly<Record<Twist, Behaviour>> = {
  less: { percent: 90 },
  dispute: { dispute: 'fraudulent' },
}

/** A button or form of the payment page. */
export const actOnPage: Handler = async (world, request) => {
  const action = read.oneOf(request.body, 'action', ACTIONS)
  const twist = request.body.twist === undefined ? undefined : read.oneOf(request.body, 'twist', TWISTS)
  const call = { account: request.account, target: request.id }
  const { method } = await readPayment(world, call.account, call.target)
  // Approving where the merchant finishes moves no money yet, so no fault of an authorisation touches it.
  const moves = !TERMS[method].approvesFirst && action !== 'do-nothing' && action !== 'cancel'
  return changePayment(world, moves ? { ...call, step: 'authorise' } : call, ({ effect }, draft) => {
    if (draft.payment.page?.kind !== 'pay') throw wrongState('This page is closed.')
    act(draft, { world, request, action, twist, effect })
    return shown(world, draft)
  })
}

interface Click {
  readonly world: World
  readonly request: BankRequest
  readonly action: string
  readonly twist: Twist | undefined
  readonly effect: Effect | undefined
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
  payment.behaviour = click.twist ? { ...behaviour, ...TWISTED[click.twist] } : behaviour
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

/** What the customer pays with: typed in, or what approves when only the button was pressed. */
function chosen(draft: Draft, { world, request, action }: Click): Means {
  const { account, body } = request
  const { keys } = world
  switch (draft.payment.method) {
    case 'CreditCard': {
      const approving = {
        number: '4242424242424242',
        expiryMonth: 12,
        expiryYear: draft.now.getUTCFullYear() + 3,
      }
      if (action === 'approve') return cardMeans(keys, account, approving)
      if (action === 'card') return meansOf(world, request, 'card')
      break
    }
    case 'ElectronicCheck':
      if (action === 'approve')
        return bankMeans(keys, account, { routing: '110000000', account: '000123456789' })
      if (action === 'bank-account') return meansOf(world, request, 'bank-account')
      break
    case 'Paypal':
      if (action === 'approve')
        return paypalMeans(keys, account, read.optionalText(body, 'email', 254) ?? 'buyer@example.com')
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

function shown({ views }: World, draft: Draft): Decision {
  return {
    draft,
    status: 200,
    body: { ...views.page(draft.payment), url: urlOf(views.payment(draft.payment)) },
  }
}

const urlOf = (view: object): unknown => ('url' in view ? view.url : undefined)

/** The customer's answer to a 3-D Secure challenge. */
export const answerChallenge: Handler = (world, request) => {
  const outcome = read.oneOf(request.body, 'outcome', ['pass', 'fail', 'cancel'])
  const call = { account: request.account, target: request.id, step: 'authorise' } as const
  return changePayment(world, call, ({ effect }, draft) => {
    const { payment } = draft
    if (payment.page?.kind !== '3ds') throw wrongState('This challenge is closed.')
    const { operationKey } = payment
    if (outcome === 'pass') authorise(draft, { operationKey, effect, challenged: true })
    else if (outcome === 'fail') refuse(draft, refusal('authentication-failed'), operationKey)
    else endDeclined(draft, refusal('customer-cancelled'))
    return shown(world, draft)
  })
}

/** Pages are found by the unguessable end of their address alone. */
export function sessionOwner(world: World, session: string): { account: string; paymentId: string } {
  const found = world.keys.paymentOf(session)
  if (!found) throw notFound('page')
  return found
}
