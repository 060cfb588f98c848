import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { helpText, refuse } from './options.js'

/** At most this many failed files are run again. When more fail, the cause is not one test. */
const FEW_FILES = 3
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/**
 * `npm test` runs the quick tests, `npm run test:full` (`--full`) the rest; vitest.config.ts says which those
 * are. With arguments, the tests that they name. The last line counts the tests. Files that failed are run
 * again one at a time, to tell a defect from a test that depends on timing. The run fails either way. The
 * slowest files are named.
 */
const given = process.argv.slice(2)
const isFull = given.includes('--full')
const asked = given.filter((arg) => arg !== '--full')
await checkArguments(asked)
const { passed, failed, skipped, failedFiles } = count(run([...projects(), ...asked]))
const notes = asked.length === 0 && failedFiles.length <= FEW_FILES ? failedFiles.map(runAgain) : []
for (const note of notes) console.log(`\n${note}`)
console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
if (!hasBrowser())
  console.log(
    'The browser tests were skipped: there is no Chromium. ' +
      'Install it (apt-get install chromium-headless-shell) or set CHROMIUM_PATH.',
  )
const languages = ['python3', 'php'].filter((name) => !isInstalled(name))
if (!isFull && languages.length > 0)
  console.log(
    `The examples and clients in other languages were skipped: ${languages.join(' and ')} is missing ` +
      '(apt-get install php-cli php-curl php-guzzlehttp-guzzle python3).',
  )
if (isFull && !hasProxy())
  console.log(
    'The reverse proxy tests were skipped: they need Linux, nginx and openssl (apt-get install nginx-light).',
  )
if (isFull && !isInstalled('prometheus'))
  console.log(
    'The alerts and the dashboard were not evaluated: there is no Prometheus (apt-get install prometheus).',
  )
if (isFull && !hasDescriptions())
  console.log(
    'Requests were not judged by the official API descriptions of the providers: they are not there. ' +
      'PROVIDER_DESCRIPTIONS names their folder.',
  )
process.exitCode = failed === 0 ? 0 : 1

function runAgain(file) {
  const name = relative(process.cwd(), file)
  console.log(`\n${name} failed and is run again, alone. The result of the whole run stays failed.`)
  return count(run([...projects(), file])).failed > 0
    ? `Failed again when run alone: ${name}`
    : `Passed when run alone, so it depends on timing or on other tests: ${name}`
}

function projects() {
  if (isFull) return ['--project=full']
  return asked.length === 0 ? ['--project=quick*'] : []
}

/** Other arguments are those of vitest, which would answer an unknown one with a stack trace. */
async function checkArguments(args) {
  const usage = `${isFull ? 'npm run test:full' : 'npm test'} -- [path…] [options of vitest]`
  if (args.includes('--help') || args.includes('-h')) {
    const options = {
      testNamePattern: { short: 't', value: 'pattern', description: 'Only tests whose name matches.' },
      bail: { value: 'count', description: 'Stop after so many failures.' },
      help: { short: 'h', description: 'Show this text. All options: npx vitest run --help' },
    }
    const does = isFull
      ? 'Runs the tests that are too slow for npm test, and counts them.'
      : 'Runs the quick tests, or all tests of the paths, and counts them.'
    console.log(helpText({ usage, does, options }))
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

/** The results of each file; none when the run broke before the first. */
function run(args) {
  const folder = mkdtempSync(join(tmpdir(), 'tender-results-'))
  const resultFile = join(folder, 'results.json')
  const slowest = join(import.meta.dirname, 'slowest.js')
  const reporters = ['default', 'json', slowest].map((name) => `--reporter=${name}`)
  reporters.push(`--outputFile.json=${resultFile}`)
  // What is named runs whole; of some files a run of all tests has a part.
  const env = { ...process.env, ...(asked.length > 0 && { WHOLE_FILES: 'yes' }) }
  const command = [vitest, 'run', ...reporters, ...args]
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit', env })
  const files = existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')).testResults : []
  rmSync(folder, { recursive: true, force: true })
  return { status, files }
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
    failedFiles: [...new Set(files.filter(hasFailed).map(({ name }) => name))],
    passed: having('passed'),
    // Errors outside of any test fail the run too.
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: having('pending', 'skipped', 'todo', 'disabled'),
  }
}

/** As test/support/browser.ts looks for it. */
function hasBrowser() {
  const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser'].map(
    (name) => `/usr/bin/${name}`,
  )
  return [process.env.CHROMIUM_PATH, ...programs].some((path) => path && existsSync(path))
}

function hasProxy() {
  return process.platform === 'linux' && isInstalled('nginx') && isInstalled('openssl')
}

function isInstalled(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
  return folders.some((folder) => folder && existsSync(join(folder, name)))
}

/** As test/providers/kit/descriptions.ts looks for them. */
function hasDescriptions() {
  return existsSync(process.env.PROVIDER_DESCRIPTIONS ?? join(import.meta.dirname, '../../shared/providers'))
}
