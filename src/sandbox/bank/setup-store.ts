import { type Queryable, sql } from '../../db/database.ts'
import type { BankMethod } from './rules/payment.ts'

const INSERT = sql<{ token: string }>(
  'sandbox_bank.insert_setup',
  `insert into sandbox_bank.stored_methods (account, token, document) values ($1, $2, $3)
   on conflict (account, token) do nothing returning token`,
)
const FIND = sql<{ stored: BankMethod; version: number }>(
  'sandbox_bank.find_setup',
  `select document as stored, version from sandbox_bank.stored_methods
   where account = $1 and token = $2 and not is_forgotten`,
)
const REPLACE = sql<{ token: string }>(
  'sandbox_bank.replace_setup',
  `update sandbox_bank.stored_methods set document = $4, version = version + 1
   where account = $1 and token = $2 and version = $3 and not is_forgotten returning token`,
)

/** Does nothing if the token exists. */
export async function insertSetup(db: Queryable, account: string, stored: BankMethod): Promise<void> {
  await db.query(INSERT, [account, stored.token, JSON.stringify(stored)])
}

export const findSetup = async (db: Queryable, account: string, token: string) =>
  (await db.query(FIND, [account, token]))[0]

/** Returns false if the method has changed since it was read. */
export async function replaceSetup(
  db: Queryable,
  account: string,
  { stored, version }: { readonly stored: BankMethod; readonly version: number },
): Promise<boolean> {
  return (await db.query(REPLACE, [account, stored.token, version, JSON.stringify(stored)])).length > 0
}
