import type { State } from '../../payments/machine.ts'
import type { Failure } from '../../payments/payment.ts'
import type { PageTexts } from '../i18n/en/checkout.ts'

/** Word, dot and colour: never colour alone. */
const TONES: Readonly<Record<State, string>> = {
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

/** A cancelled or expired payment is Failed to the API; people read what happened. */
export function stateText(texts: PageTexts, { state, failure }: StateOf): string {
  if (failure?.code === 'cancelled') return texts.states.cancelled
  if (failure?.code === 'expired' || failure?.code === 'authorization_expired') return texts.states.expired
  return texts.states[state]
}

export function StatePill({ texts, payment }: { readonly texts: PageTexts; readonly payment: StateOf }) {
  const ended = payment.failure?.code === 'cancelled' || payment.failure?.code === 'expired'
  return <span class={`pill ${ended ? 'grey' : TONES[payment.state]}`}>{stateText(texts, payment)}</span>
}
