import { STATES, type State } from '../../payments/machine.ts'
import { ERRORS_SAY, errorEntries } from '../../reference/errors.ts'
import type { TestValues } from '../../reference/sheet.ts'
import { edges, kindSheet, STATES_SAY, stateSheet, transitionSheet } from '../../reference/states.ts'
import { type AssetPaths, docsHtml } from './layout.tsx'
import { anchorOf, InlineText, Prose, SheetSection } from './prose.tsx'

/** The `type` of every problem response links to its code here. */
export function errorsPage(assets: AssetPaths): string {
  return docsHtml(assets, {
    title: 'Errors',
    path: '/docs/errors',
    children: (
      <>
        <Prose text={ERRORS_SAY} />
        <div class="wide">
          {errorEntries().map(({ code, status, title, help }) => (
            <section class="error" id={code}>
              <h2>
                <span class="status">{status}</span> <a href={`#${code}`}>{code}</a>
              </h2>
              <p>
                <strong>{title}.</strong> <InlineText text={help} />
              </p>
            </section>
          ))}
        </div>
      </>
    ),
  })
}

export function statesPage(assets: AssetPaths): string {
  return docsHtml(assets, {
    title: 'Payment states',
    path: '/docs/payment-states',
    children: (
      <>
        <Prose text={STATES_SAY} />
        <SheetSection sheet={stateSheet()} />
        <SheetSection sheet={kindSheet()} />
        <StateDiagram />
        <SheetSection sheet={transitionSheet()} />
      </>
    ),
  })
}

export function testValuesPage(assets: AssetPaths, { description, sheets }: TestValues): string {
  return docsHtml(assets, {
    title: 'Test values',
    path: '/docs/test-values',
    children: (
      <>
        <Prose text={description} />
        <nav class="jump" aria-label="On this page">
          {sheets.map(({ title }) => (
            <a href={`#${anchorOf(title)}`}>{title}</a>
          ))}
        </nav>
        {sheets.map((sheet) => (
          <SheetSection sheet={sheet} />
        ))}
      </>
    ),
  })
}

/** Each state with its transitions, as a list: a graph of all transitions would be unreadable. */
function StateDiagram() {
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
    <span class={`state ${STATES[state].kind}`} title={STATES[state].description}>
      {state}
    </span>
  )
}
