/** Why the service cannot start, with the action to take. Printed without a stack trace. */
export class StartError extends Error {
  override name = 'StartError'
}
