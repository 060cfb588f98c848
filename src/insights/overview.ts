import { ApiError } from '../base/errors.ts'
import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import type { State } from '../payments/machine.ts'

/** A period of time: from `from`, before `to`. */
export interface Period {
  readonly from: Date
  readonly to: Date
}

/** Payments created in a period, by how they stand now. */
export interface Kpi {
  /** Payments that were approved, declined or blocked by a fraud policy. */
  readonly totalAttempts: number
  readonly capturedCount: number
  readonly approvedCount: number
  readonly declinedCount: number
  readonly fraudBlockedCount: number
  readonly heldCount: number
  readonly refundedCount: number
  /** Approved ÷ attempts, 0 to 1; null without attempts. */
  readonly approvalRate: number | null
}

export interface Overview extends Period {
  readonly granularity: 'hour' | 'day' | 'month'
  readonly timeZone: string
  /** No payment was ever created in this app. */
  readonly isEmpty: boolean
  readonly kpi: Kpi
  /** The period of the same length before. */
  readonly previousKpi: Kpi
  /** Without gaps. `key` is `2026-11-15T12`, `2026-11-15` or `2026-11`, in the time zone. */
  readonly series: readonly {
    readonly key: string
    readonly startTime: Date
    readonly captured: number
    readonly declined: number
    readonly created: number
  }[]
  readonly states: readonly { readonly state: State; readonly count: number }[]
  /** Never converted. Largest volume first. */
  readonly currencies: readonly {
    readonly currency: string
    readonly payments: number
    readonly capturedMinor: bigint
    readonly refundedMinor: bigint
    readonly feeMinor: bigint
    readonly declined: number
    readonly declinedMinor: bigint
    readonly blockedMinor: bigint
  }[]
  readonly providers: readonly {
    readonly profileId: number
    readonly currency: string
    readonly payments: number
    readonly capturedMinor: bigint
    readonly feeMinor: bigint
    readonly approvalRate: number | null
    /** Of the captured money of this currency, 0 to 1. */
    readonly share: number
  }[]
  /** Answers of providers without the payer's part. Null: none in the period. */
  readonly latencies: readonly { readonly profileId: number; readonly p95Ms: number | null }[]
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
  readonly methods: readonly {
    readonly method: string
    readonly payments: number
    readonly captured: number
  }[]
  readonly flows: readonly { readonly flow: string; readonly payments: number; readonly captured: number }[]
  /** `opened` is null: page views are not recorded with payments. */
  readonly funnel: {
    readonly created: number
    readonly opened: number | null
    readonly method: number
    readonly submitted: number
    readonly paid: number
  }
  readonly fraud: { readonly paymentsBlocked: number; readonly customersBlocked: number }
}

/** Figures of an app for a period, from the rollups and the live rows since. */
export function overview(
  _ctx: Context,
  _app: App,
  _wanted: Period & { readonly timeZone?: string; readonly profileId?: number },
): Promise<Overview> {
  throw new ApiError('not_possible', 'Not yet.')
}
