import { execFileSync } from 'node:child_process'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { UNDICI } from './scripts/build.js'
import { viteCatalogues } from './scripts/locales/catalogues.js'

const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'packages/**/*.test.ts']

/**
 * Run by `npm run test:full` only, because they are slow: `npm test` takes four minutes at most on two cores.
 * Every kind of test is also part of `npm test`.
 */
const FULL_ONLY = [
  // Start and crash real processes.
  'test/cluster/*.test.ts',
  'test/e2e/backup.test.ts',
  'test/e2e/crash.test.ts',
  'test/e2e/process.test.ts',
  'test/e2e/proxy.test.ts',
  'test/e2e/metrics/prometheus.test.ts',
  'test/e2e/traces/process.test.ts',
  'test/e2e/{exports,moving,webhooks}/crash.test.ts',
  'test/{new-provider,scripts}.test.ts',
  // Start the service on databases of earlier versions.
  'test/upgrade/*.test.ts',
  // Install the packed service into an empty folder.
  'test/install/*.test.ts',
  // Start a PostgreSQL of their own for each test.
  'src/db/embedded/*.test.ts',
  // Every page and every way of using it, in a browser.
  'test/e2e/pages/{accessibility,continue,docs,long-texts,panel,robust,safety,shop,simulator,typing}.test.ts',
  'test/e2e/console/jobs/*.test.ts',
  'test/e2e/console/{e-mails,fraud,lists-browser,payment-pages,providers,routing}.test.ts',
  'test/e2e/console/{every-action,german,screens,stored-script}.test.ts',
  // Makes hundreds of payments and waits for the statistics of PostgreSQL.
  'test/e2e/plans.test.ts',
  // Waits for the real timeout of a delivery.
  'test/e2e/webhooks/misbehaving.test.ts',
  // Every provider through its simulator, with faults.
  'test/providers/**/*.test.ts',
  // Searches every regular expression for exponential backtracking.
  'test/backtracking.test.ts',
]

/**
 * A run of all tests has a part of some files, chosen by the commit, so that the next commits run the others.
 * By name, as in `npm test -- test/providers/faults/adyen.test.ts`, they run whole: scripts/test.js sets it.
 */
const isWhole = process.env.WHOLE_FILES === 'yes'

/** Of cases that read `part`, a run has every fourth: steps of the fault matrices, and ways to see a page. */
const PARTS = 4
const WHOLE = { of: 1, nth: 0 }

/** Of each group, a run has one file. */
const IN_TURN = [['test/install/dockerfile.test.ts', 'test/install/package.test.ts']]

function commitNumber(): number {
  try {
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' })
    return Number.parseInt(head.slice(0, 6), 16)
  } catch {
    // The packed project has no history.
    return 0
  }
}

const COMMIT = commitNumber()
const OF_OTHER_COMMITS = IN_TURN.flatMap((group) =>
  group.filter((_, place) => place !== COMMIT % group.length),
)

/** Some of their cases run in `npm test` and the others in `npm run test:full`; they read `isFull`. */
const BOTH = ['test/e2e/pages/paying.test.ts', 'test/fuzz/fuzz.test.ts', 'test/simulate/simulate.test.ts']

/** Run in a process of their own. All other files share three processes, which halves the CPU time. */
const ISOLATED = [
  // Lists the statements of all modules that are loaded, which must be those of the service only.
  'test/docs.test.ts',
  // Replaces node:zlib, which must not be loaded before.
  'test/e2e/headers.test.ts',
]

/** One more than the cores of continuous integration: some files wait for most of their time. */
const WORKERS = 3

const COMMON = {
  pool: 'forks',
  maxWorkers: WORKERS,
  // Only against tests that hang: a busy machine may need many times what a quiet one does.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
} satisfies TestProjectInlineConfiguration['test']

/** How tests load modules: as the bundle of the service does. */
const MODULES = {
  resolve: { alias: UNDICI },
  plugins: [viteCatalogues],
} satisfies TestProjectInlineConfiguration

export default defineConfig({
  test: {
    // Once for all projects.
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: WORKERS,
    // Three quarters of the CPU time of a run of one file are the compilation of what it imports.
    experimental: { fsModuleCache: true },
    projects: [
      {
        ...MODULES,
        test: {
          ...COMMON,
          name: 'quick',
          include: ALL,
          exclude: [...FULL_ONLY, ...ISOLATED, '**/node_modules/**'],
          isolate: false,
          provide: { isFull: false },
        },
      },
      {
        ...MODULES,
        test: { ...COMMON, name: 'quick-isolated', include: ISOLATED, provide: { isFull: false } },
      },
      {
        ...MODULES,
        test: {
          ...COMMON,
          name: 'full',
          include: [...FULL_ONLY, ...BOTH],
          exclude: [...(isWhole ? [] : OF_OTHER_COMMITS), '**/node_modules/**'],
          isolate: false,
          provide: { isFull: true, part: isWhole ? WHOLE : { of: PARTS, nth: COMMIT % PARTS } },
        },
      },
    ],
  },
})
