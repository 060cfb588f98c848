import type { Queryable } from '../db/database.ts'
import { readSchema, type SchemaPart } from './schema-store.ts'

const HEAD = `-- The schema of a migrated database, rendered from PostgreSQL's catalogue by \`npm run docs\`.
-- The reasons for tables, constraints and indexes are in migrations/ and docs/decisions/.
`

/** The final schema: each table with its constraints, followed by its other indexes. */
export async function schemaReference(db: Queryable): Promise<string> {
  const { schemas, sequences, tables, indexes } = await readSchema(db)
  const of = (parts: readonly SchemaPart[], owner: SchemaPart) =>
    parts.filter(({ schema, name }) => schema === owner.schema && name === owner.name)
  const texts = schemas.flatMap((name) => [
    ...(name === 'public' ? [] : [`create schema ${name};`]),
    ...sequences.filter(({ schema }) => schema === name).map(({ text }) => text),
    ...tables
      .filter(({ schema }) => schema === name)
      .map((table) => [table.text, ...of(indexes, table).map(({ text }) => text)].join('\n')),
  ])
  return `${[HEAD, ...texts].join('\n\n').replaceAll('public.', '')}\n`
}
