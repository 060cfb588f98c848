import { expect } from 'vitest'
import { money } from '../../base/money.ts'
import { operation, pay, purchase, see, takenAmount } from './core.ts'
import type { Case } from './harness.ts'

const AMOUNTS = [money(500n, 'JPY'), money(12_345n, 'EUR'), money(12_345n, 'USD'), money(12_345n, 'KWD')]

/** Paying: by fields, on a page, repeated, and with a lost reply. */
export const PAYING: readonly Case[] = [
  {
    description: 'approves, and a lookup agrees with the result in currencies of 0, 2 and 3 decimals',
    applies: () => true,
    async run(harness, method) {
      for (const wanted of AMOUNTS) {
        const amount = takenAmount(harness, method, wanted)
        if (!amount) continue
        const paid = await pay(harness, { method, amount })
        const seen = await see(harness, paid)
        const { authoriseOnly } = harness.adapter.manifest.methods[method] ?? { authoriseOnly: false }
        expect(seen.stage).toBe(authoriseOnly ? 'authorised' : 'captured')
        expect(authoriseOnly ? seen.authorised : seen.captured).toEqual(amount)
        expect(seen.facts.method).toBe(method)
        const byReference = await harness.adapter.retrieve(harness.context(), paid.reference, {}, amount)
        // Until when the page is open is known by its ids alone.
        if (harness.adapter.manifest.retrieve === 'by-reference')
          expect(byReference).toEqual({ ...seen, openUntil: undefined })
      }
    },
  },
  {
    description: 'accepts multi-line texts of any length',
    applies: () => true,
    async run(harness, method) {
      const long = 'Größe\r\n\tXL  \u{1f600}\u2028'.repeat(700)
      const customer = { id: long.slice(0, 400), firstName: long, lastName: long, email: long, phone: long }
      const seen = await see(harness, await pay(harness, { method, description: long, customer }))
      expect(seen.stage).toMatch(/authorised|captured/)
    },
  },
  {
    description: 'declines with a reason, and a lookup returns the same reason',
    applies: () => true,
    async run(harness, method) {
      const paid = await pay(harness, { method }, 'declines')
      if (harness.forgetsDeclines) {
        expect(paid.outcome).toMatchObject({ kind: 'declined', reason: expect.any(String) })
        return
      }
      const seen = await see(harness, paid)
      expect(seen.stage).toBe('declined')
      expect(seen.decline?.reason).toBeTypeOf('string')
      if (paid.outcome.kind === 'declined') expect(seen.decline?.reason).toBe(paid.outcome.reason)
    },
  },
  {
    description: 'makes one payment for repeated requests with one key',
    applies: ({ fields }) => fields,
    async run(harness, method) {
      const { adapter, context } = harness
      const op = operation('start')
      const bought = purchase({ method, instrument: await harness.instrument(method, 'approves') })
      const outcomes = await Promise.all([1, 2, 3].map(() => adapter.start(context(), op, bought)))
      expect(outcomes[1]).toEqual(outcomes[0])
      expect(outcomes[2]).toEqual(outcomes[0])
      expect((await harness.movements(op.reference, 'authorise')) ?? 1).toBe(1)
    },
  },
  {
    description: 'returns unknown if the reply of a payment is lost, and a lookup finds the result',
    applies: ({ fields }) => fields,
    async run(harness, method) {
      const { adapter, context } = harness
      const op = operation('start')
      const bought = purchase({ method, instrument: await harness.instrument(method, 'approves') })
      await harness.loseNextReply('start')
      expect((await adapter.start(context(), op, bought)).kind).toBe('unknown')
      expect(await adapter.retrieve(context(), op.reference, {}, bought.amount)).toMatchObject({
        kind: 'snapshot',
      })
      expect((await adapter.start(context(), op, bought)).kind).toMatch(/approved|pending/)
      expect((await harness.movements(op.reference, 'authorise')) ?? 1).toBe(1)
    },
  },
  {
    description: 'returns pending for a payment decided later, and a lookup agrees before and after',
    applies: ({ fields }) => fields,
    async run(harness, method) {
      const { adapter, context } = harness
      if (!(await harness.delayNextDecision('start'))) return
      const op = operation('start')
      const bought = purchase({ method, instrument: await harness.instrument(method, 'approves') })
      const outcome = await adapter.start(context(), op, bought)
      if (outcome.kind !== 'pending') throw new Error(`expected pending, not ${outcome.kind}`)
      const paid = { reference: op.reference, handles: outcome.handles, amount: bought.amount, outcome }
      expect((await see(harness, paid)).stage).toMatch(/processing|in-review/)
      await harness.waitUntilSettled()
      expect((await see(harness, paid)).stage).toMatch(/authorised|captured/)
      expect((await harness.movements(op.reference, 'authorise')) ?? 1).toBe(1)
    },
  },
  {
    description: 'returns unsupported for a token if the method is paid on the page only',
    applies: ({ fields }) => !fields,
    async run(harness, method) {
      const { adapter, context } = harness
      const bought = purchase({ method, instrument: 'a-token' })
      expect(await adapter.start(context(), operation('start'), bought)).toMatchObject({
        kind: 'not-done',
        why: 'unsupported',
      })
    },
  },
]
