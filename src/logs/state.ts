import type { Clock } from '../base/clock.ts'
import { slot } from '../node/slot.ts'
import type { ApiLine } from './api/lines.ts'
import { createMinutes, type Minutes } from './api/minutes.ts'
import { LOGS } from './limits.ts'
import type { PaymentPageView } from './page-views/page-view.ts'
import type { ProviderLine } from './provider/lines.ts'
import { createQueue, type LogQueue } from './queue.ts'
import { createShare, type LogShare } from './share.ts'

/** Log lines that wait to be written, and the share of each app. */
export interface LogState {
  readonly api: { readonly queue: LogQueue<ApiLine>; readonly share: LogShare; readonly minutes: Minutes }
  readonly provider: { readonly queue: LogQueue<ProviderLine>; readonly share: LogShare }
  readonly visits: LogQueue<PaymentPageView>
  /** Lines that were left out or lost since the last report. */
  leftOut: number
  /** Ends when the lines that were taken from the queues are written. */
  writing: Promise<unknown>
}

export const createLogState = ({ clock }: { readonly clock: Clock }): LogState => ({
  api: { queue: createQueue(), share: createShare(clock, LOGS.api), minutes: createMinutes() },
  provider: { queue: createQueue(), share: createShare(clock, LOGS.provider) },
  visits: createQueue(),
  leftOut: 0,
  writing: Promise.resolve(),
})

export const logs = slot('logs', createLogState, {
  holds: 'log lines to be written, shares of apps',
  until: 'the writer, every half second',
  restart: 'lines of the last half second, after a crash',
})
