import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readOptions, refuse } from './options.js'

const DOES = {
  screenshots:
    'Writes screenshots of every page, phone and desktop, to screenshots/. ONLY=pattern selects pages.',
  budgets: 'Compares bytes, requests and speed of the pages with their budgets.',
}

/** Runs one of the page checks in a real browser. */
const [what = ''] = process.argv.slice(2)
if (!(what in DOES)) refuse('node scripts/pages.js', `Name one of: ${Object.keys(DOES).join(', ')}.`)
readOptions({ usage: `npm run ${what}`, does: DOES[what] }, process.argv.slice(3))
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const config = ['--config', 'test/browser/vitest.config.ts']
const { status } = spawnSync(process.execPath, [vitest, 'run', ...config, what], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
