import { StartError } from '../base/start-error.ts'

/** Reads a stream in pieces of given lengths. */
export interface ByteReader {
  /** The next bytes, between one and `most`. */
  some(most: number): Promise<Buffer>
  exactly(length: number): Promise<Buffer>
  /** Resolves when the stream has ended, after at most `most` further bytes. */
  ended(most: number): Promise<void>
}

export const damaged = (reason: string): StartError => new StartError(`The archive is damaged: ${reason}.`)

export function byteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  async function some(most: number): Promise<Buffer> {
    while (rest.length === 0) {
      const { value, done } = await chunks.next()
      if (done) throw damaged('it ends too early')
      rest = value
    }
    const taken = rest.subarray(0, most)
    rest = rest.subarray(taken.length)
    return taken
  }
  async function exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let missing = length
    while (missing > 0) {
      const part = await some(missing)
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts)
  }
  async function ended(most: number): Promise<void> {
    let count = rest.length
    for (;;) {
      if (count > most) throw damaged('it continues after its end')
      const { value, done } = await chunks.next()
      if (done) return
      count += value.length
    }
  }
  return { some, exactly, ended }
}
