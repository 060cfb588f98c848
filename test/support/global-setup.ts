import { rm } from 'node:fs/promises'
import type {} from 'vitest'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createDatabase } from './database.ts'
import { newDatabaseFolder } from './folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the server, with the database `template` that holds the migrated schema. */
    databaseUrl: string
    /** Set by `npm run test:full`, which runs the cases that `npm test` leaves out. */
    isFull: boolean
  }
}

/** One PostgreSQL for the whole run; each test file clones its own database from the migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await newDatabaseFolder('tender-test-')
  const server = await startEmbedded({ dataDir: folder, durable: false })
  const tearDown = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await migrate(await createDatabase(server.url, 'template'), 'migrations')
  } catch (error) {
    await tearDown()
    throw error
  }
  project.provide('databaseUrl', server.url)
  return tearDown
}
