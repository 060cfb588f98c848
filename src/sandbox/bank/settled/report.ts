import { after } from '../../../base/clock.ts'
import type { Queryable } from '../../../db/database.ts'
import type { BankContext } from '../context.ts'
import { badRequest } from '../rules/refused.ts'
import { type ReportedLine, reported, type SettlementFault } from '../rules/report.ts'
import { reportedUntil, type Settling, settled } from './settle.ts'
import {
  holdBackHalf,
  lieAbout,
  type ReportedRow,
  type ReportPlace,
  type ReportWindow,
  readReport,
  releaseMissing,
} from './store.ts'

const PAGE_LINES = 200
const MAX_FAULTS = 100

export interface ReportPage {
  readonly lines: readonly ReportedLine[]
  readonly next?: string
}

/** One page of the report for a shop of the account. Reading the first page settles the account. */
export async function reportOf(
  bank: BankContext,
  asked: ReportWindow,
  cursor: string | undefined,
): Promise<ReportPage> {
  const { account, shop } = asked
  if (cursor !== undefined) {
    const { until, ...place } = placeOf(cursor)
    return readPage(bank.db, { ...asked, until }, place)
  }
  return settled(bank, { account }, async (settling) => {
    const before = reportedUntil(settling.state.reported, shop)
    const until = endOf(asked, settling.now, before)
    const window = { ...asked, until }
    const isBackward = await applyFaults(settling, window)
    if (!before || before < until)
      settling.state = {
        ...settling.state,
        reported: { ...settling.state.reported, [shop]: until.toISOString() },
      }
    return readPage(settling.tx, window, { isBackward })
  })
}

/** A window that ends now has all that is known, also what came after another read in this millisecond. */
function endOf({ until }: ReportWindow, now: Date, before: Date | null): Date {
  if (until < now) return until
  return after(before && before > now ? before : now, 1)
}

async function readPage(db: Queryable, window: ReportWindow, place: ReportPlace): Promise<ReportPage> {
  const rows = await readReport(db, window, place, PAGE_LINES + 1)
  const shown = rows.slice(0, PAGE_LINES)
  const last = shown.at(-1)
  const lines = shown.flatMap((row) => reported(lineOf(row), row.lie))
  if (rows.length <= PAGE_LINES || !last) return { lines }
  return { lines, next: cursorOf(window, place.isBackward, last) }
}

function lineOf(row: ReportedRow): ReportedLine {
  const { paymentId, movementId, reference, payoutId } = row
  const [gross, fee] = [Number(row.amountMinor), Number(row.feeMinor)]
  return {
    id: row.lineId,
    kind: row.kind,
    ...(paymentId === null ? {} : { payment: paymentId }),
    ...(movementId === null ? {} : { movement: movementId }),
    ...(reference === null ? {} : { reference }),
    ...{ gross, currency: row.currency, fee, net: gross - fee, settlementCurrency: row.currency },
    time: row.lineTime.toISOString(),
    ...(payoutId === null ? {} : { payout: payoutId }),
  }
}

const cursorOf = ({ until }: ReportWindow, isBackward: boolean, last: ReportedRow): string =>
  [isBackward ? 'b' : 'f', until.getTime(), last.reportTime.getTime(), last.lineId].join('.')

/** The end of the window as the first page had it, and the place where the next page begins. */
function placeOf(cursor: string): ReportPlace & { readonly until: Date } {
  const [, way, until, time, lineId] = /^([bf])\.(\d{1,14})\.(\d{1,14})\.(\w{1,60})$/.exec(cursor) ?? []
  if (lineId === undefined) throw badRequest('cursor is not one of this API.')
  const last = { time: new Date(Number(time)), lineId }
  return { isBackward: way === 'b', until: new Date(Number(until)), last }
}

/**
 * Faults hit lines that were not reported before. One that finds none waits for a later report. Returns
 * whether the report goes backward.
 */
async function applyFaults(settling: Settling, window: ReportWindow): Promise<boolean> {
  const { tx, state } = settling
  const before = reportedUntil(state.reported, window.shop)
  const fresh = { ...window, from: before && before > window.from ? before : window.from }
  const waiting: SettlementFault[] = []
  for (const fault of state.faults) if (!(await apply(tx, fresh, fault))) waiting.push(fault)
  settling.state = { ...state, faults: waiting }
  return state.faults.some((fault) => fault.kind === 'order' && !waiting.includes(fault))
}

async function apply(tx: Queryable, fresh: ReportWindow, fault: SettlementFault): Promise<boolean> {
  const { kind, reference } = fault
  if (kind === 'cut') return holdBackHalf(tx, fresh)
  if (kind === 'order') return (await readReport(tx, fresh, { isBackward: false }, 2)).length > 1
  return lieAbout(tx, fresh, { lie: kind, reference })
}

export const plantFault = (bank: BankContext, account: string, fault: SettlementFault): Promise<void> =>
  settled(bank, { account }, async (settling) => {
    const faults = [...settling.state.faults, fault]
    if (faults.length > MAX_FAULTS) throw badRequest(`At most ${MAX_FAULTS} faults can be planted at once.`)
    settling.state = { ...settling.state, faults }
  })

/** Faults that wait are gone, and lines that were left out come with the next report. */
export const clearSettlementFaults = (bank: BankContext, account: string): Promise<void> =>
  settled(bank, { account }, async (settling) => {
    const latest = Object.values(settling.state.reported).sort().at(-1)
    await releaseMissing(settling.tx, account, latest === undefined ? settling.now : new Date(latest))
    settling.state = { ...settling.state, faults: [] }
  })
