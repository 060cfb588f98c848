import { expect } from 'vitest'
import type { MethodKind, SetupOutcome, StoredMethod } from '../outcome.ts'
import type { MethodSetup } from '../port.ts'
import { operation, type Paid, pay, purchase, see } from './core.ts'
import type { Case, PayerBehaviour, ProviderHarness } from './harness.ts'

/** The method stored by a payment with `storeMethod`. */
async function stored(harness: ProviderHarness, method: MethodKind): Promise<StoredMethod> {
  const paid = await pay(harness, { method, storeMethod: true })
  if (harness.adapter.storeAfterPayment) return storedAfter(harness, paid, method)
  const { facts } = await see(harness, paid)
  if (!facts.stored) throw new Error('nothing was stored')
  return facts.stored
}

/** By a request after the payment, which may be repeated. */
async function storedAfter(
  { adapter, context }: ProviderHarness,
  { reference, handles }: Paid,
  method: MethodKind,
): Promise<StoredMethod> {
  const { key } = operation('start')
  const storing = { key, reference, method, customer: { id: 'contract-customer' } }
  const first = await adapter.storeAfterPayment?.(context(), storing, handles)
  const again = await adapter.storeAfterPayment?.(context(), storing, handles)
  if (first?.kind !== 'stored') throw new Error(`not kept but ${first?.kind}`)
  expect(again).toEqual(first)
  return first.stored
}

let setups = 0

async function setupOf(harness: ProviderHarness, method: MethodKind): Promise<MethodSetup> {
  const hasFields = harness.adapter.manifest.methods[method]?.fields
  const instrument = hasFields ? await harness.instrument(method, 'approves') : undefined
  const key = `K${(++setups).toString(36).toUpperCase().padStart(19, '0')}`
  return { key, method, customer: { id: 'contract-customer' }, ...(instrument ? { instrument } : {}) }
}

/** Stores a method, through the provider's page if it redirects. */
async function setUp(
  harness: ProviderHarness,
  setup: MethodSetup,
  behaves: PayerBehaviour = 'approves',
): Promise<SetupOutcome> {
  const { adapter, context, backUrl } = harness
  if (!adapter.setUp || !adapter.finishSetup)
    throw new Error('the manifest declares keepMethod, but the adapter lacks keep or kept')
  const first = await adapter.setUp(context(), setup, backUrl)
  if (first.kind !== 'redirect') return first
  await harness.onPage(setup.method, first.url, behaves)
  return adapter.finishSetup(context(), setup, first.handles)
}

export const STORING: readonly Case[] = [
  {
    description: 'stores a method and charges it without the customer, once per key',
    applies: ({ chargeStored }) => chargeStored,
    async run(harness, method) {
      const { adapter, context } = harness
      const finished = await stored(harness, method)
      const op = operation('charge')
      const outcome = await adapter.charge(context(), op, purchase({ method }), finished.token)
      expect(outcome.kind).toMatch(/approved|pending/)
      expect(await adapter.charge(context(), op, purchase({ method }), finished.token)).toEqual(outcome)
      expect((await harness.movements(op.reference, 'authorise')) ?? 1).toBe(1)
    },
  },
  {
    description: 'takes no money before the id is saved, if it is said to be unpaid without an id',
    applies: ({ chargeStored }) => chargeStored,
    async run(harness, method) {
      const { adapter, context } = harness
      const op = { ...operation('charge'), save: async () => false }
      const sight = await adapter.retrieve(context(), op.reference, {})
      if (sight.kind !== 'unreadable' || !sight.isUnpaid) return
      const finished = await stored(harness, method)
      const outcome = await adapter.charge(context(), op, purchase({ method }), finished.token)
      expect(outcome.kind).toBe('unknown')
      expect((await harness.movements(op.reference, 'authorise')) ?? 0).toBe(0)
    },
  },
  {
    description: 'does not charge a forgotten method',
    applies: ({ chargeStored }) => chargeStored,
    async run(harness, method) {
      const { adapter, context } = harness
      const finished = await stored(harness, method)
      expect(await adapter.forget(context(), finished.token)).toEqual({ kind: 'done' })
      const outcome = await adapter.charge(
        context(),
        operation('charge'),
        purchase({ method }),
        finished.token,
      )
      expect(outcome.kind).toMatch(/declined|not-done/)
    },
  },
  {
    description: 'stores a method without a charge, once per key',
    applies: ({ setUpMethod }) => setUpMethod === true,
    async run(harness, method) {
      const setup = await setupOf(harness, method)
      const first = await setUp(harness, setup)
      const again = await setUp(harness, setup)
      if (first.kind !== 'stored' || again.kind !== 'stored') throw new Error(`not kept but ${first.kind}`)
      expect(again.stored).toEqual(first.stored)
      expect(first.stored).toMatchObject({ method, label: expect.stringMatching(/\S/) })
      const { token: _token, ...shown } = first.stored
      expect(JSON.stringify(shown)).not.toContain(harness.secrets.at(-1))
    },
  },
  {
    description: 'charges a method stored without a charge; a bank account only after confirmation',
    applies: ({ setUpMethod, chargeStored }) => setUpMethod === true && chargeStored,
    async run(harness, method) {
      const { adapter, context } = harness
      const finished = await setUp(harness, await setupOf(harness, method))
      if (finished.kind !== 'stored') throw new Error(`not kept but ${finished.kind}`)
      const { token } = finished.stored
      const charge = () => adapter.charge(context(), operation('charge'), purchase({ method }), token)
      if (finished.unconfirmed) {
        expect((await charge()).kind).toMatch(/declined|not-done/)
        const wrong = await adapter.confirm?.(context(), token, [1, 2])
        expect(wrong).toMatchObject({ kind: 'wrong', triesLeft: expect.any(Number) })
        const amounts = adapter.manifest.testAmounts ?? [0, 0]
        expect(await adapter.confirm?.(context(), token, amounts)).toEqual({ kind: 'confirmed' })
      }
      expect((await charge()).kind).toMatch(/approved|pending/)
    },
  },
  {
    description: 'does not store a declined method',
    applies: ({ setUpMethod, fields }) => setUpMethod === true && !fields,
    async run(harness, method) {
      const setup = await setupOf(harness, method)
      expect((await setUp(harness, setup, 'declines')).kind).toBe('declined')
    },
  },
  {
    description: 'does not send a customer back who left the page without storing a method',
    applies: ({ setUpMethod, fields }) => setUpMethod === true && !fields,
    async run(harness, method) {
      const { adapter, context, backUrl } = harness
      const setup = await setupOf(harness, method)
      const opened = await adapter.setUp?.(context(), setup, backUrl)
      if (opened?.kind !== 'redirect') throw new Error(`not redirected but ${opened?.kind}`)
      const left = await adapter.finishSetup?.(context(), setup, opened.handles)
      expect(left).toMatchObject({ kind: 'declined', reason: 'customer-cancelled' })
    },
  },
  {
    description: 'returns unsupported if storing is requested',
    applies: ({ storeMethod }) => !storeMethod,
    async run(harness, method) {
      const { adapter, context } = harness
      const bought = purchase({ method, storeMethod: true })
      const outcome = await adapter.start(context(), operation('start'), bought)
      expect(outcome).toMatchObject({ kind: 'not-done', why: 'unsupported' })
    },
  },
]
