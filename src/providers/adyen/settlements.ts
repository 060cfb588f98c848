import { type CsvRow, readRows } from '../../base/files/csv.ts'
import { type FileProblem, fileProblem } from '../../base/files/file-problem.ts'
import { type Money, money } from '../../base/money.ts'
import { cut, folded } from '../../base/text.ts'
import { inTurns } from '../../base/turns.ts'
import { type Enumerations, unlistedOf } from '../enumerations.ts'
import { isOurs, present } from '../kit/json.ts'
import { amountsOf, kindsOf, type LineRead, rawOf, readLines, signedMoney } from '../kit/settled.ts'
import type { Settlements } from '../port.ts'
import type { SettledPage, SettledPayout, WrongReport } from '../settlement.ts'
import type { AdyenSettings } from './manifest.ts'
import { timeIn } from './report-time.ts'

/**
 * Settled money by the settlement details report, a CSV file of each batch. Adyen names its columns, and each
 * account may order them and have further ones. Decision 0161.
 */
export const settlements: Settlements<AdyenSettings> = {
  // A batch closes as often as the account is paid out: every day, or once a week.
  usualDelayDays: 8,
  overlapDays: 0,
  maxWindowDays: 31,
  hasFees: true,
  hasPayouts: true,
  parse: (file, { config }) => parse(file, config.merchantAccount),
}

/**
 * By type, in lower case: Adyen writes some of them in several ways. With a payout on the sales day a payment
 * is settled when it is sent, and taken back when its capture fails. `…ExternallyWithInfo` are settled by
 * another acquirer.
 */
const KINDS = kindsOf({
  sale: `
    settled settledreversed settledbulk settledininstallments settledinstallment sentforsettle capturefailed
    settledexternallywithinfo settledinstallmentexternallywithinfo unmatchedsettledexternallywithinfo`,
  refund: `
    refunded refundedreversed refundedbulk refundedininstallments refundedinstallment sentforrefund
    refundfailed refundnotcleared refundedexternallywithinfo refundedinstallmentexternallywithinfo
    unmatchedrefundedexternallywithinfo`,
  dispute: `
    chargeback secondchargeback chargebackexternallywithinfo unmatchedchargebackexternallywithinfo`,
  'dispute-reversal': `
    chargebackreversed chargebackreversedexternallywithinfo unmatchedchargebackreversedexternallywithinfo`,
  fee: `
    fee misccosts invoicededuction paymentcost settlecost authorisationschemefee
    advancementcommissionexternallywithinfo`,
  reserve: 'depositcorrection reserveadjustment',
  payout: 'merchantpayout acquirerpayout',
  adjustment: `
    balancetransfer bankinstructionreturned epapaid internalcompanypayout manualcorrected matchedstatement
    merchantpayin merchantpayinreversed paidout paidoutreversed suspendinstallment xastransfer
    adjustmentexternallywithinfo unmatchedbatchexternallywithinfo`,
})

export const LINE_VALUES = {
  'journal type': { handled: [...KINDS.keys()], ignored: [] },
} as const satisfies Enumerations

const COLUMNS = [
  ...['Merchant Account', 'Psp Reference', 'Merchant Reference', 'Creation Date', 'TimeZone', 'Type'],
  ...['Modification Reference', 'Gross Currency', 'Gross Debit (GC)', 'Gross Credit (GC)', 'Net Currency'],
  ...['Net Debit (NC)', 'Net Credit (NC)', 'Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)'],
  ...['Interchange (NC)', 'Batch Number'],
] as const

/** Columns of the stored row. Accounts may add columns with names and addresses of shoppers. */
const RAW = [...COLUMNS, 'Exchange Rate', 'Modification Merchant Reference', 'Payment Method']

async function parse(file: Uint8Array, account: string): Promise<SettledPage | WrongReport> {
  const csv = await readRows(file)
  if (csv.kind === 'unreadable') return wrong('format', fileProblem('adyen-file'))
  const missing = COLUMNS.find((name) => !csv.columns.includes(name))
  if (missing) return wrong('format', fileProblem('adyen-column', { column: missing }))
  const ours = csv.rows.filter(({ cells }) => cells['Merchant Account'] === account)
  const [other] = csv.rows
  if (other && ours.length === 0) return wrong('other-account', fileProblem('adyen-account', { account }))
  const unpaid = unpaidBatch(ours)
  if (csv.isCut || !other || unpaid !== undefined) return wrong('incomplete', incomplete(unpaid))
  return pageOf(
    ours,
    csv.bad.map(({ row, problem }) => ({ row: String(row), problem })),
  )
}

const wrong = (why: WrongReport['why'], problem: FileProblem): WrongReport => ({
  kind: 'wrong',
  why,
  problem,
})

const incomplete = (batch: string | undefined): FileProblem =>
  batch === undefined ? fileProblem('adyen-cut') : fileProblem('adyen-batch', { batch: cut(batch, 20) })

const typeOf = ({ cells }: CsvRow): string => (cells.Type ?? '').trim().toLowerCase()

/** A batch ends with its payout, or with the transfer of its balance to the next one. */
function unpaidBatch(rows: readonly CsvRow[]): string | undefined {
  const ends = rows.filter((row) => KINDS.get(typeOf(row)) === 'payout' || typeOf(row) === 'balancetransfer')
  const closed = new Set(ends.map(({ cells }) => cells['Batch Number']))
  return rows.find(({ cells }) => !closed.has(cells['Batch Number']))?.cells['Batch Number']
}

async function pageOf(rows: readonly CsvRow[], bad: SettledPage['bad']): Promise<SettledPage> {
  const seen = new Map<string, number>()
  const found: { readonly row: number; readonly line: LineRead }[] = []
  for await (const row of inTurns(rows)) found.push({ row: row.row, line: lineOf(row, seen) })
  const read = readLines(
    found,
    ({ line }) => line,
    ({ row }) => String(row),
  )
  return {
    ...{ kind: 'page', lines: read.lines, payouts: payoutsOf(rows), bad: [...bad, ...read.bad] },
    unlisted: rows.flatMap((row) => unlistedOf(LINE_VALUES, [['journal type', typeOf(row)]])),
  }
}

function lineOf(row: CsvRow, seen: Map<string, number>): LineRead {
  const { cells } = row
  const time = timeIn(cells['Creation Date'] ?? '', cells.TimeZone ?? '')
  if (!time) return fileProblem('adyen-date')
  const net = balanceOf(cells, 'Net', 'NC')
  if ('code' in net) return net
  const kind = KINDS.get(typeOf(row)) ?? 'adjustment'
  const sums = sumsOf(cells, net)
  if ('code' in sums) return sums
  const [batch = '', psp, modification] = ['Batch Number', 'Psp Reference', 'Modification Reference'].map(
    (name) => cells[name]?.trim() || undefined,
  )
  const ids = [modification, psp].filter((id) => id !== undefined && /^[0-9A-Z]{8,20}$/.test(id))
  return {
    id: unique([batch, psp ?? '', modification ?? '', typeOf(row)].join('/'), seen),
    ...{ kind, time, ids: ids as string[], payout: payoutId(cells, net) },
    raw: rawOf(cells, RAW),
    ...amountsOf(kind, sums),
    ...present({ reference: referenceIn(cells), rate: rateOf(cells, sums) }),
  }
}

/** Rows without a reference, such as fees of a month, may be alike: the second of them has a number. */
function unique(id: string, seen: Map<string, number>): string {
  const count = (seen.get(id) ?? 0) + 1
  seen.set(id, count)
  return cut(count === 1 ? id : `${id}/${count}`, 250)
}

type Cells = CsvRow['cells']
type Sums = { readonly gross: Money; readonly fee: Money; readonly net: Money }

/** Credit less debit, in the currency of the columns. */
function balanceOf(cells: Cells, name: 'Gross' | 'Net', unit: 'GC' | 'NC'): Money | FileProblem {
  const currency = cells[`${name} Currency`]?.trim() ?? ''
  const [credit, debit] = ['Credit', 'Debit'].map((side) =>
    signedMoney(cells[`${name} ${side} (${unit})`]?.trim() || '0', currency),
  )
  if (!credit || !debit) return fileProblem(name === 'Gross' ? 'adyen-gross' : 'adyen-net')
  return money(credit.minor - debit.minor, currency)
}

/** Rows about the batch, such as fees and payouts, have a net amount only. */
function sumsOf(cells: Cells, net: Money): Sums | FileProblem {
  const none = money(0n, net.currency)
  if (!cells['Gross Currency']?.trim()) return { gross: net, fee: none, net }
  const gross = balanceOf(cells, 'Gross', 'GC')
  if ('code' in gross) return gross
  if (gross.currency === net.currency)
    return { gross, fee: money(gross.minor - net.minor, net.currency), net }
  const fees = ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'].map((name) =>
    signedMoney(cells[name]?.trim() || '0', net.currency),
  )
  if (!fees.every((fee) => fee !== undefined)) return fileProblem('adyen-fee')
  return {
    gross,
    fee: money(
      fees.reduce((sum, fee) => sum + fee.minor, 0n),
      net.currency,
    ),
    net,
  }
}

const rateOf = (cells: Cells, { gross, net }: Sums): string | undefined =>
  gross.currency === net.currency ? undefined : cut(cells['Exchange Rate']?.trim() ?? '', 40) || undefined

/** A modification has the reference of its payment and the key of its operation. */
function referenceIn(cells: Cells): string | undefined {
  const [reference, key] = (cells['Modification Merchant Reference'] ?? '').split('-')
  return [key, reference, cells['Merchant Reference']].find(isOurs)
}

/** What the payout rows of a batch take from the balance is what the bank gets. */
function payoutsOf(rows: readonly CsvRow[]): SettledPayout[] {
  const payouts = new Map<string, SettledPayout>()
  for (const row of rows.filter((one) => KINDS.get(typeOf(one)) === 'payout')) {
    const { cells } = row
    const net = balanceOf(cells, 'Net', 'NC')
    const time = timeIn(cells['Creation Date'] ?? '', cells.TimeZone ?? '')
    if ('code' in net || !time) continue
    const id = payoutId(cells, net)
    const known = payouts.get(id)
    const text = cut(folded(cells['Modification Reference'] ?? ''), 140)
    payouts.set(id, {
      ...{ id, amount: money((known?.amount.minor ?? 0n) - net.minor, net.currency), state: 'paid', time },
      ...(text ? { bankReference: text } : {}),
    })
  }
  return [...payouts.values()]
}

/** A batch may be paid out in several currencies. */
const payoutId = (cells: Cells, { currency }: Money): string => `${cells['Batch Number']?.trim()}/${currency}`
