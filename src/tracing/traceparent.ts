import { hasCardNumber } from '../base/cards/find.ts'

/** The headers of W3C Trace Context, validated. */
export interface RemoteParent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
  readonly state: string | undefined
}

type Header = string | string[] | undefined

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]{0,200})?$/
const ZEROS = /^0+$/

/** Undefined when the header is absent, repeated or invalid. Then `tracestate` does not count either. */
export function remoteParent(parent: Header, state: Header): RemoteParent | undefined {
  if (typeof parent !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = PARENT.exec(parent) ?? []
  // Later versions may have more fields; 255 is no version.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1
  return { traceId, spanId, isSampled, state: traceState(state) }
}

const STATE_LENGTH = 512
const MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x21-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/

/** It is passed on to other servers, so a list with any invalid member is dropped. */
function traceState(state: Header): string | undefined {
  const text = Array.isArray(state) ? state.join(',') : state
  if (!text || text.length > STATE_LENGTH || hasCardNumber(text)) return undefined
  const members = text.split(',').map((member) => member.trim())
  return members.every((member) => MEMBER.test(member)) ? members.join(',') : undefined
}
