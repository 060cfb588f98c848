import { describe, expect, it } from 'vitest'
import type { HttpReply } from '../../net/http.ts'
import { objectAt, textAt } from './json.ts'
import { problemOf } from './problem.ts'
import { failureIn, messageOf, type ReplyRules, readReply } from './reply.ts'

const NOW = new Date('2027-01-04T09:00:00.000Z')
const RULES: ReplyRules = {
  message: (body) => ({ code: textAt(body, 'code'), message: textAt(body, 'message') }),
  refusal: ({ code }) => {
    if (code === 'gone') return { reason: 'method-removed', retry: 'never' }
    return code === 'running' ? 'server-error' : undefined
  },
}
const reply = (status: number, body: unknown, headers = {}): HttpReply => ({
  ...{ kind: 'reply', status, headers, body },
})
const read = (...given: Parameters<typeof reply>) => readReply(reply(...given), NOW, RULES)

describe('a reply', () => {
  it('with an object is that object', () => {
    expect(read(200, { id: '1' })).toEqual({ kind: 'object', object: { id: '1' } })
  })

  it('of success without an object is unreadable, unless the provider has such', () => {
    for (const body of [undefined, null, 'text', [], [{ id: '1' }], 7, true])
      expect(read(200, body)).toMatchObject({
        kind: 'unknown',
        why: 'unreadable-reply',
        raw: { status: 200 },
      })
    const rules = { ...RULES, isWhole: ({ status }: { status: number }) => status === 204 }
    expect(readReply(reply(204, undefined), NOW, rules)).toEqual({ kind: 'object', object: {} })
    expect(readReply(reply(200, { id: '1' }), NOW, rules)).toMatchObject({ kind: 'unknown' })
  })

  it('that never came is not sent, or unknown', () => {
    const lost = { kind: 'no-answer', why: 'timeout', cause: 'timeout' } as const
    expect(readReply({ kind: 'not-sent', cause: 'ECONNREFUSED' }, NOW, RULES)).toEqual({
      ...{ kind: 'not-done', why: 'not-sent', raw: { message: 'ECONNREFUSED' } },
    })
    expect(readReply(lost, NOW, RULES)).toEqual({
      kind: 'unknown',
      why: 'timeout',
      raw: { message: 'timeout' },
    })
  })

  it('means what the provider says, else what its status says', () => {
    expect(read(422, { code: 'gone' })).toEqual({
      ...{ kind: 'declined', reason: 'method-removed', retry: 'never', raw: { status: 422, code: 'gone' } },
    })
    expect(read(422, { code: 'running' })).toMatchObject({ kind: 'unknown', why: 'server-error' })
    const whys = [301, 400, 401, 403, 404, 408, 409, 422, 429, 500, 503].map((status) => {
      const failed = failureIn(reply(status, {}), NOW, RULES)
      return failed && 'why' in failed ? `${status} ${failed.kind} ${failed.why}` : status
    })
    expect(whys).toEqual([
      '301 unknown unreadable-reply',
      '400 not-done bad-request',
      '401 not-done bad-credentials',
      '403 not-done bad-credentials',
      '404 not-done not-found',
      '408 unknown server-error',
      '409 unknown server-error',
      '422 not-done bad-request',
      '429 not-done rate-limited',
      '500 unknown server-error',
      '503 unknown server-error',
    ])
  })

  it('of a rate limit says until when, in seconds or as a date', () => {
    const later = (after: string) => read(429, {}, { 'retry-after': after })
    expect(later('30')).toMatchObject({ retryAfter: new Date('2027-01-04T09:00:30.000Z') })
    expect(later('Mon, 04 Jan 2027 09:05:00 GMT')).toMatchObject({
      retryAfter: new Date('2027-01-04T09:05:00.000Z'),
    })
    expect(later('soon')).not.toHaveProperty('retryAfter')
    expect(read(400, {}, { 'retry-after': '30' })).not.toHaveProperty('retryAfter')
  })

  it('with a hostile body never throws', () => {
    const odd = [
      undefined,
      null,
      'x',
      7,
      [],
      [[]],
      { code: {} },
      { code: [1] },
      { message: null },
      { code: 'toString' },
    ]
    for (const body of odd) expect(read(400, body)).toMatchObject({ kind: 'not-done', why: 'bad-request' })
    expect(objectAt(read(400, { code: 'constructor' }))).toMatchObject({ raw: { code: 'constructor' } })
  })
})

it('words of a provider are on one line and bounded', () => {
  const raw = messageOf({
    status: 400,
    code: 'c\u0000'.repeat(500),
    message: 'a\r\nb '.repeat(5_000),
    networkCode: '',
  })
  expect(raw.status).toBe(400)
  expect(raw.code?.length).toBeLessThanOrEqual(100)
  expect(raw.message?.length).toBeLessThanOrEqual(500)
  expect(`${raw.code}${raw.message}`).not.toMatch(/\p{Cc}/u)
  expect(raw).not.toHaveProperty('networkCode')
  expect(messageOf({})).toEqual({})
})

it('a merchant reads what is wrong', () => {
  const words = { provider: 'Acme', key: 'the API key', denied: 'The API key may not do this' }
  const sentence = (status: number, message?: string) => {
    const failed = failureIn(reply(status, { message }), NOW, RULES)
    return failed && problemOf(failed, words)
  }
  expect(sentence(401)).toBe('Acme does not accept the API key.')
  expect(sentence(403, 'Ask first')).toBe('The API key may not do this: Ask first')
  expect(sentence(429)).toBe('Acme was asked too often; try again.')
  expect(sentence(500, 'Oops')).toBe('Acme answered with an error: Oops')
})
