/** The request is rejected and has no effect. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const badRequest = (message: string) => new RefusedError(422, 'bad_request', message)
export const bankNotFound = (what: string) => new RefusedError(404, 'not_found', `There is no such ${what}.`)
export const wrongState = (message: string) => new RefusedError(409, 'wrong_state', message)
export const unsupported = (message: string) => new RefusedError(422, 'unsupported', message)
