import { expect, it } from 'vitest'
import { requestOf, typicalOf } from './parts.ts'
import { drawSteps } from './picture.ts'
import { tracesIn } from './spans.ts'

/** `[id, parent, name, start, length]`, in milliseconds. */
type Row = readonly [string, string, string, number, number]

const bodyOf = (rows: readonly Row[], traceId = 't1') => {
  const nanoseconds = (ms: number) => `${BigInt(Math.round(ms * 1e6)) + 1_800_000_000_000_000_000n}`
  const spans = rows.map(([spanId, parentSpanId, name, start, ms]) => {
    const times = { startTimeUnixNano: nanoseconds(start), endTimeUnixNano: nanoseconds(start + ms) }
    return { traceId, spanId, parentSpanId, name, ...times }
  })
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
}

const PAY: readonly Row[] = [
  ['r', '', 'POST /pay', 0, 20],
  ['k', 'r', 'directory.key', 0, 1],
  ['c', 'r', 'Pay', 1, 18],
  ['p', 'c', 'sandbox start', 6, 7],
  ['h', 'p', 'POST', 6, 6],
  ['l', 'c', 'lane payments.change', 2, 4],
  ['s', 'l', 'payments.change', 2, 3],
  ['g', 'c', 'webhooks.grantSlots', 3, 5],
  ['w', 'c', 'webhook payment.state_changed', 14, 9],
  ['q', 'w', 'POST', 15, 6],
]

it('splits a request into what it waits for, in order, with webhooks apart', () => {
  // A trace arrives in several bodies.
  const [spans = []] = tracesIn([bodyOf(PAY.slice(5)), bodyOf(PAY.slice(0, 5))])
  const { pieces, webhooks } = requestOf(spans, 'POST /pay') ?? {}
  expect(pieces?.map(({ part, ms }) => [part, Math.round(ms * 10) / 10])).toEqual([
    ['receive', 1],
    ['authenticate', 1],
    ['own', 7],
    ['write', 4],
    ['provider', 7],
  ])
  expect(webhooks).toEqual({ from: 14, to: 21 })
  expect(requestOf(spans, 'POST /capture')).toBeUndefined()
})

const request = (ms: number) => ({ pieces: [{ part: 'own' as const, ms }] })

it('the typical request is the mean of the middle half of the most frequent order', () => {
  const other = { pieces: [{ part: 'read' as const, ms: 1 }] }
  const requests = [other, request(1), request(2), request(4), request(5), request(900)]
  expect(typicalOf(requests)?.pieces).toEqual([{ part: 'own', ms: 11 / 3 }])
  expect(typicalOf([])).toBeUndefined()
})

it('the picture tells in words what it shows', () => {
  const drawn = drawSteps([{ title: 'alone', requests: [{ name: 'pay', request: request(2) }] }])
  expect(drawn).toContain('<desc id="d">alone: pay 2.0 ms (own code 2.0).</desc>')
  expect(drawn).toContain('prefers-color-scheme:dark')
})
