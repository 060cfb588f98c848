import type { State } from '../../../payments/machine.ts'
import { type PaymentStanding, type ShownState, shownState } from '../../../payments/search/outcome.ts'
import type { ConsoleTexts } from '../texts/texts.ts'
import { TONES } from './state.tsx'

const SHOWN_TONES: Readonly<Record<ShownState, string>> = {
  ...TONES,
  declined: 'red',
  blocked: 'red outline',
  'part-refunded': 'violet outline',
}

interface StateBadgeProps {
  readonly texts: ConsoleTexts
  readonly state: State
  readonly shown?: ShownState
}

/** The state as text and colour. `data-state` holds the state's own name in every language. */
export const StateBadge = ({ texts, state, shown = state }: StateBadgeProps) => (
  <span class={`pill ${SHOWN_TONES[shown]}`} data-state={state}>
    {texts.frame.states[shown]}
  </span>
)

interface StandingBadgeProps {
  readonly texts: ConsoleTexts
  readonly payment: PaymentStanding
}

/** How a payment stands: declined although it can still be paid, or refunded in part. */
export const StandingBadge = ({ texts, payment }: StandingBadgeProps) => (
  <StateBadge texts={texts} state={payment.state} shown={shownState(payment)} />
)
