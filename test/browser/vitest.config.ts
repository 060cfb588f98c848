import { defineConfig } from 'vitest/config'
import { viteCatalogues } from '../../scripts/locales/catalogues.js'

/**
 * Configuration of `npm run screenshots` and `npm run budgets`, which are slow or write files and are
 * therefore not part of the tests.
 */
export default defineConfig({
  plugins: [viteCatalogues],
  test: {
    include: ['test/browser/*.run.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
})
