import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, type ErrorCode, wrongField } from '../base/errors.ts'
import { problemAnswer, SAFE_HEADERS } from './answer.ts'

const CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and headers have more than 16 KiB.'],
}

/** Answers an invalid or incomplete HTTP request and closes the connection. */
export function answerBroken(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
  more: Readonly<Record<string, string>>,
): void {
  const { _httpMessage: begun } = socket as { _httpMessage?: ServerResponse }
  if (error.code === 'ECONNRESET' || !socket.writable || begun?.headersSent) {
    socket.destroy()
    return
  }
  const [code, detail] = CODES[error.code ?? ''] ?? ['malformed_request', 'This is not a valid HTTP request.']
  const { status, headers, body } = problemAnswer(new ApiError(code, detail), requestId)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${headers['content-type']}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries({ ...SAFE_HEADERS, ...more }).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}

/** Without this, Node itself answers an expectation other than 100-continue, without the common headers. */
export function answerExpectations(server: Server, newId: () => string): void {
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const requestId = newId()
    const error = new ApiError('malformed_request', 'Only the expectation 100-continue can be met.', {
      errors: [wrongField('Expect', 'must be 100-continue')],
    })
    const { status, headers, body } = problemAnswer(error, requestId)
    const all = { ...headers, ...SAFE_HEADERS, 'x-request-id': requestId, connection: 'close' }
    response.writeHead(status, { ...all, 'content-length': Buffer.byteLength(body) }).end(body)
  })
}

/** Tunnels are not supported. Without a listener Node closes the connection without an answer. */
export function answerConnects(
  server: Server,
  newId: () => string,
  more: Readonly<Record<string, string>>,
): void {
  server.on('connect', (_request, socket) =>
    answerBroken(new Error('CONNECT'), socket as Socket, newId(), more),
  )
}

/** RFC 9112, 3.2: HTTP/1.1 requires Host. Node's own check is turned off, as its answer has no body. */
export const withoutHost = ({ headers, httpVersion }: IncomingMessage): ApiError | undefined =>
  headers.host === undefined && httpVersion === '1.1'
    ? new ApiError('malformed_request', 'Host is required', {
        errors: [wrongField('Host', 'is required')],
      })
    : undefined
