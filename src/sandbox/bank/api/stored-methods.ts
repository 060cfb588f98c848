import { faultOn, freshAccount } from '../accounts.ts'
import { answer, type BankAnswer, outage, requestLost, withReplyFault } from '../answer.ts'
import { accountNow, type BankContext } from '../context.ts'
import { TERMS } from '../rules/methods.ts'
import type { BankMethod, Setup } from '../rules/payment.ts'
import { bankNotFound, unsupported, wrongState } from '../rules/refused.ts'
import { actOnSetup, beginSetup, confirmSetup, setupNow, triesLeft } from '../rules/setup.ts'
import { findSetup, insertSetup, replaceSetup } from '../setup-store.ts'
import { paypalDetails, testMethod } from './instruments.ts'
import * as read from './read.ts'
import { type BankRequest, type Handler, keyed } from './request.ts'
import { openToken } from './tokens.ts'

/** Stores a method without a payment. */
export const handleKeep: Handler = async (bank, request) => {
  const { account } = request
  const method = read.method(request.body)
  const { key } = keyed(request)
  if (!TERMS[method].storable) throw unsupported(`${method} cannot be kept.`)
  const effect = await faultOn(bank, account, 'keep')
  if (effect?.effect === 'request-lost') return requestLost(effect.delayMs)
  if (effect?.effect === 'outage') return outage()
  const now = accountNow(bank, await freshAccount(bank, account))
  const instrument = read.optionalText(request.body, 'instrument', 4_000)
  const held = instrument === undefined ? undefined : openToken(bank.keys, instrument, account, now)
  if (held && held.method !== method) throw unsupported(`This token is for ${held.method}.`)
  // A one-time token's id becomes the method's token, so a reused token returns the same method.
  const token = `met_${held?.id ?? key.toLowerCase()}`
  const back = read.httpUrl(request.body, 'back')
  await insertSetup(bank.db, account, {
    token,
    method,
    instrument: held?.instrument ?? {},
    behaviour: held?.behaviour ?? {},
    setup: beginSetup(method, held, { now, back }),
  })
  const kept = answer(201, await viewOf(bank, account, token))
  return effect ? withReplyFault(kept, effect) : kept
}

export const showKept: Handler = async (bank, { account, id }) => answer(200, await viewOf(bank, account, id))

async function viewOf(bank: BankContext, account: string, token: string): Promise<object> {
  const { stored, setup } = await setupOf(bank, account, token)
  return { storedMethod: bank.views.stored(account, stored, setup) }
}

async function setupOf(bank: BankContext, account: string, token: string) {
  const kept = await findSetup(bank.db, account, token)
  const test = kept ? undefined : testMethod(bank.keys, account, token)
  const found = test ? { stored: test, version: 0 } : kept
  if (!found) throw bankNotFound('stored method')
  const now = accountNow(bank, await freshAccount(bank, account))
  return { ...found, setup: setupNow(found.stored, now) }
}

/** Confirms a bank account with the two small amounts from its statement. */
export const handleConfirm: Handler = (bank, request) => {
  const amounts = ['first', 'second'].map((field) => read.wholeNumber(request.body, field, 0, 99_999))
  return changeSetup(bank, request, ({ setup }) => {
    if (setup.status !== 'unconfirmed') throw wrongState('This account waits for no amounts.')
    return { setup: confirmSetup(setup, amounts) }
  })
}

/** Handles a button of the page where the customer agrees to store a method. */
export const actOnKeeping: Handler = (bank, request) => {
  const action = read.oneOf(request.body, 'action', ['approve', 'decline', 'cancel'] as const)
  return changeSetup(bank, request, ({ stored, setup }) => {
    if (setup.status !== 'needs-customer') throw wrongState('This page is closed.')
    const email = read.optionalText(request.body, 'email', 254) ?? 'buyer@example.com'
    const details = stored.method === 'Paypal' ? paypalDetails(bank.keys, request.account, email) : stored
    const { instrument, behaviour } = details
    return { instrument, behaviour, setup: actOnSetup(setup, action, behaviour) }
  })
}

type Decide = (state: { readonly stored: BankMethod; readonly setup: Setup }) => Partial<BankMethod>

async function changeSetup(
  bank: BankContext,
  { account, id }: BankRequest,
  decide: Decide,
): Promise<BankAnswer> {
  for (;;) {
    const { stored, version, setup } = await setupOf(bank, account, id)
    const changed: BankMethod = { ...stored, ...decide({ stored, setup }) }
    if (!(await replaceSetup(bank.db, account, { stored: changed, version }))) continue
    const after = changed.setup ?? setup
    return answer(200, {
      storedMethod: bank.views.stored(account, changed, after),
      triesLeft: triesLeft(after),
    })
  }
}
