import { STATES, type State } from '../../payments/machine.ts'
import { edges } from '../../reference/states.ts'

/** Each state with its transitions, as a list: a graph of all transitions would be unreadable. */
export function StateDiagram() {
  const all = edges()
  return (
    <section id="ways">
      <h2>Ways</h2>
      <ol class="ways">
        {(Object.keys(STATES) as State[]).map((state) => (
          <li>
            <Pill state={state} />
            <ul>
              {all
                .filter(({ from }) => from === state)
                .map(({ to, events }) => (
                  <li>
                    <span aria-hidden="true">→</span> <Pill state={to} />{' '}
                    <span class="muted">{events.join(', ')}</span>
                  </li>
                ))}
              {STATES[state].kind === 'final' && <li class="muted">the end</li>}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Pill({ state }: { readonly state: State }) {
  return (
    <span class={`state ${STATES[state].kind}`} title={STATES[state].says}>
      {state}
    </span>
  )
}
