import { randomText } from '../../../base/ids.ts'
import { REQUESTS } from '../../../providers/methods/three-d-secure.ts'
import { amountBehaviour } from '../../values/amounts.ts'
import { type Behaviour, refusal, riskOf } from '../../values/behaviour.ts'
import type { SandboxMethod } from '../../values/named.ts'
import { storedMethod } from '../accounts.ts'
import { answer, type BankAnswer } from '../answer.ts'
import type { BankContext } from '../context.ts'
import { type BankDecision, changePayment, type DecisionInput, openPayment, readPayment } from '../perform.ts'
import { authorise, chargeBehaviour, openPage } from '../rules/authorise.ts'
import { PAGE_MS, TERMS } from '../rules/methods.ts'
import {
  type BankMethod,
  type Draft,
  draftOf,
  type Instrument,
  type LedgerPayment,
} from '../rules/payment.ts'
import { unsupported, wrongState } from '../rules/refused.ts'
import * as read from './read.ts'
import { type BankRequest, type Handler, keyed } from './request.ts'
import { ID_LENGTH, openCode, openToken } from './tokens.ts'

const DEFAULT_RISK = riskOf(5)

/** Starts a payment by token, by stored method, or on the bank's page. */
export const startPayment: Handler = (bank, request) => {
  const { body } = request
  if (body.storedMethod !== undefined) return charge(bank, request)
  return body.instrument === undefined ? openPaymentPage(bank, request) : payWithToken(bank, request)
}

function payWithToken(bank: BankContext, request: BankRequest): Promise<BankAnswer> {
  const asked = readPurchase(request)
  const token = read.text(request.body, 'instrument', 4_000)
  if (!TERMS[asked.method].takesTokens) throw unsupported(`${asked.method} is paid on the bank’s page only.`)
  const call = {
    account: request.account,
    reference: asked.reference,
    step: 'authorise',
    ...keyedCall(request),
  } as const
  return openPayment(bank, call, ({ now, effect }) => {
    const held = openToken(bank.keys, token, request.account, now)
    if (held.method !== asked.method) throw unsupported(`This token is for ${held.method}.`)
    const draft = newDraft(asked, { ...held, now })
    authorise(draft, { operationKey: asked.operationKey, effect })
    return decided(bank, draft, 201)
  })
}

function openPaymentPage(bank: BankContext, request: BankRequest): Promise<BankAnswer> {
  const asked = readPurchase(request)
  const expires = read.optionalText(request.body, 'expires', 40)
  const call = {
    account: request.account,
    reference: asked.reference,
    step: 'open-page',
    ...keyedCall(request),
  } as const
  return openPayment(bank, call, ({ now }) => {
    const draft = newDraft(asked, { id: randomText(bank.random, ID_LENGTH), now, behaviour: {} })
    const left = expires ? Math.max(0, Date.parse(expires) - now.getTime()) : PAGE_MS
    openPage(draft, 'pay', Math.min(PAGE_MS, left))
    return decided(bank, draft, 201)
  })
}

async function charge(bank: BankContext, request: BankRequest): Promise<BankAnswer> {
  const { account, body } = request
  const asked = readPurchase(request)
  const token = read.text(body, 'storedMethod', 100)
  const code = read.optionalText(body, 'code', 4_000)
  const { stored, forgotten } = await storedMethod(bank, account, token)
  if (stored.method !== asked.method) throw unsupported(`This stored method is ${stored.method}.`)
  const usual = forgotten
    ? { refuse: refusal('method-removed') }
    : behaviourOfCharge(stored, asked, body.magicAmounts === true)
  const call = { account, reference: asked.reference, step: 'charge', ...keyedCall(request) } as const
  return openPayment(bank, call, ({ now, effect }) => {
    const { instrument } = stored
    const typed = code === undefined ? undefined : openCode(bank.keys, code, account, now)
    const behaviour = { ...usual, ...typed?.behaviour }
    const id = typed?.id ?? randomText(bank.random, ID_LENGTH)
    const draft = newDraft({ ...asked, store: false }, { id, now, behaviour, instrument })
    draft.payment.stored = token
    authorise(draft, { operationKey: asked.operationKey, effect })
    return decided(bank, draft, 201)
  })
}

function behaviourOfCharge(stored: BankMethod, asked: Purchase, magicAmounts: boolean): Behaviour {
  if ((stored.setup?.status ?? 'ready') !== 'ready') return { refuse: refusal('debit-not-authorised') }
  const usual = chargeBehaviour(stored)
  return magicAmounts ? { ...usual, ...amountBehaviour(asked.amount, asked.currency) } : usual
}

const keyedCall = (request: BankRequest) => ({ request: keyed(request) })

type Purchase = Pick<
  LedgerPayment,
  'account' | 'reference' | 'operationKey' | 'method' | 'amount' | 'currency' | 'sale' | 'store' | 'customer'
> &
  Partial<Pick<LedgerPayment, 'description' | 'notify' | 'back' | 'asks'>>

function readPurchase(request: BankRequest): Purchase {
  const { body, account } = request
  const method: SandboxMethod = read.method(body)
  const store = body.store === true
  if (store && !TERMS[method].storable) throw unsupported(`${method} cannot be stored.`)
  const customer = read.section(body, 'customer')
  const optional = {
    description: read.optionalText(body, 'description', 1_000),
    notify: read.httpUrl(body, 'notify'),
    back: read.httpUrl(body, 'back'),
    asks: body.threeDSecure === undefined ? undefined : read.oneOf(body, 'threeDSecure', REQUESTS),
  }
  return {
    account,
    reference: read.text(body, 'reference', 64),
    operationKey: keyed(request).key,
    method,
    amount: read.amount(body),
    currency: read.currency(body),
    sale: body.sale === true,
    store,
    customer: known({
      id: read.optionalText(customer, 'id', 200),
      name: read.optionalText(customer, 'name', 401),
      email: read.optionalText(customer, 'email', 254),
    }),
    ...known(optional),
  }
}

/** Removes undefined members. */
function known<T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never
}

interface NewPayment {
  readonly id: string
  readonly now: Date
  readonly behaviour: Behaviour
  readonly instrument?: Instrument
}

function newDraft(purchase: Purchase, { id, now, behaviour, instrument }: NewPayment): Draft {
  const payment: LedgerPayment = {
    ...purchase,
    id: `pay_${id}`,
    createdTime: now.toISOString(),
    status: 'needs-customer',
    behaviour,
    risk: DEFAULT_RISK,
    captured: 0,
    refunded: 0,
    refunds: [],
    due: [],
    entries: 0,
    notified: 0,
    ...(instrument ? { instrument } : {}),
  }
  return draftOf(payment, now)
}

/** A declined payment is always answered with 402. */
function decided({ views }: BankContext, draft: Draft, status: number): BankDecision {
  const declined = draft.payment.status === 'declined'
  return { draft, status: declined ? 402 : status, body: { payment: views.payment(draft.payment) } }
}

/** Authorises a payment after the customer has approved it on the page. */
export const authoriseApproved: Handler = (bank, request) => {
  const call = {
    account: request.account,
    target: request.id,
    step: 'authorise',
    ...keyedCall(request),
  } as const
  return changePayment(bank, call, ({ effect }: DecisionInput, draft) => {
    if (draft.payment.status !== 'approved')
      throw wrongState(`A payment that is ${draft.payment.status} cannot be authorised.`)
    authorise(draft, { operationKey: call.request.key, effect })
    return decided(bank, draft, 200)
  })
}

export const showPayment: Handler = async (bank, { account, id }) =>
  answer(200, { payment: bank.views.payment(await readPayment(bank, account, id)) })
