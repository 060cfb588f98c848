import { expect } from 'vitest'
import type { MethodKind, StoredMethod } from '../outcome.ts'
import { operation, pay, purchase, see } from './core.ts'
import type { Case, ProviderHarness } from './harness.ts'

/** What the provider kept of a payment that asked to store its method. */
async function stored(harness: ProviderHarness, method: MethodKind): Promise<StoredMethod> {
  const paid = await pay(harness, { method, storeMethod: true })
  const { facts } = await see(harness, paid)
  if (!facts.stored) throw new Error('nothing was stored')
  return facts.stored
}

/** Stored methods. */
export const STORING: readonly Case[] = [
  {
    says: 'stores a method and charges it without the customer, once for each key',
    applies: ({ chargeStored }) => chargeStored,
    async run(harness, method) {
      const { adapter, context } = harness
      const kept = await stored(harness, method)
      const op = operation('charge')
      const outcome = await adapter.charge(context(), op, purchase({ method }), kept.token)
      expect(outcome.kind).toMatch(/approved|pending/)
      expect(await adapter.charge(context(), op, purchase({ method }), kept.token)).toEqual(outcome)
      expect((await harness.movements(op.reference, 'authorise')) ?? 1).toBe(1)
    },
  },
  {
    says: 'charges a forgotten method no more',
    applies: ({ chargeStored }) => chargeStored,
    async run(harness, method) {
      const { adapter, context } = harness
      const kept = await stored(harness, method)
      expect(await adapter.forget(context(), kept.token)).toEqual({ kind: 'done' })
      const outcome = await adapter.charge(context(), operation('charge'), purchase({ method }), kept.token)
      expect(outcome.kind).toMatch(/declined|not-done/)
    },
  },
  {
    says: 'answers unsupported when asked to store',
    applies: ({ storeMethod }) => !storeMethod,
    async run(harness, method) {
      const { adapter, context, backUrl } = harness
      const bought = purchase({ method, storeMethod: true })
      const outcome = await adapter.start(context(), operation('start'), bought, backUrl)
      expect(outcome).toMatchObject({ kind: 'not-done', why: 'unsupported' })
    },
  },
]
