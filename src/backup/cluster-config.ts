import { open } from 'node:fs/promises'
import { join } from 'node:path'

// Settings of PostgreSQL can run programs, so they never come from an archive. The service sets what it needs
// on the command line of PostgreSQL; these files are what is left.

const WRITTEN: Readonly<Record<string, string>> = {
  'postgresql.conf': '# Written by the restore of a backup.\n',
  'postgresql.auto.conf': '# Written by the restore of a backup. ALTER SYSTEM changes this file.\n',
  'pg_hba.conf': '# Written by the restore of a backup.\nlocal all all scram-sha-256\n',
  'pg_ident.conf': '# Written by the restore of a backup.\n',
}

/** In any case: some file systems do not distinguish it. */
const CONFIG = /\.(?:conf|signal)$/i

/** Whether a file of a cluster is a setting or a signal for PostgreSQL. */
export const isClusterConfig = (name: string): boolean => CONFIG.test(name)

export async function writeClusterConfig(cluster: string): Promise<void> {
  for (const [name, text] of Object.entries(WRITTEN)) {
    const handle = await open(join(cluster, name), 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}
