import type { Separator } from '../http/content/csv.ts'
import type { PaymentFilter } from '../payments/search/filter.ts'
import type { ExportKind } from './kinds.ts'
import type { SchedulePeriod } from './periods.ts'
import type { RowPlace } from './store/rows.ts'

/** How the file is written. */
interface FileFormat {
  readonly separator: Separator
  /** Begins with the mark by which spreadsheets recognise UTF-8. */
  readonly hasMark: boolean
}

/** What an export has. Stored, so that a worker can go on with it. Times are ISO 8601, of the app. */
export interface ExportSpec extends FileFormat {
  readonly columns: readonly string[]
  readonly from: string | null
  /** Not included. */
  readonly to: string
  readonly filter: PaymentFilter
  readonly timeZone: string
  readonly now: string
  /** Of everything: sealed by this installation, in base64. Removed when the export ends. */
  readonly sealingKey?: string
}

export interface Requester {
  readonly kind: 'person' | 'key' | 'operator' | 'service'
  readonly id: string
  readonly name: string
}

type ExportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

/** `too-many-rows`, `no-space`, or `internal` after several tries. */
export type ExportProblem = 'too-many-rows' | 'no-space' | 'internal'

/** Times are real. */
export interface Export {
  readonly appId: string
  readonly exportId: string
  readonly kind: ExportKind
  readonly spec: ExportSpec
  readonly requestedBy: Requester
  readonly scheduleId: string | null
  readonly state: ExportState
  readonly problem: ExportProblem | null
  readonly createdTime: Date
  readonly endedTime: Date | null
  readonly rowCount: number
  readonly partCount: number
  readonly fileBytes: number
  readonly place: RowPlace | null
  readonly tries: number
  readonly leaseToken: string | null
}

/** What each of its exports has, beside the period. */
export interface ScheduleSpec extends FileFormat {
  readonly columns: readonly string[]
  readonly filter: PaymentFilter
}

export interface Schedule {
  readonly appId: string
  readonly scheduleId: string
  readonly kind: ExportKind
  readonly every: SchedulePeriod
  readonly spec: ScheduleSpec
  /** Ids of people. */
  readonly recipients: readonly string[]
  readonly isPaused: boolean
  readonly createdBy: Requester
  readonly createdTime: Date
  /** When the current period ends, in the app's time. */
  readonly nextTime: Date
}

/** What a person chose last for a kind. */
export type ExportChoice = FileFormat & { readonly columns: readonly string[] }
