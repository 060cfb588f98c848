import type { DashboardAct, DisputeAct } from '../providers/kit/simulator.ts'
import type { Provider } from './provider.ts'
import type { World } from './world.ts'

/** What merchants, payers' banks and time do at a provider without a request of ours. */
const ACTS: readonly ((amountMinor: bigint) => DashboardAct)[] = [
  () => ({ kind: 'refund' }),
  (amountMinor) => ({ kind: 'refund', amountMinor }),
  () => ({ kind: 'capture' }),
  (amountMinor) => ({ kind: 'capture', amountMinor }),
  () => ({ kind: 'void' }),
  () => ({ kind: 'dispute', state: 'open' }),
  () => ({ kind: 'dispute', state: 'won' }),
  () => ({ kind: 'dispute', state: 'lost' }),
  (amountMinor) => ({ kind: 'dispute', state: 'open', amountMinor }),
  (amountMinor) => ({ kind: 'dispute', state: 'lost', amountMinor }),
  (amountMinor) => ({ kind: 'dispute', state: 'open', amountMinor, which: 2 }),
  (amountMinor) => ({ kind: 'dispute', state: 'lost', amountMinor, which: 2 }),
  () => ({ kind: 'dispute', state: 'open', isInquiry: true }),
  () => ({ kind: 'fail-capture' }),
  () => ({ kind: 'recapture' }),
  () => ({ kind: 'repeat-refund' }),
  () => ({ kind: 'deny-capture' }),
  () => ({ kind: 'expire-authorisation' }),
  () => ({ kind: 'fail-refund' }),
  () => ({ kind: 'return-debit' }),
  () => ({ kind: 'settle' }),
]

/** True if something was done. */
export function actAtTheProvider(world: World): boolean {
  const { dice, provider } = world
  const paid = provider?.simulator.allEntries().filter(({ kind }) => kind === 'authorise' || kind === 'sale')
  if (!provider || !paid || paid.length === 0) return false
  const { reference, amountMinor } = dice.pick(paid.slice(-8))
  return actOn(provider, reference, dice.pick(ACTS)(amountMinor / 3n + 1n))
}

/** At the end of a world, coins are confirmed and refunds are claimed. */
export function confirmAll(provider: Provider): void {
  if (!provider.isConfirmedByOthers) return
  const references = new Set(provider.simulator.allEntries().map(({ reference }) => reference))
  for (const reference of references) actOn(provider, reference, { kind: 'settle' })
}

function actOn(provider: Provider, reference: string, act: DashboardAct): boolean {
  const name = act.kind === 'dispute' ? `${reference} ${act.which ?? 1}` : ''
  const known = provider.disputes.get(name)
  // A lost dispute is final, and a dispute keeps its amount.
  if (known?.state === 'lost') return false
  if (act.kind === 'dispute' && known) return dispute(provider, reference, { ...known, state: act.state })
  if (act.kind === 'dispute') return dispute(provider, reference, act)
  return perform(provider, reference, act)
}

/** Only money that was taken is disputed. */
function dispute(provider: Provider, reference: string, act: DisputeAct): boolean {
  const taken = provider.simulator.allEntries().filter(({ kind }) => kind === 'sale' || kind === 'capture')
  if (!taken.some((entry) => entry.reference === reference && entry.state === 'done')) return false
  const isDone = perform(provider, reference, act)
  if (isDone) provider.disputes.set(`${reference} ${act.which ?? 1}`, { ...act, reference })
  return isDone
}

function perform(provider: Provider, reference: string, act: DashboardAct): boolean {
  const before = provider.simulator.takeNotifications()
  const isDone = tried(provider, reference, act)
  const told = provider.simulator.takeNotifications()
  const waiting = [...before, ...told].map((one) => ({ ...one, tries: 0 }))
  provider.waiting.push(...waiting)
  // In no other way would anyone hear of it.
  for (const { body } of told) provider.mustArrive.add(body)
  return isDone
}

/** A simulator refuses what the provider's own page would not offer. */
function tried({ simulator }: Provider, reference: string, act: DashboardAct): boolean {
  try {
    return simulator.dashboard(reference, act)
  } catch {
    return false
  }
}
