import { basename, dirname } from 'node:path'
import { type Import, isProduct, type Project, type SourceFile } from './project.ts'
import type { Rule } from './rule.ts'

/** Features in the order in which they may know each other: only those of earlier rows. */
const FEATURES = [
  ['merchants'],
  ['customers', 'idempotency', 'fraud', 'routing'],
  ['webhooks'],
  ['payments'],
  ['notifications'],
  ['reference'],
  ['pages'],
  ['sandbox'],
] as const

const GROUND = ['base', 'db', 'http', 'jobs', 'net', 'providers', 'context.ts', 'config.ts'] as const

/** Files that put everything together: nobody is above them. */
const ROOTS = ['app.ts', 'compose.ts', 'demo.ts', 'describe.ts', 'main.ts', 'generate-docs.ts']

/** The sandbox adapter is an example for real ones: it knows what they know. */
const isAdapter = (path: string): boolean => path.startsWith('src/sandbox/adapter/')

const MAY: Readonly<Record<string, readonly string[]>> = {
  base: [],
  db: ['base'],
  net: ['base'],
  http: ['base'],
  jobs: ['base', 'db'],
  providers: ['base', 'net'],
  // It keeps made-up secrets as the embedded database keeps its password.
  'config.ts': ['base', 'db', 'config-values.ts'],
  'config-values.ts': ['base', 'db'],
  'config-docs.ts': ['config.ts'],
  'context.ts': ['base', 'db', 'http', 'jobs', 'net', 'providers', 'config.ts', 'node'],
  // It makes a member for each feature that keeps something in memory.
  node: [...GROUND, ...FEATURES.flat()],
  'log.ts': ['base'],
  'welcome.ts': ['config.ts'],
  'workers.ts': ['base', 'jobs'],
  ...Object.fromEntries(
    FEATURES.flatMap((row, place) => {
      const earlier = FEATURES.slice(0, place).flat()
      return row.map((feature) => [feature, [...GROUND, ...earlier]])
    }),
  ),
}

/** `src/payments/wire/schema.ts` → `payments`, `src/app.ts` → `app.ts` */
const partOf = (path: string): string => path.split('/')[1] ?? ''

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
  if (!target.startsWith('src/')) return false
  if (from === to || ROOTS.includes(from)) return true
  if (isAdapter(path) && !(MAY.providers ?? []).concat('providers', 'sandbox').includes(to)) return false
  if (to === 'config.ts' && !typeOnly && from !== 'config-docs.ts') return false
  if (to === 'node' && !typeOnly) return false
  return (MAY[from] ?? []).includes(to)
}

function appImports(project: Project): string[] {
  const main = ['src/main.ts', 'src/describe.ts']
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

/** What a file needs when it runs: types are gone by then. */
function impureNeeds(project: Project, path: string, seen: Set<string>): string[] {
  if (path.startsWith('src/base/') || seen.has(path)) return []
  seen.add(path)
  const { imports = [] } = project.sources.find((file) => file.path === path) ?? {}
  return imports.flatMap(({ target, own, typeOnly }) => {
    if (typeOnly) return []
    return own ? impureNeeds(project, target, seen) : [`${path} imports ${target}`]
  })
}

const impureDecisions = (project: Project): string[] =>
  products(project)
    .filter(({ path }) => isDecision(path))
    .flatMap(({ path }) => impureNeeds(project, path, new Set()))

function cycles(project: Project): string[] {
  const importsOf = new Map(products(project).map(({ path, imports }) => [path, imports]))
  const done = new Set<string>()
  const found: string[] = []
  function visit(path: string, way: readonly string[]): void {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (done.has(path) || way.includes(path)) return
    for (const { target, own } of importsOf.get(path) ?? []) if (own) visit(target, [...way, path])
    done.add(path)
  }
  for (const path of importsOf.keys()) visit(path, [])
  return found
}

/** Tools that load a file and take its default export. */
const TOOLS = ['vitest.config.ts', 'test/browser/vitest.config.ts', 'test/support/global-setup.ts']

const defaultExports = (project: Project): string[] =>
  project.sources
    .filter(
      ({ path, tree }) => !TOOLS.includes(path) && statements(tree).includes('ExportDefaultDeclaration'),
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
    says: 'Imports point downward only, as ARCHITECTURE.md says: what is below can be understood alone.',
    breaches: strayImports,
    broken: { 'src/customers/a.ts': "import { pay } from '../payments/commands.ts'" },
  },
  {
    says: 'Providers know money and HTTP, nothing of the database: a provider is a foreign company.',
    breaches: strayImports,
    broken: { 'src/providers/acme/a.ts': "import type { Database } from '../../db/database.ts'" },
  },
  {
    says: 'The sandbox adapter knows what the adapter of any provider knows.',
    breaches: strayImports,
    broken: { 'src/sandbox/adapter/a.ts': "import type { Database } from '../../db/database.ts'" },
  },
  {
    says: 'Features know the settings by their type only: the values come in with the context.',
    breaches: strayImports,
    broken: { 'src/payments/a.ts': "import { loadConfig } from '../config.ts'" },
  },
  {
    says: 'The context knows the state of a node by its type only: compose.ts makes the state.',
    breaches: strayImports,
    broken: { 'src/context.ts': "import { createNodeState } from './node/state.ts'" },
  },
  {
    says: 'A feature reaches the state of its node through the context, which says which node it is.',
    breaches: strayImports,
    broken: { 'src/payments/a.ts': "import type { NodeState } from '../node/state.ts'" },
  },
  {
    says: 'Nobody imports app.ts but the programs that run it: it knows everyone.',
    breaches: appImports,
    broken: { 'src/welcome.ts': "import { startService } from './app.ts'" },
  },
  {
    says: 'A store is private to its folder: SQL and its rows change without asking anybody else.',
    breaches: borrowedStores,
    broken: { 'src/payments/a.ts': "import { readCustomer } from '../customers/method-store.ts'" },
  },
  {
    says: 'Machines and rules are pure: what they decide depends on nothing but their arguments.',
    breaches: impureDecisions,
    broken: {
      'src/payments/machine.ts': "import { b } from './b.ts'",
      'src/payments/b.ts': "import fs from 'node:fs'",
    },
  },
  {
    says: 'No file imports itself by a detour: such files are one file, and may load half-made.',
    breaches: cycles,
    broken: { 'src/a.ts': "import { b } from './b.ts'", 'src/b.ts': "import type { a } from './a.ts'" },
  },
  {
    says: 'Nothing is exported as default: a thing has one name everywhere.',
    breaches: defaultExports,
    broken: { 'src/a.ts': 'export default function a() {}' },
  },
  {
    says: 'No file only passes on what others export: an import names the file that holds the thing.',
    breaches: barrels,
    broken: { 'src/payments/index.ts': "export { pay } from './commands.ts'\nexport * from './view.ts'" },
  },
]
