import { LINE_LIES, SETTLEMENT_FAULTS } from '../../../src/sandbox/bank/rules/report.ts'
import type { Merchant } from '../merchant.ts'
import type { Reply } from '../node.ts'
import type { World } from '../world.ts'

type Replies = readonly (Reply | undefined)[]

/** The bank pays out. The first time makes the merchant's profile a source of settlements. */
export async function payOut({ provider }: World, merchant: Merchant): Promise<Replies> {
  return provider ? [] : [await merchant.call('POST', 'test-helpers/payouts')]
}

/** The next report of the bank is wrong, about one payment or any; now and then all faults are cleared. */
export async function plantFault({ dice, provider, counter }: World, merchant: Merchant): Promise<Replies> {
  if (provider) return []
  const path = 'test-helpers/settlement-faults'
  if (dice.chance(0.1)) return [await merchant.call('DELETE', path)]
  const kind = dice.pick(SETTLEMENT_FAULTS)
  const captured = [...merchant.known.values()].filter((payment) => payment.captured > 0)
  const isOfPayment = LINE_LIES.some((lie) => lie === kind) && captured.length > 0 && dice.chance(0.3)
  const ofPayment = isOfPayment ? { paymentId: dice.pick(captured).paymentId } : {}
  const reply = await merchant.call('POST', path, { kind, ...ofPayment })
  if (reply && reply.status < 300) counter.count(`planted ${kind}`)
  return [reply]
}

/** Before the world comes to rest every merchant of the sandbox has a source. */
export async function readAll(world: World, merchants: readonly Merchant[]): Promise<void> {
  for (const merchant of merchants) await payOut(world, merchant)
}

/** A read of the balances books what the ledger's turn has not. */
export async function readBalances(world: World, merchants: readonly Merchant[]): Promise<void> {
  if (!world.provider) for (const merchant of merchants) await merchant.call('GET', 'ledger/balances')
}
