import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { Script } from 'node:vm'
import { readOptions, refuse } from './options.js'

const root = join(import.meta.dirname, '..')
const TEMPLATE = 'test/providers/template'
const REGISTRY = 'src/providers/registry.ts'
const DECISIONS = 'docs/decisions'
const CONTENTS = 'src/web/docs/site/contents.ts'
const NEXT_STEPS = 'docs/guides/add-a-provider.md'

const usage = 'npm run new-provider -- <id> [options]'
const { values, positionals } = readOptions({
  usage,
  does: `Makes the adapter, the simulator and the tests of a provider from ${TEMPLATE}, and registers it.`,
  names: 'The id is in lower case, as in acorn or acorn-pay. It is part of the API and never changes.',
  options: {
    name: { type: 'string', value: 'text', description: 'As people see it. Default: made from the id.' },
  },
})
const [id = '', ...more] = positionals
const words = id.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
const typeName = words.join('')
const variable = typeName.charAt(0).toLowerCase() + typeName.slice(1)
const name = values.name ?? words.join(' ')
const sources = readdirSync(join(root, TEMPLATE), { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.(ts|md|json)$/.test(path),
)
const problem = findProblem()
if (problem) refuse(usage, problem)

const number = nextDecision()
const made = sources.map((path) => write(placeOf(`${TEMPLATE}/${path}`), fill(`${TEMPLATE}/${path}`)))
const changed = [register(), listDecision(), listGuide()]
tidy([...made, REGISTRY, CONTENTS].filter((path) => path.endsWith('.ts')))
console.log(report())

// ---- what is made -----------------------------------------------------------------------------------------

function findProblem() {
  if (more.length > 0 || id === '') return 'Give one id.'
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id) || id.length < 2 || id.length > 32)
    return `'${id}' is not an id: 2 to 32 characters of a-z, 0-9 and single hyphens, a letter first.`
  const folders = [`src/providers/${id}`, `test/providers/${id}`].filter((path) =>
    existsSync(join(root, path)),
  )
  if (folders.length > 0 || id === 'sandbox') return `'${id}' exists already.`
  if (!isFree(variable)) return `'${variable}' has a meaning in the code already. Take a longer id.`
  if (!/^[^\p{Cc}'"`\\<>|]{1,40}$/u.test(name)) return 'The name has 1 to 40 characters, without quotes.'
  return undefined
}

/** Not a word of the language, and not a name in the files that get it. */
function isFree(word) {
  try {
    new Script(`'use strict'; async () => { const ${word} = 1 }`)
  } catch {
    return false
  }
  const files = [REGISTRY, ...sources.map((path) => `${TEMPLATE}/${path}`)]
  return files
    .filter((path) => path.endsWith('.ts'))
    .map((path) => read(path).replace(/\/\*.*?\*\/|\/\/[^\n]*|'[^'\n]*'|`[^`]*`/gs, ''))
    .every((code) => !new RegExp(`\\b${word}\\b`).test(code))
}

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return path
}

/** Where a file of the template belongs. Other files stay where they are. */
function placeOf(path) {
  if (!path.startsWith(`${TEMPLATE}/`)) return path
  const inside = path.slice(TEMPLATE.length + 1).replace(/\.template\.ts$/, '.test.ts')
  if (inside === 'decision.md') return `${DECISIONS}/${number}-${id}.md`
  if (inside === 'guide.md') return `docs/guides/providers/${id}.md`
  const [, ofAdapter] = /^adapter\/(.*)$/.exec(inside) ?? []
  return ofAdapter ? `src/providers/${id}/${ofAdapter}` : `test/providers/${id}/${inside}`
}

/** The template writes the id, the variable, the type and the name in four different ways. */
function fill(path) {
  const moved = read(path).replace(/(?<=from ')\.[^']+(?=')/g, (target) => {
    const from = dirname(placeOf(path))
    const to = relative(from, placeOf(join(dirname(path), target)))
    return to.startsWith('.') ? to : `./${to}`
  })
  return moved
    .replaceAll('0000', number)
    .replaceAll('YYYY-MM-DD', new Date().toISOString().slice(0, 10))
    .replaceAll('acorn-pay', id)
    .replaceAll('acornPay', variable)
    .replaceAll('AcornPay', typeName)
    .replaceAll('Acorn Pay', name)
}

// ---- what is changed --------------------------------------------------------------------------------------

function register() {
  const list = /(?<=const ADAPTERS: readonly ProviderAdapter\[\] = \[)[^\]]*(?=\])/
  const text = read(REGISTRY)
  const names = (list.exec(text)?.[0] ?? '').split(',').map((one) => one.trim())
  const all = [...names, variable].filter(Boolean).sort()
  const line = `import { ${variable} } from './${id}/adapter.ts'\n`
  // Biome sorts the imports.
  return write(REGISTRY, text.replace(list, all.join(', ')).replace(/^import type/m, `${line}import type`))
}

function nextDecision() {
  const numbers = readdirSync(join(root, DECISIONS)).map((file) => Number.parseInt(file, 10) || 0)
  return String(Math.max(...numbers) + 1).padStart(4, '0')
}

function listDecision() {
  const path = `${DECISIONS}/README.md`
  return write(path, `${read(path).trimEnd()}\n- [${number}](${number}-${id}.md) ${name}\n`)
}

/** The guide is a page of the documentation. */
function listGuide() {
  const next = "      guide('add-a-provider'"
  const line = `      provider('${id}', '${name}'),\n`
  return write(
    CONTENTS,
    read(CONTENTS).replace(next, () => line + next),
  )
}

/** Names of other lengths break lines in other places. */
function tidy(paths) {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'check', '--write', ...paths], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`biome: ${stdout}${stderr}`)
}

function report() {
  const listed = (paths) => paths.sort().map((path) => `  ${path}`)
  return [
    ...['Made:', ...listed(made), 'Changed:', ...listed(changed), ''],
    `Next, as ${NEXT_STEPS} describes it:`,
    `  1. Read the provider's documentation and write ${DECISIONS}/${number}-${id}.md.`,
    `  2. Published samples and enumerations: test/providers/${id}/samples and the manifest. The code`,
    `     makes them pass: npm test -- test/providers/samples.test.ts -t 'published samples of ${id}'`,
    `  3. The simulator, until this passes: npm test -- test/providers/${id}/simulator.test.ts`,
    `  4. The adapter, until these pass: npm test -- src/providers/${id} test/providers/${id}/contract`,
    `  5. Recovery, until this passes: npm test -- test/providers/${id}/faults.test.ts`,
    `  6. docs/guides/providers/${id}.md, sandboxOnly: false in the manifest, npm run docs, npm run check.`,
  ].join('\n')
}
