import { createHash } from 'node:crypto'
import type { Secret } from '../base/secret.ts'
import { type ByteReader, byteReader, damaged } from './byte-reader.ts'
import { SIGNATURE, signatureOf } from './signature.ts'
import { readTarEnd, readTarHeader, tarContent, tarEnd, tarHeader, tarPadding } from './tar.ts'

/** A file, or a folder when it has no content. */
export interface ArchiveEntry {
  readonly path: string
  readonly content?: { readonly size: number; readonly chunks: AsyncIterable<Buffer> }
}

/** About the archive; only its signature follows, so that an archive that was cut off has none. */
interface Manifest {
  readonly format: 1
  readonly version: string
  readonly files: Readonly<Record<string, Digest>>
  /** Absent in archives of versions before signatures. */
  readonly folders?: readonly string[]
}

interface Digest {
  readonly size: number
  readonly sha256: string
}

const MANIFEST = 'manifest.json'
const MAX_MANIFEST_BYTES = 64 * 1024 ** 2

interface PackOptions {
  readonly version: string
  /** Signs the manifest. */
  readonly key: Secret
}

/** The bytes of an archive, with a signed manifest of all files and their checksums. */
export async function* packArchive(
  entries: AsyncIterable<ArchiveEntry>,
  { version, key }: PackOptions,
): AsyncGenerator<Buffer> {
  const files: Record<string, Digest> = {}
  const folders: string[] = []
  for await (const { path, content } of entries) {
    yield tarHeader({ path, size: content?.size })
    if (!content) {
      folders.push(path)
      continue
    }
    const hash = createHash('sha256')
    for await (const chunk of content.chunks) {
      hash.update(chunk)
      yield chunk
    }
    yield tarPadding(content.size)
    files[path] = { size: content.size, sha256: hash.digest('hex') }
  }
  const manifest: Manifest = { format: 1, version, files, folders }
  const text = Buffer.from(JSON.stringify(manifest))
  yield smallFile(MANIFEST, text)
  yield smallFile(SIGNATURE, Buffer.from(signatureOf(key, text)))
  yield tarEnd()
}

const smallFile = (path: string, bytes: Buffer): Buffer =>
  Buffer.concat([tarHeader({ path, size: bytes.length }), bytes, tarPadding(bytes.length)])

interface UnpackOptions {
  readonly store: (entry: ArchiveEntry) => Promise<void>
  /** Throws unless the manifest has a valid signature; the text is empty when there is none. */
  readonly verify: (manifest: Buffer, signature: string) => void
}

/** Passes every entry to `store`, then compares all of them with the manifest and verifies that. */
export async function unpackArchive(
  source: AsyncIterable<Buffer>,
  { store, verify }: UnpackOptions,
): Promise<void> {
  const reader = byteReader(source)
  const found = new Map<string, Digest>()
  const folders: string[] = []
  for (;;) {
    const header = await readTarHeader(reader)
    if (!header) throw damaged('it has no manifest')
    const { path, size } = header
    if (size === undefined) {
      folders.push(path)
      await store({ path })
    } else {
      const chunks = tarContent(reader, size)
      if (path === MANIFEST) {
        const text = await collected(chunks, size)
        compare(readManifest(text), found, folders)
        return verify(text, await readSignature(reader))
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

/** What follows the manifest: its signature and the end, or the end alone. */
async function readSignature(reader: ByteReader): Promise<string> {
  const header = await readTarHeader(reader)
  // One of the two blocks of the end is read.
  if (!header) {
    await readTarEnd(reader)
    return ''
  }
  if (header.path !== SIGNATURE || header.size === undefined) throw damaged('it continues after its manifest')
  const text = await collected(tarContent(reader, header.size), header.size)
  await readTarEnd(reader)
  return text.toString('utf8')
}

async function collected(chunks: AsyncIterable<Buffer>, size: number): Promise<Buffer> {
  if (size > MAX_MANIFEST_BYTES) throw damaged('its manifest is too long')
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

function readManifest(text: Buffer): Manifest {
  const manifest = parsed(text.toString('utf8'))
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

function compare(manifest: Manifest, found: ReadonlyMap<string, Digest>, folders: readonly string[]): void {
  const { files } = manifest
  for (const [path, { size, sha256 }] of found) {
    const expected = Object.hasOwn(files, path) ? files[path] : undefined
    if (expected?.size !== size || expected.sha256 !== sha256) throw damaged(`${path} has changed`)
  }
  const missing = Object.keys(files).find((path) => !found.has(path))
  if (missing !== undefined) throw damaged(`${missing} is missing`)
  if (manifest.folders && JSON.stringify(manifest.folders) !== JSON.stringify(folders))
    throw damaged('its folders have changed')
}
