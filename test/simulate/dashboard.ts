import { MINUTE } from '../../src/base/clock.ts'
import type { DashboardAct, DisputeAct, LedgerEntry } from '../providers/kit/simulator.ts'
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
export const ACT_NAMES = [...new Set(ACTS.map((act) => act(1n).kind)), 'store wallet', 'pay again']

const isPaid = ({ kind }: LedgerEntry): boolean => kind === 'authorise' || kind === 'sale'

/** What only some providers know, and only some payments: it is tried more often. */
const RARE: readonly DashboardAct[] = [
  ...[
    { kind: 'fail-capture' } as const,
    { kind: 'deny-capture' } as const,
    { kind: 'return-debit' } as const,
  ],
  ...[{ kind: 'fail-refund' } as const, { kind: 'repeat-refund' } as const],
]
const TRIES = 6

/** True if something was done. */
export function actAtTheProvider(world: World): boolean {
  const { dice, provider } = world
  if (!provider) return false
  if (provider.storesLate && dice.chance(0.3)) return storeWallets(world, 0.5) > 0
  const { failedCaptures } = provider.happened
  if (failedCaptures.size > 0 && dice.chance(0.4))
    return noted(world, dice.pick([...failedCaptures]), { kind: 'recapture' })
  const paid = provider.simulator.allEntries().filter(isPaid)
  if (paid.length === 0) return false
  for (let tries = dice.below(2) * TRIES; tries > 0; tries--) {
    const act = dice.pick(RARE)
    if (noted(world, dice.pick(fitting(paid, act)).reference, act)) return true
  }
  const { reference, amountMinor } = dice.pick(paid.slice(-8))
  return noted(world, reference, dice.pick(ACTS)(amountMinor / 3n + 1n))
}

/** Recent payments. A debit is returned long after it was made, and a pending capture is denied. */
function fitting(paid: readonly LedgerEntry[], { kind }: DashboardAct): readonly LedgerEntry[] {
  if (kind === 'return-debit') return paid
  const pending = kind === 'deny-capture' ? paid.filter(({ state }) => state === 'pending') : []
  return pending.length > 0 ? pending : paid.slice(-8)
}

function noted(world: World, reference: string, act: DashboardAct): boolean {
  if (world.provider && isTooSoon(world, world.provider, reference, act)) return false
  const isDone = world.provider !== undefined && actOn(world.provider, reference, act)
  if (!isDone) return false
  if (act.kind === 'fail-capture' || act.kind === 'recapture')
    world.provider?.happened.captureTimes.set(reference, world.clock.now().getTime())
  world.counter.count(`act ${act.kind}`)
  return true
}

/** Notifications tell the time in seconds: a capture fails or is repeated minutes later at the earliest. */
function isTooSoon({ clock }: World, { happened }: Provider, reference: string, act: DashboardAct): boolean {
  if (act.kind !== 'fail-capture' && act.kind !== 'recapture') return false
  const now = clock.now().getTime()
  return now - (happened.captureTimes.get(reference) ?? 0) < MINUTE
}

/** At the end of a world, coins are confirmed and refunds are claimed. */
export function confirmAll(provider: Provider): void {
  if (!provider.isConfirmedByOthers) return
  const references = new Set(provider.simulator.allEntries().map(({ reference }) => reference))
  for (const reference of references) actOn(provider, reference, { kind: 'settle' })
}

/** Banks return debits weeks after they were captured, and providers capture again what failed. */
export function actMuchLater(world: World): void {
  const { provider, dice } = world
  if (!provider) return
  const { simulator, happened } = provider
  const sales = simulator.allEntries().filter(({ kind, state }) => kind === 'sale' && state === 'done')
  for (const { reference } of sales) if (dice.chance(0.08)) returnUntold(world, provider, reference)
  for (const reference of [...happened.failedCaptures])
    if (dice.chance(0.3)) noted(world, reference, { kind: 'recapture' })
  storeWallets(world, 1)
}

/** Only the schedule finds it: its notification does not arrive. */
function returnUntold(world: World, provider: Provider, reference: string): void {
  telling(provider, false, () => undefined)
  const reported = provider.waiting.length
  if (noted(world, reference, { kind: 'return-debit' })) provider.waiting.splice(reported)
}

/** Each wallet that waits is stored with this chance. Returns how many were. */
function storeWallets(world: World, chance: number): number {
  const { provider, dice } = world
  if (!provider?.storesLate || !('storeWallet' in provider.simulator)) return 0
  const simulator = provider.simulator as typeof provider.simulator & Wallets
  const waiting = simulator.unstoredWallets().filter(() => dice.chance(chance))
  for (const reference of waiting) {
    telling(provider, true, () => simulator.storeWallet(reference))
    provider.happened.lateWallets.add(reference)
    world.counter.count('act store wallet')
  }
  return waiting.length
}

interface Wallets {
  storeWallet(reference: string): void
  unstoredWallets(): readonly string[]
}

/** The payer goes back to a page that was paid, which the browser still shows, and pays again. */
export async function payAgain(world: World): Promise<boolean> {
  const { provider, dice, turnstile } = world
  const pages = provider?.paysTwice ? provider.happened.paidPages.slice(-3) : []
  if (!provider || pages.length === 0) return false
  const { simulator, happened } = provider
  const page = dice.pick(pages)
  const made = await turnstile.pass('customer', async () => {
    const known = simulator.allEntries().length
    const before = simulator.takeNotifications()
    await simulator.payer(page, { kind: 'pay-again' }).catch(() => undefined)
    enqueue(provider, before, true)
    return simulator.allEntries().slice(known).find(isPaid)
  })
  if (!made) return false
  happened.paidTwice.add(made.reference)
  world.counter.count('act pay again')
  return true
}

function actOn(provider: Provider, reference: string, act: DashboardAct): boolean {
  if (!isPlausible(provider, reference, act)) return false
  const name = act.kind === 'dispute' ? `${reference} ${act.which ?? 1}` : ''
  const known = provider.disputes.get(name)
  // A provider has no second dispute before the first: simulators number them in their order.
  if (act.kind === 'dispute' && act.which === 2 && !provider.disputes.has(`${reference} 1`)) return false
  // A lost dispute is final, and a dispute keeps its amount.
  if (known?.state === 'lost') return false
  if (act.kind === 'dispute' && known) return dispute(provider, reference, { ...known, state: act.state })
  if (act.kind === 'dispute') return dispute(provider, reference, act)
  const isDone = perform(provider, reference, act)
  if (isDone) note(provider, reference, act)
  return isDone
}

function isPlausible(provider: Provider, reference: string, act: DashboardAct): boolean {
  const { happened, disputes } = provider
  const entries = provider.simulator.allEntries().filter((one) => one.reference === reference)
  const has = (wanted: LedgerEntry['kind']) =>
    entries.some((one) => one.kind === wanted && one.state === 'done')
  // It would be about either of several payments.
  if (happened.paidTwice.has(reference) || happened.paidInPart.has(reference)) return act.kind === 'settle'
  // At Stripe a returned debit is a dispute, and the only one of its payment.
  const isOneOfBoth = provider.id === 'stripe'
  switch (act.kind) {
    case 'refund': {
      // No provider gives back more than it has, nor what it has not taken yet, nor what is disputed.
      const left = undisputed(provider, reference)
      return left > 0n && (act.amountMinor ?? left) <= left
    }
    case 'void':
      return !has('capture') && !has('sale')
    case 'fail-capture':
      // What is disputed was settled, and what was given back whole needs no capture.
      return !disputes.has(`${reference} 1`) && undisputed(provider, reference) > 0n
    case 'dispute':
      return !(isOneOfBoth && happened.returned.has(reference))
    case 'return-debit':
      return !(isOneOfBoth && disputes.has(`${reference} 1`))
    default:
      return true
  }
}

function note({ happened }: Provider, reference: string, { kind }: DashboardAct): void {
  const { returned, failedCaptures, recaptures, denied } = happened
  if (kind === 'return-debit') returned.add(reference)
  if (kind === 'deny-capture') denied.add(reference)
  if (kind === 'fail-capture') {
    failedCaptures.add(reference)
    recaptures.delete(reference)
  }
  if (kind === 'recapture') {
    failedCaptures.delete(reference)
    recaptures.add(reference)
  }
}

/** Only money that was taken is disputed, and neither what was given back nor what is disputed already. */
function dispute(provider: Provider, reference: string, wanted: DisputeAct): boolean {
  const act = { ...wanted, amountMinor: wanted.amountMinor ?? undisputed(provider, reference) }
  const isKnown = provider.disputes.has(`${reference} ${act.which ?? 1}`)
  if (!isKnown && (act.amountMinor <= 0n || act.amountMinor > undisputed(provider, reference))) return false
  const isDone = perform(provider, reference, act)
  if (isDone) provider.disputes.set(`${reference} ${act.which ?? 1}`, { ...act, reference })
  return isDone
}

function undisputed({ simulator, disputes }: Provider, reference: string): bigint {
  const entries = simulator.allEntries().filter((one) => one.reference === reference)
  const sum = (...kinds: readonly LedgerEntry['kind'][]) =>
    entries
      .filter(({ kind, state }) => kinds.includes(kind) && state !== 'failed')
      .filter(({ kind, state }) => kind === 'refund' || state === 'done')
      .reduce((total, { amountMinor }) => total + amountMinor, 0n)
  const others = [...disputes.values()].filter((one) => one.reference === reference)
  const disputed = others.reduce((total, { amountMinor = 0n }) => total + amountMinor, 0n)
  return sum('sale', 'capture') - sum('refund') - disputed
}

/** The schedule finds returned debits and denied captures also when their notification is lost. */
const FOUND_BY_READING: readonly DashboardAct['kind'][] = ['return-debit', 'deny-capture']

function perform(provider: Provider, reference: string, act: DashboardAct): boolean {
  const mustArrive = !FOUND_BY_READING.includes(act.kind)
  return telling(provider, mustArrive, () => tried(provider, reference, act))
}

/** Sends what the provider tells of this. */
function telling<T>(provider: Provider, mustArrive: boolean, act: () => T): T {
  const before = provider.simulator.takeNotifications()
  const result = act()
  enqueue(provider, before, mustArrive)
  return result
}

function enqueue(
  { simulator, waiting, mustArrive }: Provider,
  before: ReturnType<Provider['simulator']['takeNotifications']>,
  isNeeded: boolean,
): void {
  const reported = simulator.takeNotifications()
  waiting.push(...[...before, ...reported].map((one) => ({ ...one, tries: 0 })))
  // In no other way would anyone hear of it.
  if (isNeeded) for (const { body } of reported) mustArrive.add(body)
}

/** A simulator refuses what the provider's own page would not offer. */
function tried({ simulator }: Provider, reference: string, act: DashboardAct): boolean {
  try {
    return simulator.dashboard(reference, act)
  } catch {
    return false
  }
}
