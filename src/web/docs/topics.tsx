import { ERRORS_SAY, errorEntries } from '../../reference/errors.ts'
import type { TestValues } from '../../reference/sheet.ts'
import { kindSheet, STATES_SAY, stateSheet, transitionSheet } from '../../reference/states.ts'
import { StateDiagram } from './diagram.tsx'
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

export function testValuesPage(assets: AssetPaths, { says, sheets }: TestValues): string {
  return docsHtml(assets, {
    title: 'Test values',
    path: '/docs/test-values',
    children: (
      <>
        <Prose text={says} />
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
