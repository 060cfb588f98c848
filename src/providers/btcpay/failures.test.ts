import { describe, expect, it } from 'vitest'
import type { HttpReply } from '../../net/http.ts'
import { failure, settingsProblem } from './failures.ts'

const NOW = new Date('2026-01-01T00:00:00Z')

const reply = (status: number, body?: unknown, headers: Record<string, string> = {}): HttpReply => ({
  kind: 'reply',
  status,
  headers,
  body,
})

const problem = (code: string) => ({ code, message: 'A sentence' })

describe('replies that are no result', () => {
  it.each<[number, unknown, object]>([
    [400, problem('generic-error'), { kind: 'not-done', why: 'bad-request' }],
    [400, problem('non-refundable'), { kind: 'not-done', why: 'wrong-state' }],
    [400, problem('never-heard-of'), { kind: 'not-done', why: 'bad-request' }],
    [401, problem('unauthenticated'), { kind: 'not-done', why: 'bad-credentials' }],
    [401, undefined, { kind: 'not-done', why: 'bad-credentials' }],
    [403, problem('missing-permission'), { kind: 'not-done', why: 'bad-credentials' }],
    [404, problem('invoice-not-found'), { kind: 'not-done', why: 'not-found' }],
    [404, '<html>', { kind: 'not-done', why: 'not-found' }],
    [422, [{ path: 'amount', message: 'No' }], { kind: 'not-done', why: 'bad-request' }],
    [429, 'slow down', { kind: 'not-done', why: 'rate-limited' }],
    [408, undefined, { kind: 'unknown', why: 'server-error' }],
    [500, problem('generic-error'), { kind: 'unknown', why: 'server-error' }],
    [502, '<html>', { kind: 'unknown', why: 'server-error' }],
    [302, undefined, { kind: 'unknown', why: 'unreadable-reply' }],
  ])('%d %o', (status, body, expected) => {
    expect(failure(reply(status, body), NOW)).toMatchObject(expected)
  })

  it('keeps the code and the text of the server', () => {
    expect(failure(reply(400, problem('non-refundable')), NOW)).toMatchObject({
      raw: { status: 400, code: 'non-refundable', message: 'A sentence' },
    })
    expect(failure(reply(422, [{ path: 'amount', message: 'No' }]), NOW)).toMatchObject({
      raw: { status: 422, code: 'amount', message: 'No' },
    })
    const denied = { ...problem('missing-permission'), missingPermission: 'btcpay.store.canviewinvoices' }
    expect(failure(reply(403, denied), NOW)).toMatchObject({
      raw: { message: 'A sentence (btcpay.store.canviewinvoices)' },
    })
  })

  it('reads when to try again', () => {
    const limited = (value: string) => failure(reply(429, undefined, { 'retry-after': value }), NOW)
    expect(limited('30')).toMatchObject({ retryAfter: new Date('2026-01-01T00:00:30Z') })
    expect(limited('Thu, 01 Jan 2026 00:01:00 GMT')).toMatchObject({
      retryAfter: new Date('2026-01-01T00:01:00Z'),
    })
    expect(limited('soon')).not.toHaveProperty('retryAfter')
  })

  it('passes on whether the request was sent', () => {
    expect(failure({ kind: 'not-sent', cause: 'ECONNREFUSED' }, NOW)).toMatchObject({ why: 'not-sent' })
    const lost = { kind: 'no-answer', why: 'timeout', cause: 'timeout' } as const
    expect(failure(lost, NOW)).toMatchObject({ kind: 'unknown', why: 'timeout' })
    expect(failure(reply(200, {}), NOW)).toBeUndefined()
  })

  it('has a sentence for every reason', () => {
    for (const why of ['not-found', 'rate-limited', 'bad-request'] as const)
      expect(settingsProblem({ kind: 'not-done', why })).toMatch(/^[A-Z].*\.$/)
    for (const why of ['timeout', 'connection-lost', 'server-error', 'unreadable-reply'] as const)
      expect(settingsProblem({ kind: 'unknown', why })).toMatch(/^[A-Z].*\.$/)
  })
})
