import type { Http, HttpCall } from '../../net/http.ts'
import { valueAt } from '../../providers/kit/json.ts'
import { type BankPayment, paymentIn } from '../adapter/wire.ts'
import type { SettlementFault } from '../bank/rules/report.ts'

/** What the payer's bank does with a dispute. */
export interface DisputeRequest {
  readonly outcome?: 'open' | 'won' | 'lost'
  /** In minor units. Absent: all that was captured. */
  readonly amount?: number
  readonly isFurther?: boolean
  readonly isInquiry?: boolean
  /** Days until evidence is due. */
  readonly dueDays?: number
}

/** Client for the bank's test calls, for one account. */
export interface Control {
  armFault(fault: FaultRequest): Promise<void>
  clearFaults(): Promise<void>
  /** Advances the account's clock and returns its new time. */
  advanceClock(ms: number): Promise<Date>
  /** Ledger entries of these references, or the last 1,000 entries if there are none. */
  ledger(...references: readonly string[]): Promise<readonly LedgerEntry[]>
  dispute(reference: string, wish?: DisputeRequest): Promise<BankPayment>
  /** Pays out what can be paid out now. Returns the payouts since the last call. */
  payOut(timeZone?: string): Promise<readonly BankPayout[]>
  plantSettlementFault(fault: SettlementFault): Promise<void>
  clearSettlementFaults(): Promise<void>
}

interface BankPayout {
  readonly id: string
  readonly shop: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly time: Date
}

export interface FaultRequest {
  readonly step: string
  readonly effect: string
  readonly times?: number
  readonly delayMs?: number
}

interface LedgerEntry {
  readonly reference: string
  readonly kind: 'authorise' | 'sale' | 'capture' | 'void' | 'refund'
  readonly amountMinor: bigint
  readonly currency: string
  readonly status: 'done' | 'pending' | 'declined'
  readonly operationKey: string
  readonly time: Date
}

/** The bank refused a test call. The message may be shown to the merchant. */
export class ControlError extends Error {
  override name = 'ControlError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function createControl(http: Http, bankUrl: string, apiKey: string): Control {
  async function call(method: HttpCall['method'], path: string, json?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${apiKey}` }
    const reply = await http.call({
      method,
      url: `${bankUrl}/v1/test/${path}`,
      headers,
      ...(json ? { json } : {}),
    })
    if (reply.kind !== 'reply') throw new ControlError(503, `the sandbox bank did not answer: ${reply.cause}`)
    if (reply.status < 400) return reply.body
    throw new ControlError(reply.status, String(valueAt(reply.body, 'error', 'message')))
  }
  return {
    async armFault(fault) {
      await call('POST', 'faults', fault)
    },
    async clearFaults() {
      await call('DELETE', 'faults')
    },
    advanceClock: async (ms) =>
      new Date(String(valueAt(await call('POST', 'clock', { advanceMs: ms }), 'now'))),
    async ledger(...references) {
      const query = references.map((reference) => `reference=${encodeURIComponent(reference)}`).join('&')
      const entries = valueAt(await call('GET', `ledger?${query}`), 'entries')
      return (entries as (LedgerEntry & { amountMinor: number; time: string })[]).map((entry) => ({
        ...entry,
        amountMinor: BigInt(entry.amountMinor),
        time: new Date(entry.time),
      }))
    },
    async dispute(reference, wish = {}) {
      const payment = paymentIn(await call('POST', 'disputes', { reference, ...wish }))
      if (!payment) throw new ControlError(503, 'the sandbox bank answered with something else')
      return payment
    },
    async payOut(timeZone) {
      const payouts = valueAt(await call('POST', 'payouts', { timeZone }), 'payouts')
      return (payouts as (BankPayout & { amount: number; time: string })[]).map(
        ({ amount, time, ...payout }) => ({
          ...payout,
          amountMinor: BigInt(amount),
          time: new Date(time),
        }),
      )
    },
    async plantSettlementFault(fault) {
      await call('POST', 'settlement-faults', fault)
    },
    async clearSettlementFaults() {
      await call('DELETE', 'settlement-faults')
    },
  }
}
