/** How the report of a line differs from what happened. */
export const LINE_LIES = ['missing', 'doubled', 'altered', 'currency'] as const
export type LineLie = (typeof LINE_LIES)[number]

export const SETTLEMENT_FAULTS = [...LINE_LIES, 'cut', 'order'] as const

/** Something that the next report with new lines has wrong. */
export interface SettlementFault {
  readonly kind: (typeof SETTLEMENT_FAULTS)[number]
  /** The payment whose next line is meant. Absent: the next line of any. */
  readonly reference?: string
}

/** A line as the bank's API shows it. Amounts are minor units. */
export interface ReportedLine {
  readonly id: string
  readonly kind: string
  readonly payment?: string
  readonly movement?: string
  readonly reference?: string
  readonly gross: number
  readonly currency: string
  readonly fee: number
  readonly net: number
  readonly settlementCurrency: string
  readonly rate?: string
  readonly time: string
  readonly payout?: string
}

/** What an altered line has too much or, of a refund, too little: one major unit of most currencies. */
const ALTERED_BY = 100

export function reported(line: ReportedLine, lie: LineLie | null): ReportedLine[] {
  switch (lie) {
    case 'missing':
      return []
    case 'doubled':
      return [line, { ...line, id: `${line.id}_again` }]
    case 'altered':
      return [{ ...line, gross: line.gross + ALTERED_BY, net: line.net + ALTERED_BY }]
    case 'currency':
      return [{ ...line, currency: line.currency === 'EUR' ? 'USD' : 'EUR', rate: '1' }]
    case null:
      return [line]
  }
}
