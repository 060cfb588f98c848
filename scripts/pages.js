import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readOptions, refuse } from './options.js'

const VERBS = {
  screenshots: {
    usage: 'npm run screenshots',
    does: 'Writes screenshots of every page, phone and desktop, to screenshots/. ONLY=pattern selects pages.',
  },
  budgets: {
    usage: 'npm run budgets',
    does: 'Compares bytes, requests and speed of the pages with their budgets.',
  },
  html: {
    usage: 'npm run pages:html -- <folder>',
    does:
      'Writes the HTML of every page of a seeded service, with the answers to refused and accepted forms. ' +
      'What is random is replaced: two runs of the same code write the same files.',
    names: 'The folder is emptied first.',
  },
  compare: {
    usage: 'npm run pages:compare -- <before> <after>',
    does: 'Lists the pages that differ between two folders of `npm run pages:html`, with a short diff.',
    names: 'Exits with 1 when pages differ.',
  },
}

/** Lines of a difference that are shown, and their length. */
const SHOWN = 16
const WIDTH = 200

/** Runs one of the page checks, or compares pages that one of them wrote. */
const [what = ''] = process.argv.slice(2)
if (!(what in VERBS)) refuse('node scripts/pages.js', `Name one of: ${Object.keys(VERBS).join(', ')}.`)
const { usage } = VERBS[what]
const { positionals } = readOptions(VERBS[what], process.argv.slice(3))
const wanted = { html: 1, compare: 2 }[what] ?? 0
if (positionals.length !== wanted)
  refuse(usage, wanted === 1 ? 'Give one folder.' : `Give ${wanted} folders.`)
process.exitCode = what === 'compare' ? compare(...positionals) : run(what, positionals[0])

function run(name, folder) {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const config = ['--config', 'test/browser/vitest.config.ts']
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...config, `${name}.run`], {
    stdio: 'inherit',
    env: { ...process.env, ...(folder && { PAGES_FOLDER: folder }) },
  })
  return status ?? 1
}

/** Prints what differs; 1 when something does. */
function compare(before, after) {
  for (const folder of [before, after])
    if (!existsSync(folder)) refuse(usage, `There is no folder ${folder}.`)
  const [old, now] = [filesOf(before), filesOf(after)]
  const gone = old.filter((name) => !now.includes(name))
  const added = now.filter((name) => !old.includes(name))
  const changed = old.filter((name) => now.includes(name) && textOf(before, name) !== textOf(after, name))
  for (const name of gone) console.log(`only before: ${name}`)
  for (const name of added) console.log(`only after: ${name}`)
  for (const name of changed) printDifference(join(before, name), join(after, name), name)
  const total = new Set([...old, ...now]).size
  console.log(`\n${total} pages: ${changed.length} differ, ${gone.length} gone, ${added.length} new`)
  return changed.length + gone.length + added.length === 0 ? 0 : 1
}

function filesOf(folder) {
  const names = readdirSync(folder, { recursive: true })
  return names.filter((name) => name.endsWith('.html')).sort()
}

function textOf(folder, name) {
  return readFileSync(join(folder, name), 'utf8')
}

function printDifference(before, after, name) {
  const { stdout } = spawnSync('git', ['diff', '--no-index', '--unified=1', before, after], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  const lines = stdout.split('\n').slice(4).filter(Boolean)
  console.log(`\n${name}`)
  for (const line of lines.slice(0, SHOWN)) console.log(`  ${line.slice(0, WIDTH)}`)
  if (lines.length > SHOWN) console.log(`  … ${lines.length - SHOWN} lines more`)
}
