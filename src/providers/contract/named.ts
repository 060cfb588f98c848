import { expect } from 'vitest'
import { money } from '../../base/money.ts'
import { CATALOGUE } from '../methods/catalogue.ts'
import type { MethodId } from '../methods/method.ts'
import { operation, pay, see } from './core.ts'
import type { ProviderHarness } from './harness.ts'

/** The page of the method is opened, the paid method is told by its name, and the money is given back. */
export async function paysByName(harness: ProviderHarness, method: MethodId): Promise<void> {
  const { adapter, context } = harness
  const { currencies, resultMs } = CATALOGUE[method]
  const currency = currencies[0] ?? 'EUR'
  const { currencies: offered } = adapter.manifest
  if (offered !== 'any' && !offered.includes(currency)) return
  const paid = await pay(harness, { method, sale: true, amount: money(2_000n, currency) })
  await harness.waitUntilSettled(resultMs)
  const seen = await see(harness, paid)
  const isReserved = seen.stage === 'authorised'
  expect(seen.facts.method).toBe(method)
  expect([seen.stage, (isReserved ? seen.authorised : seen.captured)?.minor]).toEqual([
    isReserved ? 'authorised' : 'captured',
    2_000n,
  ])
  const handles = { ...paid.handles, ...seen.handles }
  const op = operation('refund', paid.reference)
  if (isReserved) await adapter.capture(context(), operation('capture', paid.reference), handles, paid.amount)
  const outcome = await adapter.refund(context(), op, handles, money(500n, currency))
  expect(['approved', 'pending']).toContain(outcome.kind)
}
