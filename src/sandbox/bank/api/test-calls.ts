import { DAY } from '../../../base/clock.ts'
import { changeFaults, freshAccount, ledgerOf, moveAccountClock } from '../accounts.ts'
import { answer } from '../answer.ts'
import { accountNow } from '../context.ts'
import { changePayment } from '../perform.ts'
import { FAULT_EFFECTS, FAULT_STEPS, type Fault } from '../rules/faults.ts'
import { inFuture } from '../rules/payment.ts'
import { dispute } from '../rules/settle.ts'
import * as read from './read.ts'
import type { Handler } from './request.ts'

export const armFault: Handler = async (bank, { account, body }) => {
  const fault: Fault = {
    step: read.oneOf(body, 'step', FAULT_STEPS),
    effect: read.oneOf(body, 'effect', FAULT_EFFECTS),
    times: body.times === undefined ? 1 : read.wholeNumber(body, 'times', 1, 1_000),
    ...(body.delayMs === undefined ? {} : { delayMs: read.wholeNumber(body, 'delayMs', 0, DAY) }),
  }
  const faults = await changeFaults(bank, account, (armed) => [...armed, fault])
  return answer(200, { faults })
}

export const clearFaults: Handler = async (bank, { account }) =>
  answer(200, { faults: await changeFaults(bank, account, () => []) })

export const moveClock: Handler = async (bank, { account, body }) => {
  const ms = read.wholeNumber(body, 'advanceMs', 0, 3_650 * DAY)
  return answer(200, { now: (await moveAccountClock(bank, account, ms)).toISOString() })
}

export const showLedger: Handler = async (bank, { account, query }) =>
  answer(200, { entries: await ledgerOf(bank, account, query.getAll('reference')) })

export const openDispute: Handler = (bank, { account, body }) => {
  const outcomes = ['open', 'won', 'lost'] as const
  const outcome = body.outcome === undefined ? 'open' : read.oneOf(body, 'outcome', outcomes)
  const target = `reference:${read.text(body, 'reference', 64)}`
  const wish = {
    ...(body.amount === undefined ? {} : { amount: read.amount(body) }),
    ...(body.isFurther === true ? { isFurther: true } : {}),
    ...(body.isInquiry === true ? { isInquiry: true } : {}),
  }
  const days = body.dueDays === undefined ? undefined : read.wholeNumber(body, 'dueDays', 0, 365)
  return changePayment(bank, { account, target }, (_, draft) => {
    const due = days === undefined ? {} : { evidenceDue: inFuture(draft.now, days * DAY) }
    dispute(draft, { ...wish, ...due, state: outcome })
    return { draft, status: 200, body: { payment: bank.views.payment(draft.payment) } }
  })
}

export const showAccount: Handler = async (bank, { account }) => {
  const now = accountNow(bank, await freshAccount(bank, account)).toISOString()
  return answer(200, { account, now, publishableKey: bank.keys.publishableKey(account) })
}
