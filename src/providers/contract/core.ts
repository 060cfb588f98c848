import { expect } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { type Money, money } from '../../base/money.ts'
import type { AnyMethod } from '../methods/method.ts'
import type { Handles, MethodKind, Outcome, Redirect, Snapshot } from '../outcome.ts'
import type { Operation, Purchase, Step } from '../port.ts'
import type { PayerBehaviour, ProviderHarness } from './harness.ts'

let keys = 0
export const operation = (step: Step, reference?: string): Operation => {
  const key = `C${(++keys).toString(36).toUpperCase().padStart(19, '0')}`
  const save = async () => true
  return { key, step, reference: reference ?? key, sending: 1, createdAt: systemClock.now(), save }
}

const ADDRESS = {
  ...{ name: 'Ada Lovelace', line1: 'Hauptstraße 12a', line2: 'Stiege 2', city: 'Wien', state: 'Wien' },
  ...{ postalCode: '1010', country: 'AT' },
}

/** Electronic checks are paid in US dollars, at some providers in nothing else. */
export const purchase = (overrides: Partial<Purchase>): Purchase => ({
  amount: money(1_050n, overrides.method === 'ElectronicCheck' ? 'USD' : 'EUR'),
  sale: true,
  storeMethod: false,
  method: 'CreditCard',
  customerPresent: true,
  backUrl: 'https://tender.example/back',
  customer: { id: 'contract-customer', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  ...{ locale: 'de', country: 'AT', billing: ADDRESS, shipping: ADDRESS },
  ...{ brand: 'Müller & Söhne', statement: 'Café order 1815' },
  ...overrides,
})

/** The amount as the provider takes it, or undefined if it does not take the currency by this method. */
export function takenAmount(
  { adapter }: ProviderHarness,
  method: MethodKind,
  amount: Money,
): Money | undefined {
  const { currencies, amountLimits } = adapter.manifest
  const { currency, minor } = amount
  const { largest = minor, multipleOf = 1n } = amountLimits?.(currency, method) ?? {}
  if ((currencies !== 'any' && !currencies.includes(currency)) || minor > largest) return undefined
  return money(minor - (minor % multipleOf), currency)
}

export function someMethod({ adapter }: ProviderHarness): MethodKind {
  const [method] = Object.keys(adapter.manifest.methods)
  return method as MethodKind
}

export interface Paid {
  readonly reference: string
  readonly handles: Handles
  readonly amount: Money
  readonly outcome: Outcome
}

/**
 * Completes a payment by fields or on the page, and resumes it if the method requires that. Without `sale`
 * the money is only reserved, where the method can do that.
 */
export async function pay(
  harness: ProviderHarness,
  wanted: Partial<Purchase> & { method: AnyMethod },
  behaves: PayerBehaviour = 'approves',
): Promise<Paid> {
  const { adapter, context, backUrl } = harness
  const abilities = adapter.manifest.methods[wanted.method]
  const instrument = abilities?.fields ? await harness.instrument(wanted.method, behaves) : undefined
  const bought = purchase({
    sale: !abilities?.authoriseOnly,
    backUrl,
    ...wanted,
    ...(instrument ? { instrument } : {}),
  })
  const op = operation('start')
  let outcome = await adapter.start(context(), op, bought)
  let handles: Handles = {}
  if (outcome.kind === 'redirect') {
    handles = outcome.handles
    await harness.onPage(wanted.method, pageAddress(outcome), behaves)
    const about = { currency: bought.amount.currency, reported: await reported(harness, op) }
    const seen = await adapter.retrieve(context(), op.reference, handles, about)
    if (seen.kind === 'snapshot') handles = { ...handles, ...seen.handles }
    if (seen.kind === 'snapshot' && seen.stage === 'approved')
      outcome = await adapter.resume(context(), operation('resume', op.reference), bought, handles)
  }
  if (outcome.kind === 'pending') await harness.waitUntilSettled()
  if (outcome.kind !== 'redirect' && 'handles' in outcome) handles = { ...handles, ...outcome.handles }
  return { reference: op.reference, handles, amount: bought.amount, outcome }
}

/** A page that is opened by a form post has the fields of the form in its query. */
const pageAddress = ({ url, fields }: Redirect): string =>
  fields ? `${url}?${new URLSearchParams(fields)}` : url

export async function payAndCapture(harness: ProviderHarness, method: MethodKind): Promise<Paid> {
  const paid = await pay(harness, { method })
  if (!harness.adapter.manifest.methods[method]?.authoriseOnly) return paid
  const op = operation('capture', paid.reference)
  await harness.adapter.capture(harness.context(), op, paid.handles, paid.amount)
  return paid
}

export async function see(harness: ProviderHarness, paid: Paid): Promise<Snapshot> {
  const { reference, handles, amount } = paid
  const about = { currency: amount.currency, reported: await reported(harness, paid) }
  const sight = await harness.adapter.retrieve(harness.context(), reference, handles, about)
  if (sight.kind !== 'snapshot') throw new Error(`expected a snapshot, not ${JSON.stringify(sight)}`)
  return sight
}

const reported = async ({ reportedBy: tell }: ProviderHarness, { reference }: Pick<Paid, 'reference'>) =>
  tell ? tell(reference) : []

/** The provider carried a step out, or accepted it if only its notifications tell results. */
export function expectDone({ adapter }: ProviderHarness, { kind }: Outcome): void {
  expect(kind).toBe(adapter.manifest.retrieve === 'notification-only' ? 'pending' : 'approved')
}

/** The provider refuses a step, at once or by a notification. */
export async function expectRefused(harness: ProviderHarness, paid: Paid, op: Operation, outcome: Outcome) {
  if (harness.adapter.manifest.retrieve !== 'notification-only') {
    expect(outcome.kind).toMatch(/not-done|declined/)
    return
  }
  await harness.waitUntilSettled()
  const { refused = [], refunds } = await see(harness, paid)
  const failed = refunds.filter(({ state }) => state === 'failed')
  expect([...refused, ...failed]).toContainEqual(expect.objectContaining({ operationKey: op.key }))
}
