import { renderJson } from './make/values.ts'
import type { FuzzRequest } from './wire/request.ts'

/** As many requests go into one smaller example. */
const MOST_TRIES = 80

/** A smaller request that still fails in the same way; the request itself when nothing can be left out. */
export async function shrunk(
  request: FuzzRequest,
  stillFails: (smaller: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  if (request.raw || !(await stillFails(request))) return request
  let best = request
  let tries = 0
  for (let isNew = true; isNew && tries < MOST_TRIES; ) {
    isNew = false
    for (const smaller of smallerOnes(best)) {
      if (++tries > MOST_TRIES) break
      if (!(await stillFails(smaller))) continue
      best = smaller
      isNew = true
      break
    }
  }
  return best
}

function* smallerOnes(request: FuzzRequest): Generator<FuzzRequest> {
  const { headers, query, body } = request
  for (const gone of query) yield { ...request, query: query.filter((pair) => pair !== gone) }
  for (const gone of headers) yield { ...request, headers: headers.filter((header) => header !== gone) }
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

/** Only what JavaScript reads and writes without a change. */
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
  if (Array.isArray(value)) return value.filter((_, place) => String(place) !== key)
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}

function withMember(value: object, key: string, member: unknown): unknown {
  if (Array.isArray(value)) return value.map((known, place) => (String(place) === key ? member : known))
  return { ...value, [key]: member }
}
