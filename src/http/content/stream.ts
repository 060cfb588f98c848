import { Readable } from 'node:stream'

/**
 * Streams a JSON array in chunks, with at most one chunk in memory. The first chunk is read before the
 * response starts, so that its failure can still be answered with a status. Decision 0104.
 */
export async function jsonArray(pieces: AsyncIterable<readonly string[]>): Promise<Readable | string> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return '[]'
  return Readable.from(texts(first.value, iterator), { objectMode: false })
}

async function* texts(
  first: readonly string[],
  rest: AsyncIterator<readonly string[]>,
): AsyncGenerator<string> {
  try {
    let opening = '['
    for (let piece = first; ; ) {
      // A piece is empty when its rows were deleted since the page was planned.
      if (piece.length > 0) {
        yield `${opening}${piece.join(',')}`
        opening = ','
      }
      const next = await rest.next()
      if (next.done) break
      piece = next.value
    }
    yield opening === '[' ? '[]' : ']'
  } finally {
    await rest.return?.()
  }
}

/** Groups consecutive items up to `bytes` in total; a larger item forms a group of its own. */
export function* inPieces<Item extends { readonly size: number }>(
  items: readonly Item[],
  bytes: number,
): Generator<Item[]> {
  let piece: Item[] = []
  let sum = 0
  for (const item of items) {
    if (piece.length > 0 && sum + item.size > bytes) {
      yield piece
      piece = []
      sum = 0
    }
    piece.push(item)
    sum += item.size
  }
  if (piece.length > 0) yield piece
}
