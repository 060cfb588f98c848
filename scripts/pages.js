import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** `npm run screenshots`, `npm run budgets`: the pages in a real browser, looked at and measured. */
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const config = ['--config', 'test/browser/vitest.config.ts']
const { status } = spawnSync(process.execPath, [vitest, 'run', ...config, ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
