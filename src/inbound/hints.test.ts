import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { money } from '../base/money.ts'
import { createVault } from '../base/secret.ts'
import type { Hint } from '../providers/hint.ts'
import { packHints, unpackHints } from './hints.ts'

const vault = createVault(['a secret key of at least thirty-two characters'], {
  bytes: (count) => randomBytes(count),
})

it('stores the facts of a notification encrypted and reads them back exactly', () => {
  const hints: Hint[] = [
    { reference: 'REF1', reportedStage: 'captured' },
    { removedToken: 'removed-token' },
    {
      lookup: 'id-1',
      movement: {
        kind: 'authorised',
        id: 'm1',
        amount: money(9_007_199_254_740_993n, 'EUR'),
        time: new Date('2026-11-01T00:00:00.123Z'),
        facts: {
          authorisedUntil: new Date('2026-12-01T00:00:00.123Z'),
          stored: { token: 'method-token', label: 'Visa •••• 4242', method: 'CreditCard' },
        },
      },
    },
  ]
  const stored = JSON.stringify(packHints(vault, hints))
  expect(stored).toContain('"lookup":"id-1"')
  expect(stored).not.toContain('method-token')
  expect(stored).not.toContain('removed-token')
  expect(unpackHints(vault, JSON.parse(stored))).toEqual(hints)
})
