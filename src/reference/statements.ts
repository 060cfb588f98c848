import { formatDialect, postgresql } from 'sql-formatter'

const HEAD = `-- Every statement that the service sends, by name, as PostgreSQL receives it.
-- Printed by \`npm run docs -- statements\`.
`

/** Statements in the order of their names, formatted. */
export function statementsReference(statements: ReadonlyMap<string, string>): string {
  const named = [...statements].sort(([one], [other]) => (one < other ? -1 : 1))
  const texts = named.map(([name, text]) => `-- ${name}\n${formatted(text)};`)
  return `${[HEAD, ...texts].join('\n\n')}\n`
}

const formatted = (text: string): string =>
  formatDialect(text, { dialect: postgresql, keywordCase: 'lower', expressionWidth: 100, tabWidth: 2 })
