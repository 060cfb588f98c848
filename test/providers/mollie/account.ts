import { type MollieSettings, manifest } from '../../../src/providers/mollie/manifest.ts'
import type { InboundCall, Step } from '../../../src/providers/port.ts'
import { type Account, accountAt, inbound } from '../kit/account.ts'
import { createMollieSimulator, type MollieSimulator } from './simulator.ts'

export interface MollieAccount extends Account<MollieSimulator, MollieSettings> {
  /** Every notification until now. */
  notifications(): readonly InboundCall[]
}

const PATHS: Readonly<Record<Step, RegExp>> = {
  start: /\/payments$/,
  resume: /^$/,
  charge: /\/payments$/,
  capture: /\/captures$/,
  cancel: /\/release-authorization$|\/payments\/\w+$/,
  refund: /\/refunds$/,
}

export async function openAccount(): Promise<MollieAccount> {
  const notifyUrl = 'https://tender.example/notify'
  const simulator = await createMollieSimulator()
  const account = accountAt({ simulator, manifest, notifyUrl, paths: PATHS })
  return { ...account, notifications: inbound(account) }
}
