/** A broken invariant: our own mistake, never the caller's. Answered as 500 and logged with its stack. */
class InvariantError extends Error {
  override name = 'InvariantError'
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}
