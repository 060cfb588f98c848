import { defineConfig } from 'vitest/config'

/**
 * `npm run screenshots` and `npm run budgets`: what takes too long, or makes files, and so is no part of
 * the tests.
 */
export default defineConfig({
  test: {
    include: ['test/browser/*.run.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
})
