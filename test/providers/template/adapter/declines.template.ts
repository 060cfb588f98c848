import { expect, it } from 'vitest'
import { DECLINE_REASONS } from '../../../../src/providers/outcome.ts'
import { DECLINES, declineOf } from './declines.ts'
import { unfinished } from './unfinished.ts'

it('gives every documented decline code one of our reasons', () => {
  if (DECLINES.size === 0) unfinished('declines.ts: DECLINES')
  for (const [code, { reason, retry }] of DECLINES) {
    expect(DECLINE_REASONS).toContain(reason)
    expect(declineOf({ code })).toEqual({ reason, retry, raw: { code } })
  }
})

it('counts a code that is not in the table', () => {
  if (DECLINES.size === 0) unfinished('declines.ts: DECLINES')
  expect(declineOf({ code: 'of-next-year' })).toMatchObject({ reason: 'generic', isUnlisted: true })
})
