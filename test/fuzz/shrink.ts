import { renderJson } from './make/values.ts'
import type { FuzzRequest } from './wire/request.ts'

/** Maximum number of requests to shrink one example. */
const MAX_TRIES = 80

/** The smallest request found that fails in the same way, or the request itself. */
export async function shrunk(
  request: FuzzRequest,
  stillFails: (smaller: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  if (request.raw || !(await stillFails(request))) return request
  let best = request
  let tries = 0
  for (let isSmaller = true; isSmaller && tries < MAX_TRIES; ) {
    isSmaller = false
    for (const smaller of smallerRequests(best)) {
      if (++tries > MAX_TRIES) break
      if (!(await stillFails(smaller))) continue
      best = smaller
      isSmaller = true
      break
    }
  }
  return best
}

function* smallerRequests(request: FuzzRequest): Generator<FuzzRequest> {
  const { headers, query, body } = request
  for (const removed of query) yield { ...request, query: query.filter((pair) => pair !== removed) }
  for (const removed of headers) yield { ...request, headers: headers.filter((header) => header !== removed) }
  for (const smaller of smallerBodies(body)) yield { ...request, body: smaller }
}

function* smallerBodies(body: Buffer | undefined): Generator<Buffer> {
  if (!body || body.length === 0) return
  const value = jsonOf(body)
  if (value === undefined) {
    if (body.length > 1) yield body.subarray(0, body.length >> 1)
    if (body.length > 1) yield body.subarray(body.length >> 1)
    return
  }
  for (const smaller of smallerValues(value)) yield Buffer.from(renderJson(smaller))
}

/** The value of a JSON body, or undefined if parsing and serialising would change it. */
function jsonOf(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return JSON.stringify(value) === body.toString('utf8') ? value : undefined
  } catch {
    return undefined
  }
}

function* smallerValues(value: unknown): Generator<unknown> {
  if (typeof value === 'string' && value.length > 8) {
    yield value.slice(0, value.length >> 1)
    yield value.slice(value.length >> 1)
  }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value) && value.length > 1) yield value.slice(0, value.length >> 1)
  for (const [key, member] of Object.entries(value)) {
    yield without(value, key)
    for (const smaller of smallerValues(member)) yield withMember(value, key, smaller)
  }
}

function without(value: object, key: string): unknown {
  if (Array.isArray(value)) return value.filter((_, index) => String(index) !== key)
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}

function withMember(value: object, key: string, member: unknown): unknown {
  if (Array.isArray(value)) return value.map((known, index) => (String(index) === key ? member : known))
  return { ...value, [key]: member }
}
