import { operation, purchase } from '../../../src/providers/contract/core.ts'
import type { Handles, ReadOutcome, StoredMethod } from '../../../src/providers/outcome.ts'
import type { Operation, Purchase, Step } from '../../../src/providers/port.ts'
import { square } from '../../../src/providers/square/adapter.ts'
import { manifest, type SquareSettings } from '../../../src/providers/square/manifest.ts'
import { type Account, accountAt } from '../kit/account.ts'
import { createSquareSimulator, type SquareOptions, type SquareSimulator } from './simulator.ts'

export interface SquareAccount extends Account<SquareSimulator, SquareSettings> {
  /** Opens a page. */
  open(overrides?: Partial<Purchase>): Promise<Opened>
  /** A payment on a page. */
  paid(): Promise<Opened>
  /** A card that was stored with a payment. */
  stored(): Promise<StoredMethod>
  see(reference: string, handles: Handles): Promise<ReadOutcome>
}

interface Opened {
  readonly op: Operation
  readonly handles: Handles
  readonly url: string
}

const PATHS: Readonly<Record<Step, RegExp>> = {
  start: /\/payment-links$/,
  resume: /^$/,
  charge: /\/payments$/,
  capture: /\/complete$/,
  cancel: /\/cancel$|\/payment-links\/\w+$/,
  refund: /\/refunds$/,
}

export async function openAccount(options: SquareOptions = {}): Promise<SquareAccount> {
  // The query belongs to the signed address.
  const notifyUrl = 'https://tender.example/api/provider-webhook?profileId=1&webhookKey=k'
  const simulator = await createSquareSimulator({ webhookUrl: notifyUrl, ...options })
  const base = accountAt({ simulator, manifest, notifyUrl, paths: PATHS })
  const { context } = base
  const account: SquareAccount = {
    ...base,
    async open(overrides) {
      const op = operation('start')
      const outcome = await square.start(context(), op, purchase({ ...overrides }))
      if (outcome.kind !== 'redirect') throw new Error(`expected a redirect, not ${JSON.stringify(outcome)}`)
      return { op, handles: outcome.handles, url: outcome.url }
    },
    async paid() {
      const opened = await account.open()
      await simulator.payer(opened.url, { kind: 'pay' })
      const seen = await account.see(opened.op.reference, opened.handles)
      if (seen.kind !== 'snapshot') throw new Error(`expected a snapshot, not ${JSON.stringify(seen)}`)
      return { ...opened, handles: { ...opened.handles, ...seen.handles } }
    },
    async stored() {
      const { op, handles } = await account.paid()
      const storing = { key: operation('start').key, reference: op.reference, customer: { id: 'dana' } }
      const kept = await square.storeAfterPayment?.(context(), { ...storing, method: 'CreditCard' }, handles)
      if (kept?.kind !== 'stored') throw new Error(`expected a card, not ${JSON.stringify(kept)}`)
      return kept.stored
    },
    see: (reference, handles) => square.retrieve(context(), reference, handles),
  }
  return account
}
