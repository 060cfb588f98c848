import type { InboundCall, Step } from '../../../src/providers/port.ts'
import { type Account, accountAt, inbound } from '../kit/account.ts'
import { type AcornPaySettings, manifest } from './adapter/manifest.ts'
import { type AcornPaySimulator, createAcornPaySimulator } from './simulator.ts'

interface AcornPayAccount extends Account<AcornPaySimulator, AcornPaySettings> {
  /** Every notification until now. */
  notifications(): readonly InboundCall[]
}

/** The paths of the requests that move money, by step. Of a step that is not supported: none. */
const PATHS: Readonly<Record<Step, RegExp>> = {
  start: /^\/v1\/payments$/,
  resume: /^$/,
  charge: /^$/,
  capture: /\/capture$/,
  cancel: /\/cancel$/,
  refund: /\/refunds$/,
}

export async function openAccount(): Promise<AcornPayAccount> {
  const notifyUrl = 'https://tender.example/notify'
  const simulator = await createAcornPaySimulator()
  const account = accountAt({ simulator, manifest, notifyUrl, paths: PATHS })
  return { ...account, notifications: inbound(account) }
}
