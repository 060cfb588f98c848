import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, wrongField } from '../base/errors.ts'
import { boundJson } from './content/scan.ts'
import { inspectBody } from './inspect.ts'

const JSON_TYPE = /^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i
/** Others, such as `utf-8`, are sent by clients that mean nothing by it. */
const COMPRESSED = /\b(?:gzip|deflate|br|zstd|compress)\b/i
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

export const isMediaType = (contentType: string): boolean => MEDIA_TYPE.test(contentType)

/** Parses a body. Zero bytes count as no body, for every content type. */
export function readBody(headers: IncomingHttpHeaders, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const { 'content-type': contentType, 'content-encoding': coding = '' } = headers
  if (COMPRESSED.test(coding))
    throw new ApiError('unsupported_media_type', 'The body must not be compressed (Content-Encoding).')
  if (contentType === undefined || !JSON_TYPE.test(contentType))
    throw new ApiError(
      'unsupported_media_type',
      'The body must be JSON: send Content-Type: application/json.',
    )
  boundJson(bytes)
  const value = parseJson(decode(bytes))
  inspectBody(value)
  return value
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw unreadable('is not valid UTF-8')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message would quote the body, which may contain secrets.
    throw unreadable('is not valid JSON')
  }
}

const unreadable = (message: string): ApiError =>
  new ApiError('malformed_request', `The body ${message}.`, { errors: [wrongField('body', message)] })
