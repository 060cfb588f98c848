import { describe, expect, it } from 'vitest'
import { DECLINE_REASONS } from '../outcome.ts'
import { BANK_CODES, failureOf, ISSUES, refusalOf } from './refusals.ts'

const NOW = new Date('2026-01-01T00:00:00Z')

const refused = (status: number, issue: string) =>
  refusalOf({
    kind: 'reply',
    status,
    headers: {},
    body: { name: 'X', message: 'text', details: [{ issue }] },
  })

const failed = (status: number, headers: Record<string, string> = {}) =>
  failureOf({ kind: 'reply', status, headers, body: undefined }, NOW)

describe('the table of issues', () => {
  it('uses only reasons of our vocabulary', () => {
    for (const issue of [...ISSUES.values(), ...BANK_CODES.values()])
      if ('reason' in issue) expect(DECLINE_REASONS).toContain(issue.reason)
  })

  it.each([
    ['INSTRUMENT_DECLINED', 'do-not-honour', 'after-customer-acts'],
    ['CARD_EXPIRED', 'expired-card', 'never'],
    ['TRANSACTION_REFUSED', 'blocked', 'never'],
    ['PAYER_ACTION_REQUIRED', 'authentication-required', 'after-customer-acts'],
    ['AGREEMENT_ALREADY_CANCELLED', 'method-removed', 'never'],
    ['TRANSACTION_LIMIT_EXCEEDED', 'limit-exceeded', 'later'],
    ['INVALID_CURRENCY_CODE', 'currency-not-supported', 'never'],
  ])('%s is a decline: %s', (issue, reason, retry) => {
    expect(refused(422, issue)).toMatchObject({ kind: 'declined', reason, retry, raw: { code: issue } })
  })

  it.each([
    'DUPLICATE_INVOICE_ID',
    'DUPLICATE_REQUEST_ID',
    'ORDER_ALREADY_CAPTURED',
    'ORDER_ALREADY_AUTHORIZED',
  ])('%s may be the success of an earlier request: unknown', (issue) =>
    expect(refused(422, issue)).toMatchObject({ kind: 'unknown' }),
  )

  it.each([
    [422, 'AUTHORIZATION_VOIDED', 'wrong-state'],
    [422, 'PAYEE_ACCOUNT_RESTRICTED', 'bad-credentials'],
    [422, 'NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE', 'unsupported'],
    [403, 'ANYTHING', 'bad-credentials'],
    [400, 'INVALID_PARAMETER_SYNTAX', 'bad-request'],
    [404, 'INVALID_RESOURCE_ID', 'not-found'],
  ])('status %i with %s was not done: %s', (status, issue, why) => {
    expect(refused(status, issue)).toMatchObject({ kind: 'not-done', why })
  })

  it('counts an issue that it does not list', () => {
    expect(refused(422, 'NEW_ISSUE')).toMatchObject({ kind: 'declined', reason: 'generic', isUnlisted: true })
  })
})

describe('a failure', () => {
  it.each([
    [401, 'bad-credentials'],
    [415, 'bad-request'],
    [429, 'rate-limited'],
  ])('with status %i did nothing: %s', (status, why) => {
    expect(failed(status)).toMatchObject({ kind: 'not-done', why })
  })

  it.each([302, 409, 500, 502, 503])('with status %i is unknown', (status) => {
    expect(failed(status)?.kind).toBe('unknown')
  })

  it('says when to try again', () => {
    expect(failed(429, { 'retry-after': '30' })).toMatchObject({
      retryAfter: new Date('2026-01-01T00:00:30Z'),
    })
    expect(failed(429, { 'retry-after': 'soon' })).not.toHaveProperty('retryAfter')
  })
})
