import type { Step } from '../../../src/providers/port.ts'
import { manifest, type StripeSettings } from '../../../src/providers/stripe/manifest.ts'
import { type Account, accountAt } from '../kit/account.ts'
import { createStripeSimulator, type StripeSimulator, type StripeSimulatorOptions } from './simulator.ts'

export type StripeAccount = Account<StripeSimulator, StripeSettings>

const PATHS: Readonly<Record<Step, RegExp>> = {
  start: /\/checkout\/sessions$/,
  resume: /^$/,
  charge: /\/payment_intents$/,
  capture: /\/capture$/,
  cancel: /\/(?:cancel|expire)$/,
  refund: /\/refunds$/,
}

export async function openAccount(options: StripeSimulatorOptions = {}): Promise<StripeAccount> {
  const notifyUrl = 'https://tender.example/notify'
  const simulator = await createStripeSimulator({ webhookUrl: notifyUrl, ...options })
  return accountAt({ simulator, manifest, notifyUrl, paths: PATHS })
}
