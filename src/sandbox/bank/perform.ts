import { after } from '../../base/clock.ts'
import { takeFault } from './accounts.ts'
import { type Answer, answer, outage, requestLost, withMishap } from './answer.ts'
import { notificationsOf } from './notifications.ts'
import { advanced, earliest } from './rules/advance.ts'
import { type CallStep, type Effect, isTransport, matchingFaults } from './rules/faults.ts'
import type { Draft, Payment } from './rules/payment.ts'
import { badRequest, notFound, RefusedError, wrongState } from './rules/refused.ts'
import { type Change, look, type Seen, writeChange } from './store.ts'
import { accountNow, paymentKey, type World } from './world.ts'

/** One request that may change a payment. */
export interface Call {
  readonly account: string
  readonly step?: CallStep
  /** `pay_…` or `reference:…`; absent: the call opens a payment. */
  readonly target?: string
  /** Of the payment that the call opens. */
  readonly reference?: string
  readonly request?: { readonly key: string; readonly fingerprint: string }
}

export interface Moment {
  readonly now: Date
  readonly effect: Effect | undefined
}

/** A decision: the changed payment and the answer. Refusals are thrown. */
export interface Decision {
  readonly draft: Draft
  readonly status: number
  readonly body: object
}

type Decide = (moment: Moment, draft: Draft | undefined) => Decision

interface Look extends Seen {
  readonly fresh: boolean
}

/** Rivals for one payment are few; more lost races than this are a loop. */
const MAX_TRIES = 10

export const openPayment = (
  world: World,
  call: Call & { readonly reference: string },
  decide: (moment: Moment) => Decision,
): Promise<Answer> =>
  perform(world, call, (moment, draft) => {
    if (draft) throw wrongState('This reference belongs to a payment already made.')
    return decide(moment)
  })

export const changePayment = (
  world: World,
  call: Call & { readonly target: string },
  decide: (moment: Moment, draft: Draft) => Decision,
): Promise<Answer> =>
  perform(world, call, (moment, draft) => {
    if (!draft) throw notFound('payment')
    return decide(moment, draft)
  })

/** Decides on what this process remembers, writes, and starts again on what is true when it had forgotten. */
async function perform(world: World, call: Call, decide: Decide): Promise<Answer> {
  let effect: Effect | undefined
  let mustLook = false
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    let seen = (mustLook ? undefined : remember(world, call)) ?? (await lookFresh(world, call))
    mustLook = true
    if (!effect && call.step && matchingFaults(seen.account.faults, call.step, false).length > 0) {
      if (!seen.fresh) continue
      const taken = await takeFault(world, call.step, seen)
      if (taken === 'lost') continue
      if (taken) {
        effect = taken.effect
        seen = { ...seen, account: taken.account }
      }
    }
    if (effect?.effect === 'request-lost') return requestLost(effect.delayMs)
    if (effect?.effect === 'outage') return outage()
    if (seen.earlier) return replay(call, seen.earlier, effect)
    const done = await attempt(world, call, { seen, effect, decide })
    if (done) return done
  }
  throw new Error('a payment kept changing under the bank’s hands')
}

function remember({ memory }: World, { account: name, target }: Call): Look | undefined {
  const account = memory.accounts.get(name)
  if (!account) return undefined
  if (target === undefined) return { account, fresh: false }
  const kept = memory.payments.get(paymentKey(name, target))
  return kept && { account, kept, fresh: false }
}

const REFERENCE = 'reference:'

export async function lookFresh(world: World, { account, target, request, ...call }: Call): Promise<Look> {
  const reference = target?.startsWith(REFERENCE) ? target.slice(REFERENCE.length) : call.reference
  const seen = await look(world.db, { account, paymentId: target, reference, requestKey: request?.key })
  world.memory.accounts.set(account, seen.account)
  return { ...seen, fresh: true }
}

function replay(call: Call, earlier: NonNullable<Seen['earlier']>, effect: Effect | undefined): Answer {
  if (earlier.fingerprint !== call.request?.fingerprint)
    throw new RefusedError(409, 'key_reused', 'This Idempotency-Key came with another request before.')
  const again = { status: earlier.status, body: earlier.answer }
  return effect ? withMishap(again, effect) : again
}

interface Attempt {
  readonly seen: Look
  readonly effect: Effect | undefined
  readonly decide: Decide
}

/** The answer, or undefined when it has to be decided again on fresh knowledge. */
async function attempt(
  world: World,
  call: Call,
  { seen, effect, decide }: Attempt,
): Promise<Answer | undefined> {
  const now = accountNow(world, seen.account)
  let decision: Decision
  try {
    decision = decide({ now, effect }, seen.kept && advanced(seen.kept.payment, now))
  } catch (error) {
    if (error instanceof RefusedError && !seen.fresh) return undefined
    throw error
  }
  const { reply } = decision.draft.payment.behaviour
  const magic = call.step === 'charge' && reply ? { effect: reply } : undefined
  if (magic?.effect === 'request-lost') return requestLost()
  const given = answer(decision.status, decision.body)
  if (!(await save(world, seen, { draft: decision.draft, effect, request: requestOf(call, given) }))) {
    if (seen.fresh && !seen.kept) await refuseUsedToken(world, decision.draft.payment)
    return undefined
  }
  return withMishap(given, effect && isTransport(effect.effect) ? effect : (magic ?? {}))
}

/** A token is the id of its payment: one that names another payment has been used. */
async function refuseUsedToken({ db }: World, { account, id, reference }: Payment): Promise<void> {
  const { kept } = await look(db, { account, paymentId: id })
  if (kept && kept.payment.reference !== reference) throw badRequest('instrument was used before.')
}

const requestOf = ({ request }: Call, given: Answer): Change['request'] =>
  request && { ...request, status: given.status, answer: given.body }

interface Save {
  readonly draft: Draft
  readonly effect?: Effect | undefined
  readonly request?: Change['request']
}

/** False: somebody was faster. */
export async function save(world: World, seen: Seen, { draft, effect, request }: Save): Promise<boolean> {
  const { account, kept } = seen
  const notifications = notificationsOf(world, draft, effect)
  const next = earliest(draft)
  const written = await writeChange(world.db, {
    accountVersion: account.version,
    version: kept?.version ?? 0,
    payment: draft.payment,
    dueTime: next && after(new Date(next.at), -account.clockOffsetMs).toISOString(),
    entries: [...draft.entries.values()],
    notifications,
    storing: draft.storing,
    request,
  })
  const { payment } = draft
  if (written)
    world.memory.payments.set(paymentKey(payment.account, payment.id), {
      version: (kept?.version ?? 0) + 1,
      payment,
    })
  return written
}

/** The payment as it is now; what time alone has done to it is written down on the way. */
export async function readPayment(world: World, account: string, target: string): Promise<Payment> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = await lookFresh(world, { account, target })
    if (!seen.kept) throw notFound('payment')
    const draft = advanced(seen.kept.payment, accountNow(world, seen.account))
    if (draft.events.length === 0) return seen.kept.payment
    if (await save(world, seen, { draft })) return draft.payment
  }
  throw new Error('a payment kept changing under the bank’s hands')
}
