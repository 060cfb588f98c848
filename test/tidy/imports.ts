import { basename, dirname } from 'node:path'
import { type Import, isProduct, linesIn, type Project, type SourceFile } from './project.ts'
import type { Rule } from './rule.ts'

/** Features in import order: a feature may import those of earlier rows. */
const FEATURES = [
  ['audit'],
  ['merchants'],
  ['mail'],
  ['people', 'customers', 'idempotency', 'fraud', 'routing', 'logs'],
  ['webhooks', 'notices'],
  ['payments'],
  ['moving'],
  ['disputes', 'exports', 'inbound', 'insights', 'links', 'occasions', 'settlements'],
  ['ledger', 'going-live'],
  ['reference', 'metrics', 'tracing'],
  ['web/kit'],
  ['sandbox'],
  ['web'],
] as const

const GROUND = ['base', 'db', 'http', 'jobs', 'net', 'providers', 'node', 'context.ts', 'config.ts'] as const

/** Composition roots: they may import every part. */
const ROOTS = ['app.ts', 'compose.ts', 'main.ts', 'generate-docs.ts', 'restore-owner.ts', 'backup', 'reseal']

/** The sandbox adapter is the example for real ones, so it may import the same parts. */
const isAdapter = (path: string): boolean => path.startsWith('src/sandbox/adapter/')

const MAY: Readonly<Record<string, readonly string[]>> = {
  base: [],
  db: ['base'],
  net: ['base'],
  http: ['base'],
  jobs: ['base', 'db'],
  providers: ['base', 'net'],
  // It stores generated secrets with the same helper as the embedded database.
  config: ['base', 'db'],
  'config.ts': ['base', 'config'],
  'context.ts': ['base', 'db', 'http', 'jobs', 'net', 'providers', 'config.ts', 'node'],
  node: ['base'],
  'log.ts': ['base'],
  'welcome.ts': ['base', 'config.ts'],
  doctor: ['base', 'db', 'net', 'config', 'config.ts', 'welcome.ts'],
  'workers.ts': ['base', 'jobs'],
  ...Object.fromEntries(
    FEATURES.flatMap((row, place) => {
      const earlier = FEATURES.slice(0, place).flat()
      return row.map((feature) => [feature, [...GROUND, ...earlier]])
    }),
  ),
}

/** `src/payments/wire/schema.ts` → `payments`, `src/app.ts` → `app.ts`. The kit is a part below the pages. */
const partOf = (path: string): string =>
  path.startsWith('src/web/kit/') ? 'web/kit' : (path.split('/')[1] ?? '')

const products = (project: Project): SourceFile[] => project.sources.filter(({ path }) => isProduct(path))

function strayImports(project: Project): string[] {
  return products(project).flatMap(({ path, imports }) =>
    imports
      .filter((one) => one.own && !mayImport(path, one))
      .map(({ target }) => `${path} imports ${target}`),
  )
}

function mayImport(path: string, { target, typeOnly }: Import): boolean {
  const [from, to] = [partOf(path), partOf(target)]
  // Texts are compiled into the module that imports them.
  if (/^locales\/.+\.json$/.test(target)) return true
  if (!target.startsWith('src/')) return false
  if (from === to || ROOTS.includes(from)) return true
  if (isAdapter(path) && !(MAY.providers ?? []).concat('providers', 'sandbox').includes(to)) return false
  if (to === 'config.ts' && !typeOnly && from !== 'doctor') return false
  return (MAY[from] ?? []).includes(to)
}

function appImports(project: Project): string[] {
  const main = ['src/main.ts', 'src/generate-docs.ts']
  return products(project)
    .filter(
      ({ path, imports }) => !main.includes(path) && imports.some(({ target }) => target === 'src/app.ts'),
    )
    .map(({ path }) => path)
}

/** A file `store.ts`, `…-store.ts`, or any file of a folder `store/`. */
const isStore = (path: string): boolean =>
  /^(.+-)?store\.ts$/.test(basename(path)) || basename(dirname(path)) === 'store'

/** The folder that a store belongs to. */
const ownerOf = (path: string): string =>
  basename(dirname(path)) === 'store' ? dirname(dirname(path)) : dirname(path)

function borrowedStores(project: Project): string[] {
  return products(project).flatMap(({ path, imports }) => {
    const from = `${dirname(path)}/`
    return imports
      .filter(({ target }) => isStore(target))
      .filter(
        ({ target }) => !from.startsWith(`${ownerOf(target)}/`) && !`${ownerOf(target)}/`.startsWith(from),
      )
      .map(({ target }) => `${path} imports ${target}`)
  })
}

const isDecision = (path: string): boolean =>
  isProduct(path) && (/^(machine|rules.*)\.ts$/.test(basename(path)) || /\/rules\//.test(path))

/** Imports at run time outside the project, found transitively; type imports do not count. */
function impureImports(project: Project, path: string, seen: Set<string>): string[] {
  if (path.startsWith('src/base/') || seen.has(path)) return []
  seen.add(path)
  const { imports = [] } = project.sources.find((file) => file.path === path) ?? {}
  return imports.flatMap(({ target, own, typeOnly }) => {
    if (typeOnly) return []
    return own ? impureImports(project, target, seen) : [`${path} imports ${target}`]
  })
}

const impureDecisions = (project: Project): string[] =>
  products(project)
    .filter(({ path }) => isDecision(path))
    .flatMap(({ path }) => impureImports(project, path, new Set()))

function cycles(project: Project): string[] {
  const importsOf = new Map(products(project).map(({ path, imports }) => [path, imports]))
  const done = new Set<string>()
  const found: string[] = []
  function visit(path: string, chain: readonly string[]): void {
    if (chain.includes(path)) found.push([...chain.slice(chain.indexOf(path)), path].join(' → '))
    if (done.has(path) || chain.includes(path)) return
    for (const { target, own } of importsOf.get(path) ?? []) if (own) visit(target, [...chain, path])
    done.add(path)
  }
  for (const path of importsOf.keys()) visit(path, [])
  return found
}

const SMALL_LINES = 40

/** Scripts of pages have a file for each behaviour; a script of the build imports the last. */
const SEPARATE = ['src/web/client/', 'src/web/console/client/', 'src/web/kit/assets/build-asset.ts']

/** Small files with one importer, in the same folder. Stores and pure rules have their own files anyway. */
function partsOfOneFile(project: Project): string[] {
  const importers = new Map<string, Set<string>>()
  for (const { path, imports } of project.sources)
    for (const { target, own } of imports)
      if (own) importers.set(target, (importers.get(target) ?? new Set()).add(path))
  return products(project)
    .filter(({ path, text }) => linesIn(text) < SMALL_LINES && !isStore(path) && !isDecision(path))
    .filter(({ path }) => !SEPARATE.some((folder) => path.startsWith(folder)))
    .flatMap(({ path }) => {
      const [only, ...others] = importers.get(path) ?? []
      const isAlone = only !== undefined && isProduct(only) && others.length === 0
      return isAlone && dirname(only) === dirname(path) ? [`${path} is part of ${only}`] : []
    })
}

/** Files whose default export a tool loads. */
const TOOL_FILES = [
  'vitest.config.ts',
  'test/browser/vitest.config.ts',
  'test/sdk/vitest.config.ts',
  'packages/medusa/src/index.ts',
  'packages/medusa/src/api/middlewares.ts',
  'test/support/global-setup.ts',
  'scripts/slowest.js',
]

const defaultExports = (project: Project): string[] =>
  project.sources
    .filter(
      ({ path, tree }) => !TOOL_FILES.includes(path) && statements(tree).includes('ExportDefaultDeclaration'),
    )
    .map(({ path }) => path)

const statements = (tree: SourceFile['tree']): string[] =>
  (tree.body as { type: string }[]).map(({ type }) => type)

function barrels(project: Project): string[] {
  return project.sources
    .filter(({ tree }) => {
      const body = tree.body as { type: string; source?: unknown }[]
      return body.length > 0 && body.every(({ type, source }) => /^Export/.test(type) && source)
    })
    .map(({ path }) => path)
}

export const IMPORTS: readonly Rule[] = [
  {
    text: 'Imports point only to lower layers, as described in ARCHITECTURE.md.',
    violations: strayImports,
    example: { 'src/customers/a.ts': "import { pay } from '../payments/commands.ts'" },
  },
  {
    text: 'Providers may import money and HTTP, not the database.',
    violations: strayImports,
    example: { 'src/providers/acme/a.ts': "import type { Database } from '../../db/database.ts'" },
  },
  {
    text: 'The sandbox adapter may import the same parts as any provider adapter.',
    violations: strayImports,
    example: { 'src/sandbox/adapter/a.ts': "import type { Database } from '../../db/database.ts'" },
  },
  {
    text: 'Features import the settings as a type only: the values come from the context.',
    violations: strayImports,
    example: { 'src/payments/a.ts': "import { loadConfig } from '../config.ts'" },
  },
  {
    text: 'The parts of the settings do not import config.ts, which reads all of them.',
    violations: strayImports,
    example: { 'src/config/a.ts': "import type { Config } from '../config.ts'" },
  },
  {
    text: 'The state of a node imports no feature: features declare their parts of it as slots.',
    violations: strayImports,
    example: { 'src/node/a.ts': "import type { Directory } from '../merchants/directory-cache.ts'" },
  },
  {
    text: 'The context imports no feature, so that every feature can import the context.',
    violations: strayImports,
    example: { 'src/context.ts': "import type { Directory } from './merchants/directory-cache.ts'" },
  },
  {
    text: 'The checks of the machine import no feature: they run where the service does not start.',
    violations: strayImports,
    example: { 'src/doctor/a.ts': "import { readApps } from '../merchants/directory.ts'" },
  },
  {
    text: 'Only programs import app.ts, because it imports every part.',
    violations: appImports,
    example: { 'src/welcome.ts': "import { startService } from './app.ts'" },
  },
  {
    text: 'A store is private to its folder, so that SQL and rows can change locally.',
    violations: borrowedStores,
    example: { 'src/payments/a.ts': "import { readCustomer } from '../customers/method-store.ts'" },
  },
  {
    text: 'State machines and rules are pure: their results depend only on their arguments.',
    violations: impureDecisions,
    example: {
      'src/payments/machine.ts': "import { b } from './b.ts'",
      'src/payments/b.ts': "import fs from 'node:fs'",
    },
  },
  {
    text: `A file under ${SMALL_LINES} lines that only one file of its folder imports is part of that file.`,
    violations: partsOfOneFile,
    example: { 'src/a/a.ts': 'export const a = 1', 'src/a/b.ts': "import { a } from './a.ts'" },
  },
  {
    text: 'There are no import cycles.',
    violations: cycles,
    example: { 'src/a.ts': "import { b } from './b.ts'", 'src/b.ts': "import type { a } from './a.ts'" },
  },
  {
    text: 'There are no default exports: an export has the same name everywhere.',
    violations: defaultExports,
    example: { 'src/a.ts': 'export default function a() {}' },
  },
  {
    text: 'There are no barrel files: an import names the defining file.',
    violations: barrels,
    example: { 'src/payments/index.ts': "export { pay } from './commands.ts'\nexport * from './view.ts'" },
  },
]
