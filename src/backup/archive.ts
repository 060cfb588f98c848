import { createHash } from 'node:crypto'
import { byteReader, damaged } from './byte-reader.ts'
import { readTarEnd, readTarHeader, tarContent, tarEnd, tarHeader, tarPadding } from './tar.ts'

/** A file, or a folder when it has no content. */
export interface ArchiveEntry {
  readonly path: string
  readonly content?: { readonly size: number; readonly chunks: AsyncIterable<Buffer> }
}

/** About the archive; its last file, so that an archive that was cut off has none. */
interface Manifest {
  readonly format: 1
  readonly version: string
  readonly files: Readonly<Record<string, Digest>>
}

interface Digest {
  readonly size: number
  readonly sha256: string
}

const MANIFEST = 'manifest.json'
const MAX_MANIFEST_BYTES = 64 * 1024 ** 2

/** The bytes of an archive, with a manifest of all files and their checksums. */
export async function* packArchive(
  entries: AsyncIterable<ArchiveEntry>,
  version: string,
): AsyncGenerator<Buffer> {
  const files: Record<string, Digest> = {}
  for await (const { path, content } of entries) {
    yield tarHeader({ path, size: content?.size })
    if (!content) continue
    const hash = createHash('sha256')
    for await (const chunk of content.chunks) {
      hash.update(chunk)
      yield chunk
    }
    yield tarPadding(content.size)
    files[path] = { size: content.size, sha256: hash.digest('hex') }
  }
  const manifest: Manifest = { format: 1, version, files }
  const text = Buffer.from(JSON.stringify(manifest))
  yield Buffer.concat([tarHeader({ path: MANIFEST, size: text.length }), text, tarPadding(text.length)])
  yield tarEnd()
}

/** Passes every entry to `store` and then compares all of them with the manifest. */
export async function unpackArchive(
  source: AsyncIterable<Buffer>,
  store: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  const reader = byteReader(source)
  const found = new Map<string, Digest>()
  for (;;) {
    const header = await readTarHeader(reader)
    if (!header) throw damaged('it has no manifest')
    const { path, size } = header
    if (size === undefined) await store({ path })
    else {
      const chunks = tarContent(reader, size)
      if (path === MANIFEST) {
        compare(readManifest(await collected(chunks, size)), found)
        return await readTarEnd(reader)
      }
      const hash = createHash('sha256')
      await store({ path, content: { size, chunks: hashed(chunks, hash) } })
      found.set(path, { size, sha256: hash.digest('hex') })
    }
  }
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

async function collected(chunks: AsyncIterable<Buffer>, size: number): Promise<string> {
  if (size > MAX_MANIFEST_BYTES) throw damaged('its manifest is too long')
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString('utf8')
}

function readManifest(text: string): Manifest {
  const manifest = parsed(text)
  if (manifest?.format !== 1 || typeof manifest.files !== 'object')
    throw damaged('its manifest cannot be read')
  return manifest as Manifest
}

function parsed(text: string): Partial<Manifest> | null {
  try {
    return JSON.parse(text) as Partial<Manifest> | null
  } catch {
    return null
  }
}

function compare({ files }: Manifest, found: ReadonlyMap<string, Digest>): void {
  for (const [path, { size, sha256 }] of found) {
    const expected = Object.hasOwn(files, path) ? files[path] : undefined
    if (expected?.size !== size || expected.sha256 !== sha256) throw damaged(`${path} has changed`)
  }
  const missing = Object.keys(files).find((path) => !found.has(path))
  if (missing !== undefined) throw damaged(`${missing} is missing`)
}
