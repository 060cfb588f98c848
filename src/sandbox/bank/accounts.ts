import {
  advanceClock,
  forgetStoredMethod,
  readLedger,
  readStoredMethod,
  writeFaults,
} from './account-store.ts'
import { type CallStep, type Effect, type Fault, matchingFaults, usedUp } from './rules/faults.ts'
import type { StoredMethod } from './rules/payment.ts'
import { badRequest, notFound } from './rules/refused.ts'
import { type Account, look, type Seen } from './store.ts'
import { accountNow, type World } from './world.ts'

/** What belongs to an account, not to one payment: faults, clock, ledger and stored methods. */
export async function freshAccount(world: World, account: string): Promise<Account> {
  const seen = await look(world.db, { account })
  world.memory.accounts.set(account, seen.account)
  return seen.account
}

const MAX_FAULTS = 100

export async function changeFaults(
  world: World,
  account: string,
  change: (faults: readonly Fault[]) => readonly Fault[],
): Promise<readonly Fault[]> {
  for (;;) {
    const seen = await freshAccount(world, account)
    const faults = change(seen.faults)
    if (faults.length > MAX_FAULTS) throw badRequest(`At most ${MAX_FAULTS} faults can be armed at once.`)
    if ((await writeFaults(world.db, seen, faults)) !== undefined) return faults
  }
}

export interface TakenFault {
  readonly effect: Effect
  readonly account: Account
}

/** Uses up the faults that touch this call; `lost` when the account has changed meanwhile. */
export async function takeFault(
  world: World,
  step: CallStep,
  seen: Seen,
): Promise<TakenFault | 'lost' | undefined> {
  const { account } = seen
  const places = matchingFaults(account.faults, step, seen.earlier !== undefined)
  const [effect, alongside] = places.flatMap((place) => account.faults[place] ?? [])
  if (!effect) return undefined
  const faults = usedUp(account.faults, places)
  const version = await writeFaults(world.db, account, faults)
  if (version === undefined) return 'lost'
  const next = { ...account, version, faults }
  world.memory.accounts.set(account.account, next)
  return { effect: alongside ? { ...effect, alongside } : effect, account: next }
}

/** What goes wrong with a call that is about no payment. */
export async function faultOn(world: World, account: string, step: CallStep): Promise<Effect | undefined> {
  for (;;) {
    const taken = await takeFault(world, step, { account: await freshAccount(world, account) })
    if (taken !== 'lost') return taken?.effect
  }
}

/** The account's time after the move. */
export async function moveAccountClock(world: World, account: string, ms: number): Promise<Date> {
  return accountNow(world, { clockOffsetMs: await advanceClock(world.db, account, ms) })
}

export const ledgerOf = ({ db }: World, account: string, references: readonly string[]) =>
  readLedger(db, account, references)

export async function storedMethod(
  { db }: World,
  account: string,
  token: string,
): Promise<{ readonly stored: StoredMethod; readonly forgotten: boolean }> {
  const found = await readStoredMethod(db, account, token)
  if (!found) throw notFound('stored method')
  return found
}

export async function forgetStored({ db }: World, account: string, token: string): Promise<void> {
  if (!(await forgetStoredMethod(db, account, token))) throw notFound('stored method')
}
