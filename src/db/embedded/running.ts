import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canConnect, embeddedAddress } from './embedded.ts'

/** The address of the PostgreSQL that another process runs in the data folder; undefined when none does. */
export async function findRunning(dataDir: string): Promise<string | undefined> {
  const read = (name: string) => readFile(join(dataDir, name), 'utf8').catch(() => '')
  const password = (await read('postgres-password')).trim()
  const socketFolder = (await read('socket-folder')).trim() || join(dataDir, 'run')
  if (password === '') return undefined
  const url = embeddedAddress(socketFolder, password)
  return (await canConnect(url)) ? url : undefined
}
