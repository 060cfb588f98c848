import type { FastifyReply } from 'fastify'
import { ApiError } from '../../base/errors.ts'

/** A place of a limit, until the work in it has ended and its answer is sent or can no longer be. */
export interface HeldPlace {
  /** At most once. Throws if the client had disconnected before: its place is given to others. */
  during<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * A client that disconnects does not end the work. If it freed the place, a client could have any number of
 * them by disconnecting after each request. Decision 0250.
 */
export function holdPlace(raw: FastifyReply['raw'], leave: () => void): HeldPlace {
  let isClosed = false
  let isWorking = false
  const close = () => {
    isClosed = true
    if (!isWorking) leave()
  }
  raw.once('close', close)
  // The client may have disconnected while it waited: then no close event follows.
  if (raw.destroyed || raw.closed) close()
  return {
    async during(work) {
      if (isClosed) throw new ApiError('malformed_request', 'The connection was closed.')
      isWorking = true
      try {
        return await work()
      } finally {
        isWorking = false
        if (isClosed) leave()
      }
    },
  }
}
