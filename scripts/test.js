import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { helpText, refuse } from './options.js'

/** As many files are run again, alone: when more fail it is not the machine. */
const FEW_FILES = 3
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/**
 * Runs all tests, or those that the arguments name, and ends with one line that counts them. Tests run beside
 * each other, and a machine that stands still for some seconds fails whatever was waiting just then. So the
 * files that failed are run once more with nothing beside them, and which those were is said.
 */
const asked = process.argv.slice(2)
await checkArguments(asked)
const first = run(asked)
const failedFiles = first.files.filter(hasFailed).map(({ name }) => name)
const again = asked.length === 0 && failedFiles.length > 0 && failedFiles.length <= FEW_FILES
const last = again ? secondOf(first, run([...failedFiles, '--no-file-parallelism'])) : first

const { passed, failed, skipped } = count(last)
if (again && failed === 0)
  for (const name of failedFiles)
    console.log(
      `\nPassed only when run again, alone: ${relative(process.cwd(), name)}. What failed is above.`,
    )
console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
if (!hasBrowser())
  console.log(
    'The browser tests were skipped: there is no Chromium. ' +
      'Install it (apt-get install chromium) or set CHROMIUM_PATH.',
  )
if (!hasProxy())
  console.log(
    'The reverse proxy tests were skipped: they need Linux, nginx and openssl (apt-get install nginx-light).',
  )
if (!hasDescriptions())
  console.log(
    'Requests were not judged by the official API descriptions of the providers: they are not there. ' +
      'PROVIDER_DESCRIPTIONS names their folder.',
  )
process.exitCode = failed === 0 ? 0 : 1

/** Arguments are those of vitest, which would answer one that it does not know with a stack. */
async function checkArguments(args) {
  const usage = 'npm test -- [path…] [options of vitest]'
  if (args.includes('--help') || args.includes('-h')) {
    const options = {
      testNamePattern: { short: 't', value: 'pattern', says: 'Only tests whose name matches.' },
      bail: { value: 'count', says: 'Stop after so many failures.' },
      help: { short: 'h', says: 'Show this text. All options: npx vitest run --help' },
    }
    console.log(helpText({ usage, does: 'Runs all tests, or those of the paths, and counts them.', options }))
    process.exit(0)
  }
  if (!args.some((arg) => arg.startsWith('-'))) return
  const { parseCLI } = await import('vitest/node')
  const { options } = parseCLI(['vitest', 'run', ...args])
  const help = spawnSync(process.execPath, [vitest, 'run', '--help'], { encoding: 'utf8' }).stdout
  const known = [...help.matchAll(/^ {2}(?:-(\w), )?--(\w+)/gm)].flatMap(([, short, name]) => [short, name])
  // What the parser adds by itself.
  const own = ['--', 'color', 'run']
  const unknown = Object.keys(options).find((name) => ![...known, ...own].includes(name))
  if (unknown) refuse(usage, `Unknown option '--${unknown}'.`)
}

/** What each file gave; none when the run broke before there was any. */
function run(args) {
  const folder = mkdtempSync(join(tmpdir(), 'tender-results-'))
  const resultFile = join(folder, 'results.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`]
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...args], { stdio: 'inherit' })
  const files = existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')).testResults : []
  rmSync(folder, { recursive: true, force: true })
  return { status, files }
}

/** The whole run, with the files of the second one in the place of those that failed. */
function secondOf(whole, second) {
  const files = whole.files.map((file) => second.files.find(({ name }) => name === file.name) ?? file)
  return { status: second.status, files }
}

function hasFailed(file) {
  return file.status === 'failed' || file.assertionResults.some(({ status }) => status === 'failed')
}

function count({ status, files }) {
  const tests = files.flatMap((file) => file.assertionResults)
  const having = (...states) => tests.filter((test) => states.includes(test.status)).length
  // A file that could not be loaded failed without any of its tests having run.
  const unloaded = files.filter(
    (file) => hasFailed(file) && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = having('failed') + unloaded
  return {
    passed: having('passed'),
    // Errors outside of any test fail the run too.
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: having('pending', 'skipped', 'todo', 'disabled'),
  }
}

/** As test/support/browser.ts looks for it. */
function hasBrowser() {
  const paths = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser']
  return paths.some((path) => path && existsSync(path))
}

function hasProxy() {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
  const has = (name) => folders.some((folder) => folder && existsSync(join(folder, name)))
  return process.platform === 'linux' && has('nginx') && has('openssl')
}

/** As test/providers/kit/descriptions.ts looks for them. */
function hasDescriptions() {
  return existsSync(process.env.PROVIDER_DESCRIPTIONS ?? join(import.meta.dirname, '../../shared/providers'))
}
