import type { Route } from '../http/route.ts'
import type { Manifest } from '../providers/port.ts'
import { ERRORS_SAY, errorSheet } from './errors.ts'
import { markdownPage, markdownSheet, markdownTable } from './markdown.ts'
import { abilitySheet, factSheet, settingSheet } from './providers.ts'
import { ROLES_SAY, ROUTES_SAY, roleSheet, routeSheet, SCOPES_SAY, scopeSheet } from './roles.ts'
import type { TestValues } from './sheet.ts'
import { kindSheet, mermaid, STATES_SAY, stateSheet, transitionSheet } from './states.ts'

export const errorsMarkdown = (): string => markdownPage('Errors', [ERRORS_SAY, markdownTable(errorSheet())])

export const statesMarkdown = (): string =>
  markdownPage('Payment states', [
    STATES_SAY,
    ...[stateSheet(), kindSheet(), transitionSheet()].map((sheet) => markdownSheet(sheet)),
    '## Diagram',
    `\`\`\`mermaid\n${mermaid()}\n\`\`\``,
  ])

export const rolesMarkdown = (
  description: Parameters<typeof roleSheet>[0],
  routes: readonly Route[],
): string =>
  markdownPage('Roles', [
    ROLES_SAY,
    markdownTable(roleSheet(description)),
    '## Scopes of API keys',
    SCOPES_SAY,
    markdownTable(scopeSheet(description)),
    '## Routes',
    ROUTES_SAY,
    markdownTable(routeSheet(routes)),
  ])

export const testValuesMarkdown = ({ description, sheets }: TestValues): string =>
  markdownPage('Test values', [description, ...sheets.map((sheet) => markdownSheet(sheet))])

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
