import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Runs all tests, or those that the arguments name, and ends with one line that counts them. */
const folder = mkdtempSync(join(tmpdir(), 'tender-results-'))
const resultFile = join(folder, 'results.json')
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`]
const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
  stdio: 'inherit',
})

const { passed, failed, skipped } = count()
rmSync(folder, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
if (!hasBrowser())
  console.log(
    'The browser tests were skipped: there is no Chromium. ' +
      'Install it (apt-get install chromium) or set CHROMIUM_PATH.',
  )
process.exitCode = failed === 0 ? 0 : 1

/** As test/support/browser.ts looks for it. */
function hasBrowser() {
  const paths = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser']
  return paths.some((path) => path && existsSync(path))
}

function count() {
  const results = readResults()
  const tests = results.flatMap((file) => file.assertionResults)
  const having = (...states) => tests.filter(({ status }) => states.includes(status)).length
  // A file that could not be loaded failed without any of its tests having run.
  const unloaded = results.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = having('failed') + unloaded
  return {
    passed: having('passed'),
    // Errors outside of any test fail the run too.
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: having('pending', 'skipped', 'todo', 'disabled'),
  }
}

/** None when the run broke before there were any. */
function readResults() {
  try {
    return JSON.parse(readFileSync(resultFile, 'utf8')).testResults
  } catch {
    return []
  }
}
