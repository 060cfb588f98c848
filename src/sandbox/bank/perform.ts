import { after } from '../../base/clock.ts'
import { takeFault } from './accounts.ts'
import { answer, type BankAnswer, outage, requestLost, withReplyFault } from './answer.ts'
import { accountNow, type BankContext, paymentKey } from './context.ts'
import { notificationsOf } from './notifications.ts'
import { advanced, earliest } from './rules/advance.ts'
import { type ActiveFault, type CallStep, isTransport, matchingFaults } from './rules/faults.ts'
import type { Draft, LedgerPayment } from './rules/payment.ts'
import { badRequest, bankNotFound, RefusedError, wrongState } from './rules/refused.ts'
import { type BankChange, type BankState, readDuePayments, readState, writeChange } from './store.ts'

/** One request that may change a payment. */
export interface BankCall {
  readonly account: string
  readonly step?: CallStep
  /** `pay_…` or `reference:…`. Absent: the call opens a payment. */
  readonly target?: string
  /** Reference of the payment that the call opens. */
  readonly reference?: string
  readonly request?: { readonly key: string; readonly fingerprint: string }
}

export interface DecisionInput {
  readonly now: Date
  readonly effect: ActiveFault | undefined
}

/** The changed payment and the answer. Refusals are thrown. */
export interface BankDecision {
  readonly draft: Draft
  readonly status: number
  readonly body: object
}

type Decide = (input: DecisionInput, draft: Draft | undefined) => BankDecision

interface ReadState extends BankState {
  readonly fresh: boolean
}

/** Concurrent writers of one payment are few; more lost races than this indicate a loop. */
const MAX_TRIES = 10

export const openPayment = (
  bank: BankContext,
  call: BankCall & { readonly reference: string },
  decide: (input: DecisionInput) => BankDecision,
): Promise<BankAnswer> =>
  perform(bank, call, (input, draft) => {
    if (draft) throw wrongState('This reference belongs to a payment already made.')
    return decide(input)
  })

export const changePayment = (
  bank: BankContext,
  call: BankCall & { readonly target: string },
  decide: (input: DecisionInput, draft: Draft) => BankDecision,
): Promise<BankAnswer> =>
  perform(bank, call, (input, draft) => {
    if (!draft) throw bankNotFound('payment')
    return decide(input, draft)
  })

/** Decides on cached state and writes. If the cache was stale, reads the database and decides again. */
async function perform(bank: BankContext, call: BankCall, decide: Decide): Promise<BankAnswer> {
  let effect: ActiveFault | undefined
  let mustRead = false
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    let state = (mustRead ? undefined : cachedState(bank, call)) ?? (await readFresh(bank, call))
    mustRead = true
    if (!effect && call.step && matchingFaults(state.account.faults, call.step, false).length > 0) {
      if (!state.fresh) continue
      const taken = await takeFault(bank, call.step, state)
      if (taken === 'lost') continue
      if (taken) {
        effect = taken.effect
        state = { ...state, account: taken.account }
      }
    }
    if (effect?.effect === 'request-lost') return requestLost(effect.delayMs)
    if (effect?.effect === 'outage') return outage()
    if (state.earlier) return replay(call, state.earlier, effect)
    const done = await attempt(bank, call, { state, effect, decide })
    if (done) return done
  }
  throw new Error('a payment kept changing under the bank’s hands')
}

function cachedState({ cache }: BankContext, { account: name, target }: BankCall): ReadState | undefined {
  const account = cache.accounts.get(name)
  if (!account) return undefined
  if (target === undefined) return { account, fresh: false }
  const current = cache.payments.get(paymentKey(name, target))
  return current && { account, current, fresh: false }
}

const REFERENCE = 'reference:'

async function readFresh(
  bank: BankContext,
  { account, target, request, ...call }: BankCall,
): Promise<ReadState> {
  const reference = target?.startsWith(REFERENCE) ? target.slice(REFERENCE.length) : call.reference
  const state = await readState(bank.db, { account, paymentId: target, reference, requestKey: request?.key })
  bank.cache.accounts.set(account, state.account)
  return { ...state, fresh: true }
}

function replay(
  call: BankCall,
  earlier: NonNullable<BankState['earlier']>,
  effect: ActiveFault | undefined,
): BankAnswer {
  if (earlier.fingerprint !== call.request?.fingerprint)
    throw new RefusedError(409, 'key_reused', 'This Idempotency-Key came with another request before.')
  const again = { status: earlier.status, body: earlier.answer }
  return effect ? withReplyFault(again, effect) : again
}

interface Attempt {
  readonly state: ReadState
  readonly effect: ActiveFault | undefined
  readonly decide: Decide
}

/** Returns the answer, or undefined if the decision must be repeated on fresh state. */
async function attempt(
  bank: BankContext,
  call: BankCall,
  { state, effect, decide }: Attempt,
): Promise<BankAnswer | undefined> {
  const now = accountNow(bank, state.account)
  let decision: BankDecision
  try {
    decision = decide({ now, effect }, state.current && advanced(state.current.payment, now))
  } catch (error) {
    if (error instanceof RefusedError && !state.fresh) return undefined
    throw error
  }
  const { reply } = decision.draft.payment.behaviour
  const magic = call.step === 'charge' && reply ? { effect: reply } : undefined
  if (magic?.effect === 'request-lost') return requestLost()
  const given = answer(decision.status, decision.body)
  if (!(await save(bank, state, { draft: decision.draft, effect, request: requestOf(call, given) }))) {
    if (state.fresh && !state.current) await refuseUsedToken(bank, decision.draft.payment)
    return undefined
  }
  return withReplyFault(given, effect && isTransport(effect.effect) ? effect : (magic ?? {}))
}

/** A token's id becomes the id of its payment, so a payment with another reference has used the token. */
async function refuseUsedToken(
  { db }: BankContext,
  { account, id, reference }: LedgerPayment,
): Promise<void> {
  const { current } = await readState(db, { account, paymentId: id })
  if (current && current.payment.reference !== reference) throw badRequest('instrument was used before.')
}

const requestOf = ({ request }: BankCall, given: BankAnswer): BankChange['request'] =>
  request && { ...request, status: given.status, answer: given.body }

interface Save {
  readonly draft: Draft
  readonly effect?: ActiveFault | undefined
  readonly request?: BankChange['request']
}

/** Returns false if the account or the payment has changed since it was read. */
async function save(bank: BankContext, state: BankState, { draft, effect, request }: Save): Promise<boolean> {
  const { account, current } = state
  const notifications = notificationsOf(bank, draft, effect)
  const next = earliest(draft)
  const written = await writeChange(bank.db, {
    now: bank.clock.now(),
    accountVersion: account.version,
    version: current?.version ?? 0,
    payment: draft.payment,
    dueTime: next && after(new Date(next.at), -account.clockOffsetMs).toISOString(),
    entries: [...draft.entries.values()],
    notifications,
    storing: draft.storing,
    request,
  })
  if (!written) return false
  const { payment } = draft
  bank.cache.payments.set(paymentKey(payment.account, payment.id), {
    version: (current?.version ?? 0) + 1,
    payment,
  })
  if (next || notifications.length > 0) for (const tell of bank.onWork) tell()
  return true
}

/** Reads a payment, and first applies and writes the changes that are due. */
export async function readPayment(
  bank: BankContext,
  account: string,
  target: string,
): Promise<LedgerPayment> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const state = await readFresh(bank, { account, target })
    if (!state.current) throw bankNotFound('payment')
    const draft = advanced(state.current.payment, accountNow(bank, state.account))
    if (draft.events.length === 0) return state.current.payment
    if (await save(bank, state, { draft })) return draft.payment
  }
  throw new Error('a payment kept changing under the bank’s hands')
}

/** Several nodes may advance the same payment: one write succeeds, the others fail the version check. */
export async function advanceDue(bank: BankContext, only: string | undefined): Promise<number> {
  const due = await readDuePayments(bank.db, bank.clock.now(), only)
  const written = await Promise.all(
    due.map(async ({ account, paymentId }) => {
      const state = await readFresh(bank, { account, target: paymentId })
      return (
        state.current &&
        save(bank, state, { draft: advanced(state.current.payment, accountNow(bank, state.account)) })
      )
    }),
  )
  return written.filter(Boolean).length
}
