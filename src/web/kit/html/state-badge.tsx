import type { State } from '../../../payments/machine.ts'
import type { ConsoleTexts } from '../texts/texts.ts'
import { TONES } from './state.tsx'

/** The state as text and colour. `data-state` holds the state's own name in every language. */
export const StateBadge = ({ texts, state }: { readonly texts: ConsoleTexts; readonly state: State }) => (
  <span class={`pill ${TONES[state]}`} data-state={state}>
    {texts.frame.states[state]}
  </span>
)
