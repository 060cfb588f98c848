import { expect } from 'vitest'
import { money } from '../../base/money.ts'
import { expectDone, expectRefused, operation, pay, payAndCapture, purchase, see } from './core.ts'
import type { Case } from './harness.ts'

/** Capture, cancel and refund. */
export const MOVEMENTS: readonly Case[] = [
  {
    description: 'captures once, and a lookup shows it with the fee',
    applies: ({ authoriseOnly }) => authoriseOnly,
    async run(harness, method) {
      const { adapter, context } = harness
      const paid = await pay(harness, { method })
      const op = operation('capture', paid.reference)
      const outcome = await adapter.capture(context(), op, paid.handles, paid.amount)
      expectDone(harness, outcome)
      expect(await adapter.capture(context(), op, paid.handles, paid.amount)).toEqual(outcome)
      expect(await see(harness, paid)).toMatchObject({ stage: 'captured', captured: paid.amount })
      expect((await harness.movements(paid.reference, 'capture')) ?? 1).toBe(1)
    },
  },
  {
    description: 'returns unknown if the reply of a capture is lost, and a lookup finds it captured',
    applies: ({ authoriseOnly }) => authoriseOnly,
    async run(harness, method) {
      const { adapter, context } = harness
      const paid = await pay(harness, { method })
      const op = operation('capture', paid.reference)
      await harness.loseNextReply('capture')
      expect((await adapter.capture(context(), op, paid.handles, paid.amount)).kind).toBe('unknown')
      expect((await see(harness, paid)).captured).toEqual(paid.amount)
      expectDone(harness, await adapter.capture(context(), op, paid.handles, paid.amount))
      expect((await harness.movements(paid.reference, 'capture')) ?? 1).toBe(1)
    },
  },
  {
    description: 'captures partially, never more than the authorised amount',
    applies: ({ partialCapture }) => partialCapture,
    async run(harness, method) {
      const { adapter, context } = harness
      const paid = await pay(harness, { method })
      const more = money(paid.amount.minor + 1n, paid.amount.currency)
      const tooMuch = operation('capture', paid.reference)
      const refused = await adapter.capture(context(), tooMuch, paid.handles, more)
      await expectRefused(harness, paid, tooMuch, refused)
      const part = money(paid.amount.minor - 1n, paid.amount.currency)
      const op = operation('capture', paid.reference)
      expectDone(harness, await adapter.capture(context(), op, paid.handles, part))
      expect((await see(harness, paid)).captured).toEqual(part)
    },
  },
  {
    description: 'captures in one step and rejects a later capture',
    applies: ({ authoriseOnly }) => !authoriseOnly,
    async run(harness, method) {
      const { adapter, context } = harness
      const paid = await pay(harness, { method, sale: true })
      expect(await see(harness, paid)).toMatchObject({ stage: 'captured', captured: paid.amount })
      const op = operation('capture', paid.reference)
      const outcome = await adapter.capture(context(), op, paid.handles, paid.amount)
      expect(outcome.kind).toMatch(/not-done|declined/)
      expect((await see(harness, paid)).captured).toEqual(paid.amount)
    },
  },
  {
    description: 'cancels an authorisation, after which a capture is rejected',
    applies: ({ authoriseOnly }) => authoriseOnly,
    async run(harness, method) {
      const { adapter, context } = harness
      const paid = await pay(harness, { method })
      const outcome = await adapter.cancel(context(), operation('cancel', paid.reference), paid.handles)
      expectDone(harness, outcome)
      expect((await see(harness, paid)).stage).toBe('cancelled')
      const op = operation('capture', paid.reference)
      const late = await adapter.capture(context(), op, paid.handles, paid.amount)
      await expectRefused(harness, paid, op, late)
      if (late.kind === 'not-done') expect(late.why).toBe('wrong-state')
    },
  },
  {
    description: 'closes an unpaid page',
    applies: ({ fields }) => !fields,
    async run(harness, method) {
      const { adapter, context } = harness
      const op = operation('start')
      const opened = await adapter.start(context(), op, purchase({ method }))
      if (opened.kind !== 'redirect') throw new Error(`expected a redirect, not ${opened.kind}`)
      const outcome = await adapter.cancel(context(), operation('cancel', op.reference), opened.handles)
      expect(outcome.kind).toBe('approved')
    },
  },
  {
    description: 'refunds partially, once per key, never more than the captured amount',
    applies: ({ partialRefund }) => partialRefund,
    async run(harness, method) {
      const { adapter, context } = harness
      const paid = await payAndCapture(harness, method)
      const part = money(paid.amount.minor / 2n, paid.amount.currency)
      const first = operation('refund', paid.reference)
      expect((await adapter.refund(context(), first, paid.handles, part)).kind).toMatch(/approved|pending/)
      await adapter.refund(context(), first, paid.handles, part)
      const rest = operation('refund', paid.reference)
      await adapter.refund(
        context(),
        rest,
        paid.handles,
        money(paid.amount.minor - part.minor, part.currency),
      )
      const tooMuch = operation('refund', paid.reference)
      const more = await adapter.refund(context(), tooMuch, paid.handles, part)
      await expectRefused(harness, paid, tooMuch, more)
      await harness.waitUntilSettled()
      const seen = await see(harness, paid)
      expect(seen.refunded).toEqual(paid.amount)
      const given = seen.refunds.filter(({ state }) => state !== 'failed')
      expect(given.map(({ operationKey }) => operationKey).toSorted()).toEqual([first.key, rest.key])
      expect((await harness.movements(paid.reference, 'refund')) ?? 2).toBe(2)
    },
  },
  {
    description: 'returns unsupported for a refund',
    applies: ({ refund }) => !refund,
    async run(harness, method) {
      const { adapter, context } = harness
      const paid = await payAndCapture(harness, method)
      const outcome = await adapter.refund(
        context(),
        operation('refund', paid.reference),
        paid.handles,
        paid.amount,
      )
      expect(outcome).toMatchObject({ kind: 'not-done', why: 'unsupported' })
    },
  },
]
