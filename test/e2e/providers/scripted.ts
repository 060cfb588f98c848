import { money } from '../../../src/base/money.ts'
import type { Handles, Outcome, ReadOutcome, Snapshot } from '../../../src/providers/outcome.ts'
import type { Operation, ProviderAdapter, Purchase } from '../../../src/providers/port.ts'
import { createFakeProvider } from '../../support/provider.ts'
import {
  type Answer,
  good,
  hostedPage,
  newReference,
  startTestService,
  type TestService,
} from '../../support/tender.ts'

/** A provider whose answers the test decides: what happens long after a payment began. */
export interface Script {
  start(op: Operation): Outcome
  charge(op: Operation): Outcome
  cancel(op: Operation, handles: Handles): Outcome
  refund(op: Operation): Outcome
  retrieve(reference: string, handles: Handles): ReadOutcome
}

interface ProviderCall {
  readonly step: string
  readonly key: string
  readonly handles?: Handles
}

export interface Scripted {
  readonly tender: TestService
  readonly profileId: number
  readonly script: Script
  /** The calls that may move money, oldest first. */
  readonly calls: ProviderCall[]
  /** What the provider got to know of each payment that was started. */
  readonly purchases: Purchase[]
  /** The answers of a provider at which all goes well, and no calls yet. */
  reset(): void
  /** A payment on the provider's page. */
  create(more?: object): Promise<Answer>
  recheck(paymentId: number): Promise<Answer>
  read(paymentId: number): Promise<Answer>
  /** A time so many seconds from now. */
  soon(seconds?: number): Promise<string>
}

export async function startScripted(name: string): Promise<Scripted> {
  const tender = await startTestService(name)
  const script = { ...USUAL }
  const calls: ProviderCall[] = []
  const purchases: Purchase[] = []
  const adapter = scriptedAdapter(script, { calls, purchases })
  ;(tender.service.ctx.providers as Map<string, ProviderAdapter>).set('scripted', adapter)
  const { paymentProfileId: profileId } = good(
    await tender.sandbox.call('POST', 'payment-profiles', {
      ...{ provider: 'scripted', name: 'Scripted', currency: 'EUR', settings: { account: 'a' } },
      methods: ['CreditCard', 'ElectronicCheck'],
    }),
  )
  const create = async (more: object = {}): Promise<Answer> =>
    good(
      await tender.sandbox.call('POST', 'payments/provider-hosted-page', {
        ...hostedPage({ referenceId: newReference() }),
        paymentProfileId: profileId,
        ...more,
      }),
    )
  return {
    ...{ tender, profileId, script, calls, purchases, create },
    reset() {
      calls.length = 0
      purchases.length = 0
      Object.assign(script, USUAL)
    },
    recheck: async (paymentId) => good(await tender.sandbox.act(paymentId, 'recheck')),
    read: (paymentId) => tender.sandbox.read(paymentId),
    async soon(seconds = 3600) {
      const { createdTime } = await create()
      return new Date(new Date(createdTime).getTime() + seconds * 1000).toISOString()
    },
  }
}

function scriptedAdapter(
  script: Script,
  { calls, purchases }: Pick<Scripted, 'calls' | 'purchases'>,
): ProviderAdapter {
  const { adapter } = createFakeProvider({ id: 'scripted' })
  const noted = <T>(op: Operation, outcome: T, handles?: Handles): T => {
    calls.push({ step: op.step, key: op.key, ...(handles ? { handles } : {}) })
    return outcome
  }
  const page = adapter.manifest.methods.Paypal
  return {
    ...adapter,
    manifest: {
      ...adapter.manifest,
      methods: {
        CreditCard: { ...adapter.manifest.methods.CreditCard, fields: false } as never,
        ElectronicCheck: { ...page, refund: true } as never,
      },
    },
    async start(_ctx, op, purchase) {
      purchases.push(purchase)
      return noted(op, script.start(op))
    },
    charge: async (_ctx, op) => noted(op, script.charge(op)),
    cancel: async (_ctx, op, handles) => noted(op, script.cancel(op, handles), handles),
    refund: async (_ctx, op, handles) => noted(op, script.refund(op), handles),
    retrieve: async (_ctx, reference, handles) => script.retrieve(reference, handles),
  }
}

export const PAGE = 'https://pay.example/1'
export const none = money(0n, 'EUR')

const redirect = (op: Operation): Outcome => ({
  ...{ kind: 'redirect', handles: { payment: `p-${op.key}` }, url: PAGE },
})

export const snapshot = (reference: string, more: Partial<Snapshot> = {}): Snapshot => ({
  kind: 'snapshot',
  handles: { payment: `p-${reference}` },
  stage: 'captured',
  captured: money(2550n, 'EUR'),
  ...{ refunded: none, refunds: [], facts: {}, reference },
  ...more,
})

export const open = (reference: string, more: Partial<Snapshot> = {}): Snapshot =>
  snapshot(reference, { stage: 'needs-customer', captured: none, customerUrl: PAGE, ...more })

export const cancelled = (reference: string): Snapshot =>
  snapshot(reference, { stage: 'cancelled', captured: none })

const USUAL: Script = {
  start: redirect,
  charge: redirect,
  cancel: (_op, handles) => ({ kind: 'approved', handles, facts: {} }),
  refund: (op) => ({ kind: 'approved', handles: { refund: op.key }, facts: {} }),
  retrieve: (reference) => snapshot(reference),
}
