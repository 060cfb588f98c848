import { faultOn, freshAccount } from '../accounts.ts'
import { type Answer, answer, outage, requestLost, withMishap } from '../answer.ts'
import { actOnSetup, beginSetup, confirmSetup, setupNow, triesLeft } from '../rules/keeping.ts'
import { TERMS } from '../rules/methods.ts'
import type { Setup, StoredMethod } from '../rules/payment.ts'
import { notFound, unsupported, wrongState } from '../rules/refused.ts'
import { findSetup, insertSetup, replaceSetup } from '../setup-store.ts'
import { accountNow, type World } from '../world.ts'
import { paypalMeans } from './instruments.ts'
import * as read from './read.ts'
import { type BankRequest, type Handler, keyed } from './request.ts'
import { openToken } from './tokens.ts'

/** Methods that are kept without a payment. */
export const keepMethod: Handler = async (world, request) => {
  const { account } = request
  const method = read.method(request.body)
  const { key } = keyed(request)
  if (!TERMS[method].storable) throw unsupported(`${method} cannot be kept.`)
  const effect = await faultOn(world, account, 'keep')
  if (effect?.effect === 'request-lost') return requestLost(effect.delayMs)
  if (effect?.effect === 'outage') return outage()
  const now = accountNow(world, await freshAccount(world, account))
  const instrument = read.optionalText(request.body, 'instrument', 4_000)
  const held = instrument === undefined ? undefined : openToken(world.keys, instrument, account, now)
  if (held && held.method !== method) throw unsupported(`This token is for ${held.method}.`)
  // The id of a one-time token names what it became: used again, it gives the same method.
  const token = `met_${held?.id ?? key.toLowerCase()}`
  const back = read.httpUrl(request.body, 'back')
  await insertSetup(world.db, account, {
    token,
    method,
    instrument: held?.instrument ?? {},
    behaviour: held?.behaviour ?? {},
    setup: beginSetup(method, held, { now, back }),
  })
  const kept = answer(201, await viewOf(world, account, token))
  return effect ? withMishap(kept, effect) : kept
}

export const showKept: Handler = async (world, { account, id }) =>
  answer(200, await viewOf(world, account, id))

async function viewOf(world: World, account: string, token: string): Promise<object> {
  const { stored, setup } = await setupOf(world, account, token)
  return { storedMethod: world.views.stored(account, stored, setup) }
}

async function setupOf(world: World, account: string, token: string) {
  const found = await findSetup(world.db, account, token)
  if (!found) throw notFound('stored method')
  const now = accountNow(world, await freshAccount(world, account))
  return { ...found, setup: setupNow(found.stored, now) }
}

/** The amounts that the customer read on a statement. */
export const confirmMethod: Handler = (world, request) => {
  const amounts = ['first', 'second'].map((field) => read.wholeNumber(request.body, field, 0, 99_999))
  return changeSetup(world, request, ({ setup }) => {
    if (setup.status !== 'unconfirmed') throw wrongState('This account waits for no amounts.')
    return { setup: confirmSetup(setup, amounts) }
  })
}

/** A button of the page where the customer agrees. */
export const actOnKeeping: Handler = (world, request) => {
  const action = read.oneOf(request.body, 'action', ['approve', 'decline', 'cancel'] as const)
  return changeSetup(world, request, ({ stored, setup }) => {
    if (setup.status !== 'needs-customer') throw wrongState('This page is closed.')
    const email = read.optionalText(request.body, 'email', 254) ?? 'buyer@example.com'
    const means = stored.method === 'Paypal' ? paypalMeans(world.keys, request.account, email) : stored
    const { instrument, behaviour } = means
    return { instrument, behaviour, setup: actOnSetup(setup, action, behaviour) }
  })
}

type Decide = (seen: { readonly stored: StoredMethod; readonly setup: Setup }) => Partial<StoredMethod>

async function changeSetup(world: World, { account, id }: BankRequest, decide: Decide): Promise<Answer> {
  for (;;) {
    const { stored, version, setup } = await setupOf(world, account, id)
    const changed: StoredMethod = { ...stored, ...decide({ stored, setup }) }
    if (!(await replaceSetup(world.db, account, { stored: changed, version }))) continue
    const after = changed.setup ?? setup
    return answer(200, {
      storedMethod: world.views.stored(account, changed, after),
      triesLeft: triesLeft(after),
    })
  }
}
