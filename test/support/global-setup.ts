import type {} from 'vitest'
import type { TestProject } from 'vitest/node'
import { startDatabaseServer } from './database-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the server, with the database `template` that holds the migrated schema. */
    databaseUrl: string
    /** Set by `npm run test:full`, which runs the cases that `npm test` leaves out. */
    isFull: boolean
    /** Which cases run of a file that runs in parts: those whose place has this remainder. */
    part: { readonly of: number; readonly nth: number }
  }
}

/** One PostgreSQL for the whole run; each test file clones its own database from the migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startDatabaseServer('tender-test-')
  project.provide('databaseUrl', url)
  return stop
}
