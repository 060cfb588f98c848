import { fileProblemText } from '../base/files/file-problem.ts'
import { majorNumber } from '../base/money.ts'
import { differenceOf } from './adds-up.ts'
import type { Imported } from './reports/import.ts'
import type { Exception, ExceptionPlace, Line, Place, ReportedPayout } from './store/lists.ts'
import type { ListedReport } from './store/pages.ts'
import type { StoredBadRow } from './store/reports.ts'
import type { SettlementSource } from './store/sources.ts'
import type { KindSum } from './store/sums.ts'

const major = (minor: bigint | null, currency: string | null): number | null =>
  minor === null || currency === null ? null : majorNumber(minor, currency)

/** `1794744000000-412` */
export const cursorText = ({ time, id }: Place): string => `${time.getTime()}-${id}`

export function readCursor(text: string | undefined): Place | undefined {
  const [time, id] = text?.split('-').map(Number) ?? []
  return time === undefined || id === undefined ? undefined : { time: new Date(Math.min(time, LATEST)), id }
}
const LATEST = Date.parse('9999-12-31T00:00:00Z')

/** `open-5` */
export const exceptionCursor = ({ isOpen, id }: ExceptionPlace): string =>
  `${isOpen ? 'open' : 'closed'}-${id}`

export function readExceptionCursor(text: string | undefined): ExceptionPlace | undefined {
  const [state, id] = text?.split('-') ?? []
  return id === undefined ? undefined : { isOpen: state === 'open', id: Number(id) }
}

export const lineView = (line: Line) => ({
  lineId: line.lineId,
  paymentProfileId: line.profileId,
  providerLineId: line.providerLineId,
  kind: line.kind,
  paymentId: line.paymentId,
  referenceId: line.referenceId,
  gross: majorNumber(line.grossMinor, line.currency),
  fee: major(line.feeMinor, line.settlementCurrency),
  net: major(line.netMinor, line.settlementCurrency),
  currency: line.currency,
  settlementCurrency: line.settlementCurrency,
  time: line.time,
  payoutId: line.payoutId,
  match: line.match,
})

export const payoutView = (payout: ReportedPayout) => ({
  payoutId: payout.payoutId,
  paymentProfileId: payout.profileId,
  providerPayoutId: payout.providerPayoutId,
  amount: major(payout.amountMinor, payout.currency),
  currency: payout.currency,
  state: payout.state,
  time: payout.time,
  arrivalTime: payout.arrivalTime,
  bankReference: payout.bankReference,
})

export const payoutDetailsView = (payout: ReportedPayout, sums: readonly KindSum[]) => ({
  ...payoutView(payout),
  lines: sums.map((sum) => ({
    kind: sum.kind,
    count: sum.count,
    gross: majorNumber(sum.grossMinor, sum.currency),
    fee: major(sum.feeMinor, sum.settlementCurrency),
    net: major(sum.netMinor, sum.settlementCurrency),
    currency: sum.currency,
    settlementCurrency: sum.settlementCurrency,
  })),
  ...comparison(payout, sums),
})

function comparison(payout: ReportedPayout, sums: readonly KindSum[]) {
  const difference = differenceOf(payout, sums)
  return {
    addsUp: difference === null ? null : difference === 0n,
    difference: major(difference, payout.currency),
  }
}

export function exceptionView(exception: Exception) {
  const { details, closedTime } = exception
  const { what, currency = null, expectedMinor, actualMinor } = details
  const amount = (minor: string | undefined) => (minor === undefined ? null : major(BigInt(minor), currency))
  return {
    exceptionId: exception.exceptionId,
    paymentProfileId: exception.profileId,
    kind: exception.kind,
    state: closedTime === null ? 'open' : 'closed',
    paymentId: exception.paymentId,
    lineId: exception.lineId,
    payoutId: exception.payoutId,
    about: what ?? null,
    currency,
    expectedAmount: amount(expectedMinor),
    actualAmount: amount(actualMinor),
    openedTime: exception.openedTime,
    closedTime,
    closedBy: exception.closedBy,
    reason: exception.reason,
  }
}

const badRowView = ({ row, problem }: StoredBadRow) => ({ row, problem: fileProblemText(problem) })

export const reportView = ({ reportId, lineCount, badRows, isRepeated }: Imported) => ({
  reportId,
  lines: lineCount,
  badRows: badRows.map(badRowView),
  isRepeated,
})

export const listedReportView = (report: ListedReport) => ({
  reportId: report.reportId,
  paymentProfileId: report.profileId,
  source: report.source,
  fileName: report.fileName,
  fromTime: report.fromTime,
  untilTime: report.untilTime,
  receivedTime: report.receivedTime,
  lines: report.lineCount,
  badRowCount: report.badRows?.length ?? 0,
})

export const reportDetailsView = (report: ListedReport) => ({
  ...listedReportView(report),
  badRows: (report.badRows ?? []).map(badRowView),
})

export const sourceView = (
  paymentProfileId: number,
  canRead: boolean,
  source: SettlementSource | undefined,
) => ({
  paymentProfileId,
  isActive: source?.isActive ?? false,
  canRead,
  beginTime: source?.beginTime ?? null,
  readUntil: source?.readUntil ?? null,
  lastReadTime: source?.lastReadTime ?? null,
  problem: source?.problem ?? null,
})
