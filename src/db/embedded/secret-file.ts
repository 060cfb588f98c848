import { link, open, readFile, rm } from 'node:fs/promises'
import { randomText, systemRandom } from '../../base/ids.ts'
import { StartError } from '../../base/start-error.ts'

/** 200 bits: more than any cipher behind it. */
const LENGTH = 40

/** The secret in a file that only its owner may read, generated when there is none yet. */
export async function keptSecret(path: string): Promise<string> {
  const known = await read(path)
  if (known) return known
  // Linked into place when complete: the first process wins, and no process reads a partial secret.
  const draft = `${path}.${randomText(systemRandom, 8)}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomText(systemRandom, LENGTH)}\n`)
    await file.sync()
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
  const made = await read(path)
  if (!made) throw new StartError(`${path} is empty: restore it, or remove it to have a new one made.`)
  return made
}

async function read(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES') throw new StartError(`${path} belongs to another user and cannot be read.`)
    throw error
  }
}
