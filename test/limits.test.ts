import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Schema = { readonly [word: string]: unknown }

const api = JSON.parse(readFileSync('docs/reference/openapi.json', 'utf8')) as Schema

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const named = (reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((here, part) => (here as Schema)[part], api)

/** Paths of arrays without a bound in a schema. */
function unbounded(schema: unknown, path: string): string[] {
  if (!isSchema(schema)) return []
  if (typeof schema.$ref === 'string') return unbounded(named(schema.$ref), path)
  const own = schema.type === 'array' && schema.maxItems === undefined ? [path] : []
  const inside = Object.entries(schema).flatMap(([word, value]) =>
    word === 'examples' ? [] : unbounded(value, `${path}.${word}`),
  )
  return [...own, ...inside]
}

it('every array in a request schema is bounded', () => {
  const operations = Object.entries(api.paths as Schema).flatMap(([path, methods]) =>
    Object.entries(methods as Schema).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  )
  const bodies = operations.filter(([, operation]) => (operation as Schema).requestBody !== undefined)
  expect(bodies.length).toBeGreaterThan(10)
  expect(bodies.flatMap(([name, operation]) => unbounded((operation as Schema).requestBody, name))).toEqual(
    [],
  )
})
