/** Why the service cannot start, in words that a person can act on: printed alone, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
