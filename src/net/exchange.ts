import type { Dispatcher } from 'undici'

/**
 * One request and its response, with limits of time and size. Uses the dispatcher directly: undici's
 * `request` creates a stream and a signal for each call, which cost more than the exchange itself.
 */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

export interface Bounds {
  /** Time until the response headers. */
  readonly headMs: number
  /** Time from the headers to the end of the body; without it, `headMs` covers the whole response. */
  readonly bodyMs?: number
  readonly bodyBytes: number
  readonly signal?: AbortSignal | undefined
}

export interface OutboundResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The part received within the bounds. */
  readonly body: Buffer
  /** Why the body is incomplete. */
  readonly cut?: Error
}

/** The exchange was ended by a bound, not by the peer. */
export class BoundError extends Error {
  override name = 'BoundError'
  readonly bound: 'time' | 'size' | 'signal'
  constructor(bound: BoundError['bound']) {
    super(`stopped: ${bound}`)
    this.bound = bound
  }
}

/** Rejects when no response headers arrived; after that, resolves with the part received. */
export function exchange(
  dispatcher: Dispatcher,
  question: OutboundRequest,
  bounds: Bounds,
): Promise<OutboundResponse> {
  const { url, method, headers, body } = question
  return new Promise((resolve, reject) => {
    const { handler, stop, start } = listener(bounds, { resolve, reject })
    start()
    try {
      dispatcher.dispatch(
        { origin: url.origin, path: url.pathname + url.search, method, headers, body },
        handler,
      )
    } catch (error) {
      stop(error as Error)
    }
  })
}

interface Ends {
  resolve(answer: OutboundResponse): void
  reject(error: Error): void
}

function listener({ headMs, bodyMs, bodyBytes, signal }: Bounds, { resolve, reject }: Ends) {
  const chunks: Buffer[] = []
  let size = 0
  let head: Pick<OutboundResponse, 'status' | 'headers'> | undefined
  let controller: Dispatcher.DispatchController | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const onSignal = () => stop(new BoundError('signal'))
  const within = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => stop(new BoundError('time')), ms)
  }
  function end(cut?: Error): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', onSignal)
    if (head) resolve({ ...head, body: Buffer.concat(chunks), ...(cut ? { cut } : {}) })
    else reject(cut ?? new Error('an end without a beginning'))
  }
  function stop(why: Error): void {
    end(why)
    controller?.abort(why)
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      controller = given
      // Aborted while it waited for a connection, so nothing is sent.
      if (isOver) given.abort(new BoundError('time'))
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return
      head = { status, headers }
      if (bodyMs !== undefined) within(bodyMs)
    },
    onResponseData(_controller, chunk) {
      chunks.push(chunk)
      size += chunk.length
      if (size > bodyBytes) stop(new BoundError('size'))
    },
    onResponseEnd: () => end(),
    onResponseError: (_controller, error) => end(error),
  }
  function start(): void {
    within(headMs)
    signal?.addEventListener('abort', onSignal)
    if (signal?.aborted) onSignal()
  }
  return { handler, stop, start }
}
