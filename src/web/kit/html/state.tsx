import type { State } from '../../../payments/machine.ts'
import type { Failure } from '../../../payments/payment.ts'
import type { PageTexts } from '../i18n/languages.ts'

/** Pill colours. The pill always has a text too: colour is never the only signal. */
export const TONES: Readonly<Record<State, string>> = {
  Created: 'grey',
  Authorizing: 'blue pulse',
  SaleInProgress: 'blue pulse',
  Capturing: 'blue pulse',
  Authorized: 'blue',
  Approved: 'green outline',
  Captured: 'green',
  ProviderAuthorizedHold: 'amber',
  CapturedHold: 'amber',
  Failed: 'red',
  Cancelling: 'grey',
  Refunding: 'violet pulse',
  Refunded: 'violet',
  Disputed: 'red outline',
}

export interface StateOf {
  readonly state: State
  readonly failure: Pick<Failure, 'code'> | null
}

/** The API reports cancelled and expired payments as Failed; pages show the cause. */
export function stateText(texts: PageTexts, { state, failure }: StateOf): string {
  if (failure?.code === 'cancelled') return texts.states.cancelled
  if (failure?.code === 'expired' || failure?.code === 'authorization_expired') return texts.states.expired
  return texts.states[state]
}

export function StatePill({ texts, payment }: { readonly texts: PageTexts; readonly payment: StateOf }) {
  const ended = payment.failure?.code === 'cancelled' || payment.failure?.code === 'expired'
  return <span class={`pill ${ended ? 'grey' : TONES[payment.state]}`}>{stateText(texts, payment)}</span>
}
