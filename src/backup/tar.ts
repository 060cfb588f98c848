import { type ByteReader, damaged } from './byte-reader.ts'

// The format of POSIX (ustar), so that `tar` can read an archive too. Names have less than 100 bytes.

const BLOCK_BYTES = 512
const NAME_BYTES = 100
const FILE = '0'
const FOLDER = '5'

interface TarHeader {
  readonly path: string
  /** Undefined for a folder. */
  readonly size?: number | undefined
}

/** `[start, length]` of the fields that are used. */
const FIELDS = { size: [124, 12], checksum: [148, 8], magic: [257, 8] } as const
const TYPE_OFFSET = 156

export function tarHeader({ path, size }: TarHeader): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  if (Buffer.byteLength(path) >= NAME_BYTES) throw new Error(`the name is too long for an archive: ${path}`)
  block.write(path, 0)
  const write = ([start, length]: readonly [number, number], value: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, start)
  write([100, 8], size === undefined ? 0o700 : 0o600)
  write([108, 8], 0)
  write([116, 8], 0)
  write(FIELDS.size, size ?? 0)
  write([136, 12], 0)
  block.write(size === undefined ? FOLDER : FILE, TYPE_OFFSET)
  block.write('ustar\x0000', FIELDS.magic[0])
  write(FIELDS.checksum, checksumOf(block))
  return block
}

/** Zeros up to the next block. */
export const tarPadding = (size: number): Buffer =>
  Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES)

export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK_BYTES)

/** The end, and the end of the stream after it. */
export const readTarEnd = (reader: ByteReader): Promise<void> => reader.ended(tarEnd().length)

/** The sum of all bytes, with spaces in the place of the checksum itself. */
function checksumOf(block: Buffer): number {
  const [start, length] = FIELDS.checksum
  const copy = Buffer.from(block)
  copy.fill(' ', start, start + length)
  return copy.reduce((sum, byte) => sum + byte, 0)
}

/** The next header; undefined at the end of the archive. */
export async function readTarHeader(reader: ByteReader): Promise<TarHeader | undefined> {
  const block = await reader.exactly(BLOCK_BYTES)
  if (block.every((byte) => byte === 0)) return undefined
  const octal = ([start, length]: readonly [number, number]) =>
    Number.parseInt(block.toString('latin1', start, start + length), 8)
  if (octal(FIELDS.checksum) !== checksumOf(block)) throw damaged('a header has a wrong checksum')
  const path = block.toString('utf8', 0, block.indexOf(0))
  const type = String.fromCharCode(block[TYPE_OFFSET] ?? 0)
  if (type === FOLDER) return { path }
  if (type !== FILE) throw damaged(`${JSON.stringify(path)} is neither a file nor a folder`)
  return { path, size: octal(FIELDS.size) }
}

/** The content of a file, then its padding. */
export async function* tarContent(reader: ByteReader, size: number): AsyncGenerator<Buffer> {
  let left = size
  while (left > 0) {
    const part = await reader.some(left)
    left -= part.length
    yield part
  }
  const padding = await reader.exactly(tarPadding(size).length)
  if (padding.some((byte) => byte !== 0)) throw damaged('a file is longer than its header says')
}
