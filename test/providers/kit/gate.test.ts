import { beforeEach, expect, it } from 'vitest'
import { integerFrom, object } from './checks.ts'
import { createKeys, type Gate, type GateRoute, type GateRules, passGate } from './gate.ts'

/** The gate of the simulators, with a provider of one route. */

interface State {
  now: number
  paid: number
}

const ROUTE: GateRoute<State> = {
  method: 'POST',
  pattern: /^\/pay\/([a-z]+)$/,
  operation: 'charge',
  check: object({ required: { amount: integerFrom(1) } }),
  query: { mode: /^(?:test|live)$/ },
  run({ state, body, id, refusal, isDelayed }) {
    if (refusal !== undefined) return error(402, refusal)
    if (!isDelayed) state.paid += Number(body.amount)
    return { status: isDelayed ? 202 : 201, body: { id, paid: state.paid } }
  },
}

const error = (status: number, problem: string) => ({ status, body: { problem } })

let state: State
let gate: Gate
let rules: GateRules<State, GateRoute<State>>
let keys: NonNullable<typeof rules.keys>
beforeEach(() => {
  state = { now: 0, paid: 0 }
  gate = { requests: [], violations: [], armed: [] }
  keys = {
    ...{ used: createKeys(() => state.now), keptMs: 1000 },
    keyOf: ({ headers }) => headers['idempotency-key'],
  }
  rules = {
    ...{ state, routes: [ROUTE], error, keys },
    denied: ({ headers }) => (headers.authorization === 'key' ? undefined : error(401, 'denied')),
  }
})

interface Sent {
  readonly path?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

function send({ path = '/pay/anna', body = '{"amount":5}', headers = {} }: Sent = {}) {
  const all = { authorization: 'key', 'content-type': 'application/json', ...headers }
  const url = new URL(path, 'http://provider.test')
  return passGate(gate, rules, { method: 'POST', url, headers: all, body })
}

it('runs the route of a correct request and records it', () => {
  expect(send({ path: '/pay/anna?mode=test' })).toEqual({ status: 201, body: { id: 'anna', paid: 5 } })
  expect(gate.requests).toMatchObject([{ method: 'POST', path: '/pay/anna?mode=test', status: 201 }])
  expect(gate.violations).toEqual([])
})

it.each<[string, Sent, number, string]>([
  ['an unknown path', { path: '/refund' }, 404, 'POST /refund does not exist'],
  ['an unknown parameter', { path: '/pay/anna?colour=red' }, 422, 'the parameter colour is unknown or wrong'],
  ['a wrong parameter', { path: '/pay/anna?mode=red' }, 422, 'the parameter mode is unknown or wrong'],
  ['an unknown member', { body: '{"amount":5,"colour":1}' }, 422, 'body.colour is unknown'],
  ['broken JSON', { body: '{' }, 422, 'the body is not JSON'],
  ['another type', { headers: { 'content-type': 'text/plain' } }, 422, 'the body is not JSON'],
])('refuses and reports %s', (_what, sent, status, violation) => {
  expect(send(sent).status).toBe(status)
  expect(gate.violations).toMatchObject([expect.stringContaining(violation)])
  expect(state.paid).toBe(0)
})

it('refuses wrong credentials, which are no violation', () => {
  expect(send({ headers: { authorization: 'other' } }).status).toBe(401)
  expect(gate.violations).toEqual([])
  expect(gate.requests).toMatchObject([{ status: 401 }])
})

it('acts once for a key, for as long as the key is kept', () => {
  const headers = { 'idempotency-key': 'A' }
  expect([send({ headers }), send({ headers })].map(({ body }) => body)).toEqual([
    { id: 'anna', paid: 5 },
    { id: 'anna', paid: 5 },
  ])
  state.now = 1000
  expect(send({ headers }).body).toEqual({ id: 'anna', paid: 10 })
})

it('reports another request under a used key, and answers it as the provider does', () => {
  const headers = { 'idempotency-key': 'A' }
  send({ headers })
  expect(send({ headers, body: '{"amount":6}' }).body).toEqual({ id: 'anna', paid: 5 })
  rules = { ...rules, keys: { ...keys, reused: error(400, 'reused') } }
  expect(send({ headers, body: '{"amount":7}' }).body).toEqual({ problem: 'reused' })
  expect(gate.violations).toEqual(Array(2).fill('the key A was used with another request'))
})

it('behaves once as it is armed, for the named operation', () => {
  const headers = { 'idempotency-key': 'A' }
  gate.armed.push({ kind: 'pending', operation: 'refund' })
  gate.armed.push({ kind: 'error', operation: 'charge', status: 503, retryAfterSeconds: 7 })
  gate.armed.push({ kind: 'decline', operation: 'charge', code: 'poor' })
  gate.armed.push({ kind: 'pending', operation: 'charge' })
  expect(send({ headers })).toMatchObject({ status: 503, headers: { 'retry-after': '7' } })
  // Neither an error nor a decline is kept under the key.
  expect(send({ headers }).body).toEqual({ problem: 'poor' })
  expect(send().status).toBe(202)
  expect(send().status).toBe(201)
  expect(gate.armed).toHaveLength(1)
})
