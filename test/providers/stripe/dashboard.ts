import type { DashboardAct } from '../kit/simulator.ts'
import { dispute, failRefund, refund, returnDebit, review, settleRefund } from './world/after.ts'
import { wireAmount } from './world/currencies.ts'
import { addDueBalance, cancel, capture, chargeOf, settle } from './world/flows.ts'
import { payOutDue } from './world/payouts.ts'
import { expireSession } from './world/sessions.ts'
import { type Intent, type State, seconds } from './world/state.ts'

/** Finds the payment by the merchant's reference, wherever the merchant has put it. */
function intentsOf(state: State, reference: string): Intent[] {
  return [...state.intents.values()].filter(
    (intent) => intent.reference === reference || Object.values(intent.metadata).includes(reference),
  )
}

/** Things that the merchant, the payer's bank or time do. */
export function actInDashboard(
  state: State,
  reference: string,
  act: DashboardAct,
  returns: 'dispute' | 'failure',
): boolean {
  const intent = intentsOf(state, reference).at(-1)
  // Of a page that is not paid there is nothing to settle.
  if (!intent && act.kind === 'settle') return false
  if (!intent) throw new Error(`no payment with the reference ${reference}`)
  const amount = (minor: bigint | undefined) =>
    minor === undefined ? undefined : wireAmount(minor, intent.currency)
  switch (act.kind) {
    case 'refund':
      refund(state, intent, { amount: amount(act.amountMinor), reason: null, metadata: {}, key: undefined })
      return true
    case 'capture':
      capture(state, intent, amount(act.amountMinor))
      return true
    case 'void':
      cancel(state, intent, 'requested_by_customer')
      return true
    case 'dispute':
      dispute(state, intent, {
        state: act.state,
        amount: amount(act.amountMinor),
        which: act.which ?? 1,
        isInquiry: act.isInquiry === true,
      })
      return true
    case 'expire-authorisation':
      cancel(state, intent, 'expired')
      return true
    case 'return-debit':
      return returnDebit(state, intent, returns)
    case 'fail-refund': {
      const last = [...state.refunds.values()].findLast((one) => one.intent === intent.id)
      if (!last) throw new Error('no refund to fail')
      failRefund(state, last)
      return true
    }
    case 'hold':
      return review(state, intent, true)
    case 'release':
      return review(state, intent, false)
    case 'settle':
      settleIntent(state, intent)
      return true
    case 'deny-capture':
    case 'fail-capture':
    case 'recapture':
    case 'repeat-refund':
      return false
  }
}

function settleIntent(state: State, intent: Intent): void {
  settle(state, intent)
  for (const one of state.refunds.values()) if (one.intent === intent.id) settleRefund(state, one)
  const charge = chargeOf(state, intent)
  if (charge.balanceAt !== undefined) addDueBalance(state, charge)
}

/** Does everything that is due at the provider's present time. */
export function passTime(state: State): void {
  const now = seconds(state)
  for (const session of state.sessions.values())
    if (session.status === 'open' && session.expiresAt <= now) expireSession(state, session)
  for (const intent of state.intents.values()) {
    if (intent.settlesAt !== undefined && intent.settlesAt <= now) settle(state, intent)
    const charge = state.charges.get(intent.charge ?? '')
    if (!charge) continue
    if (charge.balanceAt !== undefined && charge.balanceAt <= now) addDueBalance(state, charge)
    if (intent.status === 'requires_capture' && (charge.captureBefore ?? Infinity) <= now)
      cancel(state, intent, 'expired')
  }
  payOutDue(state)
  for (const one of state.refunds.values())
    if (one.settlesAt !== undefined && one.settlesAt <= now) settleRefund(state, one)
}
