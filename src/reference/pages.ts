import type { Manifest } from '../providers/port.ts'
import { ERRORS_SAY, errorSheet } from './errors.ts'
import { markdownPage, markdownSheet, markdownTable } from './markdown.ts'
import { abilitySheet, factSheet, settingSheet } from './providers.ts'
import { kindSheet, mermaid, STATES_SAY, stateSheet, transitionSheet } from './states.ts'
import { TEST_VALUES_SAY, testValueSheets } from './test-values.ts'

export const errorsPage = (): string => markdownPage('Errors', [ERRORS_SAY, markdownTable(errorSheet())])

export const statesPage = (): string =>
  markdownPage('Payment states', [
    STATES_SAY,
    ...[stateSheet(), kindSheet(), transitionSheet()].map((sheet) => markdownSheet(sheet)),
    '## Diagram',
    `\`\`\`mermaid\n${mermaid()}\n\`\`\``,
  ])

export const testValuesPage = (): string =>
  markdownPage('Test values', [TEST_VALUES_SAY, ...testValueSheets().map((sheet) => markdownSheet(sheet))])

export const providersPage = (manifests: readonly Manifest[]): string =>
  markdownPage('Providers', [
    'What each provider declares that it can do. The service offers nothing else.',
    ...manifests.flatMap((manifest) => [
      `## ${manifest.name}`,
      ...[factSheet(manifest), abilitySheet(manifest), settingSheet(manifest)].map((sheet) =>
        markdownSheet(sheet, 3),
      ),
    ]),
  ])
