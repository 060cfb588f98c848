import { decimalText } from '../base/money.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { Cell } from '../http/content/csv.ts'
import type { App } from '../merchants/app.ts'
import { COLUMNS, type Column, profileName } from './format.ts'
import { sealToken } from './sealing.ts'
import {
  type CustomerToExport,
  customersAfter,
  type PaymentToExport,
  paymentsAfter,
  type TokenToExport,
  tokensAfter,
} from './store/everything.ts'

/** A place in the file: what follows, and the key of the last line. */
export interface EverythingPlace {
  readonly time: string
  readonly key: readonly (string | number)[]
}

export interface EverythingPage {
  readonly rows: readonly (readonly Cell[])[]
  readonly next: EverythingPlace | undefined
}

/** Methods that were stored with a payment have no text of their own. */
const REGISTERED = 'Stored with a payment'

type Line = Partial<Record<Column, Cell>>

const NAMES = Object.keys(COLUMNS) as Column[]
const cellsOf = (line: Line): Cell[] => NAMES.map((name) => line[name] ?? null)

type Part = 'customers' | 'methods' | 'payments'
const PARTS: readonly Part[] = ['customers', 'methods', 'payments']

/**
 * Reads the page after a place. The file has no ids of this installation and no time of its own, so an export
 * of what was imported from it is the same. Tokens are sealed with the key of the merchant. Decision 0183.
 */
export async function everythingPage(
  ctx: Context,
  app: App,
  { key, after, limit }: { key: Uint8Array; after: EverythingPlace | undefined; limit: number },
): Promise<EverythingPage> {
  const [part = 'customers', ...place] = after?.key ?? []
  const read = await READERS[part as Part]({ ctx, app, key, db: ctx.db }, place, limit)
  const following = PARTS[PARTS.indexOf(part as Part) + 1]
  const next = read.last ? [part, ...read.last] : following && [following]
  return { rows: read.lines.map(cellsOf), next: next && { time: '', key: next } }
}

interface Reader {
  readonly ctx: Context
  readonly app: App
  readonly db: Queryable
  readonly key: Uint8Array
}

interface Lines {
  readonly lines: readonly Line[]
  /** The key of the last line; undefined at the end of the part. */
  readonly last: readonly (string | number)[] | undefined
}

type Read = (reader: Reader, place: readonly (string | number)[], limit: number) => Promise<Lines>

const READERS: Readonly<Record<Part, Read>> = {
  async customers({ db, app }, [after = ''], limit) {
    const rows = await customersAfter(db, app.appId, String(after), limit)
    const last = rows.length < limit ? undefined : rows.at(-1)
    return { lines: rows.map(customerLine), last: last && [last.customerId] }
  },
  async methods(reader, [customerId = '', rank = -1, hash = ''], limit) {
    const place = { customerId: String(customerId), rank: Number(rank), hash: String(hash) }
    const rows = await tokensAfter(reader.db, reader.app.appId, place, limit)
    const last = rows.length < limit ? undefined : rows.at(-1)
    return {
      lines: rows.map((row) => methodLine(reader, row)),
      last: last && [last.customerId, last.rank, last.tokenHash.toString('hex')],
    }
  },
  async payments({ db, app }, [after = ''], limit) {
    const rows = await paymentsAfter(db, app.appId, String(after), limit)
    const last = rows.length < limit ? undefined : rows.at(-1)
    return {
      lines: rows.map((row) => paymentLine(app, row)),
      last: last && [last.referenceId],
    }
  },
}

const customerLine = ({ isBlocked, createdTime, extras, ...texts }: CustomerToExport): Line => ({
  kind: 'customer',
  ...texts,
  isBlocked: String(isBlocked),
  createdTime: createdTime.toISOString(),
  extras: extras && JSON.stringify(extras),
})

const methodLine = ({ ctx, app, key }: Reader, row: TokenToExport): Line => ({
  kind: 'payment-method',
  customerId: row.customerId,
  paymentProfile: profileName(app, row.profileId),
  token: sealToken(key, row.customerId, ctx.vault.open(row.token)),
  consentTime: row.consentTime.toISOString(),
  consentText: row.consentText ?? REGISTERED,
})

const paymentLine = (app: App, row: PaymentToExport): Line => ({
  kind: 'payment',
  customerId: row.customerId,
  referenceId: row.referenceId,
  time: row.paymentTime.toISOString(),
  currency: row.currency,
  amount: { decimal: decimalText(row.amountMinor, row.currency) },
  outcome: row.outcome,
  paymentProfile: profileName(app, row.profileId),
})
