import { ApiError, wrongField } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const AMPERSAND = 0x26

/**
 * Limits the cost of a JSON text before it is parsed, in one pass over the bytes without a copy. It counts
 * commas and brackets outside strings, so the text may have fewer values than counted, never more. It does
 * not check the syntax.
 */
export function boundJson(bytes: Uint8Array): void {
  let values = 1
  let depth = 0
  let stringBytes = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = endOfString(bytes, at + 1)
      stringBytes = end - at - 1
      at = end
    } else if (byte === COLON) {
      if (stringBytes > LIMITS.jsonKeyBytes)
        throw tooMuch(`has a member whose name is longer than ${LIMITS.jsonKeyBytes} bytes`)
    } else if (byte === COMMA) {
      values++
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++
      depth++
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth--
    }
    if (values > LIMITS.jsonValues) throw tooMuch(`has more than ${LIMITS.jsonValues} values`)
    if (depth > LIMITS.jsonDepth) throw tooMuch(`is nested deeper than ${LIMITS.jsonDepth} levels`)
  }
}

/** The index of the closing quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/** The same for a posted form. */
export function boundForm(bytes: Uint8Array): void {
  let fields = 1
  for (const byte of bytes) {
    if (byte === AMPERSAND) fields++
    if (fields > LIMITS.formFields) throw tooMuch(`has more than ${LIMITS.formFields} fields`)
  }
}

const tooMuch = (message: string): ApiError =>
  new ApiError('malformed_request', `The body ${message}.`, { errors: [wrongField('body', message)] })
