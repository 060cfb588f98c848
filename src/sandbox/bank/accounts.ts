import {
  advanceAccountClock,
  forgetStoredMethod,
  readLedger,
  readStoredMethod,
  writeFaults,
} from './account-store.ts'
import { testMethod } from './api/instruments.ts'
import { accountNow, type BankContext } from './context.ts'
import { type ActiveFault, type CallStep, type Fault, matchingFaults, usedUp } from './rules/faults.ts'
import type { BankMethod } from './rules/payment.ts'
import { badRequest, bankNotFound } from './rules/refused.ts'
import { type Account, type BankState, readState } from './store.ts'

/** Reads the account and updates the cache. */
export async function freshAccount(bank: BankContext, account: string): Promise<Account> {
  const state = await readState(bank.db, { account })
  bank.cache.accounts.set(account, state.account)
  return state.account
}

const MAX_FAULTS = 100

export async function changeFaults(
  bank: BankContext,
  account: string,
  change: (faults: readonly Fault[]) => readonly Fault[],
): Promise<readonly Fault[]> {
  for (;;) {
    const state = await freshAccount(bank, account)
    const faults = change(state.faults)
    if (faults.length > MAX_FAULTS) throw badRequest(`At most ${MAX_FAULTS} faults can be armed at once.`)
    if ((await writeFaults(bank.db, state, faults)) !== undefined) return faults
  }
}

export interface TakenFault {
  readonly effect: ActiveFault
  readonly account: Account
}

/** Consumes one use of each fault that applies to this call. Returns `lost` if the account has changed. */
export async function takeFault(
  bank: BankContext,
  step: CallStep,
  state: BankState,
): Promise<TakenFault | 'lost' | undefined> {
  const { account } = state
  const indexes = matchingFaults(account.faults, step, state.earlier !== undefined)
  const [effect, alongside] = indexes.flatMap((index) => account.faults[index] ?? [])
  if (!effect) return undefined
  const faults = usedUp(account.faults, indexes)
  const version = await writeFaults(bank.db, account, faults)
  if (version === undefined) return 'lost'
  const next = { ...account, version, faults }
  bank.cache.accounts.set(account.account, next)
  return { effect: alongside ? { ...effect, alongside } : effect, account: next }
}

/** The fault for a call that does not concern a payment. */
export async function faultOn(
  bank: BankContext,
  account: string,
  step: CallStep,
): Promise<ActiveFault | undefined> {
  for (;;) {
    const taken = await takeFault(bank, step, { account: await freshAccount(bank, account) })
    if (taken !== 'lost') return taken?.effect
  }
}

/** Advances the account's clock and returns its new time. */
export async function moveAccountClock(bank: BankContext, account: string, ms: number): Promise<Date> {
  return accountNow(bank, { clockOffsetMs: await advanceAccountClock(bank.db, account, ms) })
}

export const ledgerOf = ({ db }: BankContext, account: string, references: readonly string[]) =>
  readLedger(db, account, references)

export async function storedMethod(
  { db, keys }: BankContext,
  account: string,
  token: string,
): Promise<{ readonly stored: BankMethod; readonly forgotten: boolean }> {
  const found = await readStoredMethod(db, account, token)
  if (found) return found
  const stored = testMethod(keys, account, token)
  if (!stored) throw bankNotFound('stored method')
  return { stored, forgotten: false }
}

export async function forgetStored({ db }: BankContext, account: string, token: string): Promise<void> {
  if (!(await forgetStoredMethod(db, account, token))) throw bankNotFound('stored method')
}
