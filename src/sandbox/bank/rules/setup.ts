import { SMALL_AMOUNTS } from '../../values/amounts.ts'
import { type Behaviour, type Refusal, refusal } from '../../values/behaviour.ts'
import type { SandboxMethod } from '../../values/named.ts'
import { CHALLENGE_MS, PAGE_MS } from './methods.ts'
import { type BankMethod, type Instrument, inFuture, type Setup } from './payment.ts'

/**
 * Input for storing a method without a payment. Cards and wallets are ready at once or after a page; a bank
 * account is ready after the customer has confirmed the two small amounts on its statement.
 */
export interface SetupInput {
  readonly instrument: Instrument
  readonly behaviour: Behaviour
}

const MAX_WRONG_TRIES = 3

export function beginSetup(
  method: SandboxMethod,
  details: SetupInput | undefined,
  { now, back }: { readonly now: Date; readonly back?: string | undefined },
): Setup {
  const returns = back === undefined ? {} : { back }
  if (!details) return { status: 'needs-customer', until: inFuture(now, PAGE_MS), ...returns }
  const said = refusalOf(details, now)
  if (said) return { status: 'declined', decline: said }
  if (details.behaviour.challenge)
    return { status: 'needs-customer', until: inFuture(now, CHALLENGE_MS), ...returns }
  return { status: method === 'ElectronicCheck' ? 'unconfirmed' : 'ready' }
}

function refusalOf({ instrument, behaviour }: SetupInput, now: Date): Refusal | undefined {
  const { expiryYear, expiryMonth } = instrument
  const isPast = expiryYear && expiryMonth && Date.UTC(expiryYear, expiryMonth, 1) <= now.getTime()
  // With a challenge, the refusal comes after it.
  return isPast ? refusal('expired-card') : behaviour.challenge ? undefined : behaviour.refuse
}

/** The setup at `now`: an expired page counts as declined. */
export function setupNow({ setup = { status: 'ready' } }: Pick<BankMethod, 'setup'>, now: Date): Setup {
  const isOver = setup.status === 'needs-customer' && (setup.until ?? '') <= now.toISOString()
  return isOver ? ended(setup, refusal('expired')) : setup
}

const ended = ({ back }: Setup, decline: Refusal): Setup => ({
  status: 'declined',
  decline,
  ...(back === undefined ? {} : { back }),
})

export type SetupAction = 'approve' | 'decline' | 'cancel'

/** Applies the customer's action on the page. */
export function actOnSetup(setup: Setup, action: SetupAction, behaviour: Behaviour): Setup {
  if (action === 'cancel') return ended(setup, refusal('customer-cancelled'))
  if (action === 'decline') return ended(setup, refusal('authentication-failed'))
  if (behaviour.refuse) return ended(setup, behaviour.refuse)
  const { back } = setup
  return { status: 'ready', ...(back === undefined ? {} : { back }) }
}

/** Amounts in minor units, in either order. */
export function confirmSetup(setup: Setup, amounts: readonly number[]): Setup {
  const right = [...SMALL_AMOUNTS].sort().join() === [...amounts].sort().join()
  if (right) return { status: 'ready' }
  const wrongTries = (setup.wrongTries ?? 0) + 1
  return wrongTries < MAX_WRONG_TRIES
    ? { ...setup, wrongTries }
    : { status: 'declined', wrongTries, decline: refusal('authentication-failed') }
}

export const triesLeft = ({ wrongTries = 0 }: Setup): number => MAX_WRONG_TRIES - wrongTries
