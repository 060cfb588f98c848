import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveEntry } from './archive.ts'
import { isClusterConfig } from './cluster-config.ts'

const CHUNK_BYTES = 256 * 1024

/** PostgreSQL makes their content anew; the WAL is added after the end of the backup. */
const EMPTIED = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
])
/** Files of the running server, or temporary ones. */
const LEFT_OUT = /^(postmaster\.|backup_label|tablespace_map|pg_internal\.init|pgsql_tmp|current_logfiles)/
const CONTROL = 'global/pg_control'

/** The folders and files of a cluster, while PostgreSQL may be changing them. */
export async function* clusterEntries(cluster: string, prefix: string): AsyncGenerator<ArchiveEntry> {
  yield { path: prefix }
  yield* entriesBelow(cluster, prefix, '')
  for (const name of ['archive_status', 'summaries']) yield { path: `${prefix}/pg_wal/${name}` }
}

async function* entriesBelow(cluster: string, prefix: string, below: string): AsyncGenerator<ArchiveEntry> {
  const found = await readdir(join(cluster, below), { withFileTypes: true }).catch(orGone)
  for (const entry of found ?? []) {
    const inside = below === '' ? entry.name : `${below}/${entry.name}`
    const path = `${prefix}/${inside}`
    if (LEFT_OUT.test(entry.name) || isClusterConfig(entry.name)) continue
    if (entry.isDirectory()) {
      yield { path }
      if (!EMPTIED.has(inside)) yield* entriesBelow(cluster, prefix, inside)
    } else if (inside === CONTROL) yield bytesEntry(path, await readSteady(join(cluster, inside)))
    else yield* fileEntry(join(cluster, inside), path)
  }
}

/** A file as it is now. It is left out when it is gone: PostgreSQL has dropped the table since. */
export async function* fileEntry(file: string, path: string): AsyncGenerator<ArchiveEntry> {
  const handle = await open(file, 'r').catch(orGone)
  if (!handle) return
  try {
    const { size } = await handle.stat()
    yield { path, content: { size, chunks: chunksOf(handle, size) } }
  } finally {
    await handle.close()
  }
}

export function bytesEntry(path: string, bytes: Buffer): ArchiveEntry {
  async function* chunks() {
    yield bytes
  }
  return { path, content: { size: bytes.length, chunks: chunks() } }
}

/**
 * Exactly `size` bytes. What was added to the file since, or cut off and is zeros here, is repaired from the
 * WAL when the backup is restored.
 */
async function* chunksOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  let position = 0
  while (position < size) {
    const wanted = Buffer.alloc(Math.min(CHUNK_BYTES, size - position))
    const { bytesRead } = await handle.read(wanted, 0, wanted.length, position)
    const chunk = bytesRead === 0 ? wanted : wanted.subarray(0, bytesRead)
    position += chunk.length
    yield chunk
  }
}

/** The control file has no repair in the WAL. Two equal reads in a row: neither met a write. */
async function readSteady(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    let before: Buffer | undefined
    for (;;) {
      const { size } = await handle.stat()
      const bytes = Buffer.alloc(size)
      await handle.read(bytes, 0, size, 0)
      if (before?.equals(bytes)) return bytes
      before = bytes
    }
  } finally {
    await handle.close()
  }
}

function orGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
