import { adyen } from '../../../src/providers/adyen/adapter.ts'
import { type AdyenSettings, manifest } from '../../../src/providers/adyen/manifest.ts'
import type { Movement } from '../../../src/providers/movements.ts'
import type { InboundCall, Step } from '../../../src/providers/port.ts'
import { type Account, accountAt, inbound } from '../kit/account.ts'
import { type AdyenOptions, type AdyenSimulator, createAdyenSimulator } from './simulator.ts'

export interface AdyenAccount extends Account<AdyenSimulator, AdyenSettings> {
  /** Every notification until now. */
  notifications(): readonly InboundCall[]
  /** What they tell about a reference. */
  reported(reference: string): Promise<readonly Movement[]>
}

const PATHS: Readonly<Record<Step, RegExp>> = {
  start: /\/paymentLinks$/,
  resume: /^$/,
  charge: /\/payments$/,
  capture: /\/captures$/,
  cancel: /\/cancels$|\/paymentLinks\/\w+$/,
  refund: /\/refunds$/,
}

export async function openAccount(options: AdyenOptions = {}): Promise<AdyenAccount> {
  const notifyUrl = 'https://tender.example/notify'
  const simulator = await createAdyenSimulator({ webhookUrl: notifyUrl, names: 'modification', ...options })
  const account = accountAt({ simulator, manifest, notifyUrl, paths: PATHS })
  const notifications = inbound(account)
  return {
    ...account,
    notifications,
    async reported(reference) {
      const calls = notifications().map((call) => adyen.receive(account.context(), call))
      const hints = (await Promise.all(calls)).flatMap((one) => (one.kind === 'events' ? one.hints : []))
      return hints.flatMap((hint) => (hint.reference === reference && hint.movement ? [hint.movement] : []))
    },
  }
}
