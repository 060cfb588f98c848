import { rm } from 'node:fs/promises'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createDatabase } from './database.ts'
import { newDatabaseFolder } from './folder.ts'

/** A PostgreSQL in a temporary folder, with the database `template` that holds the migrated schema. */
export interface DatabaseServer {
  readonly url: string
  stop(): Promise<void>
}

/** Three files at once, each with several services. */
const MAX_CONNECTIONS = 200

export async function startDatabaseServer(prefix: string): Promise<DatabaseServer> {
  const folder = await newDatabaseFolder(prefix)
  const { url, stop: end } = await startEmbedded({
    ...{ dataDir: folder, durable: false },
    maxConnections: MAX_CONNECTIONS,
  })
  const stop = async () => {
    await end()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await migrate(await createDatabase(url, 'template'), 'migrations')
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
