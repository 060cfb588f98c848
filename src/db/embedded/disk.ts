import { statfs } from 'node:fs/promises'

export interface Disk {
  readonly freeBytes: number
  readonly totalBytes: number
}

/** The disk of a folder; undefined where it cannot be read, such as for a folder that does not exist. */
export async function readDisk(folder: string): Promise<Disk | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return blocks > 0 ? { freeBytes: bavail * bsize, totalBytes: blocks * bsize } : undefined
  } catch {
    return undefined
  }
}
