import type { Due } from '../../db/database.ts'
import type { BankAnswer } from './answer.ts'
import { dispatch, type RawRequest } from './api/dispatch.ts'
import { type BankServer, startBankServer } from './api/server.ts'
import type { BankContext } from './context.ts'
import { bankNotificationsDue } from './notification-store.ts'
import { type Sending, sendNotifications } from './notifications.ts'
import { advanceDue } from './perform.ts'
import { oldBankRowsDue, removeOldAnswers, removeOldLines, removeOldPayments } from './removal-store.ts'
import { bankPaymentsDue } from './store.ts'

export interface Bank {
  /** Answers a request that does not come through the bank's own HTTP server. */
  answer(request: RawRequest): Promise<BankAnswer>
  /** Starts the HTTP server and returns its URL. */
  start(): Promise<string>
  stop(): Promise<void>
  /** Conditions for the work that `begin` does. */
  readonly due: readonly Due[]
  /** Subscribes to changes on this node that leave work for `begin`, now or later. */
  onWork(tell: () => void): void
  /** Applies due changes and starts to send due notifications, for one account or for all. */
  begin(account?: string): Promise<Begun>
  /** Like `begin`, but waits for the notifications. Returns the amount of work done. */
  runOnce(): Promise<number>
  /** Conditions for the work that `removeOld` does. */
  readonly oldDue: readonly Due[]
  /** Deletes some of the oldest payments, lines and answers that are no longer kept. Returns their number. */
  removeOld(): Promise<number>
}

/** Small enough that the locks of one batch delay no request. */
const REMOVAL_BATCH = 500

interface Begun {
  readonly count: number
  readonly sending: readonly Sending[]
}

export function createBank(bank: BankContext): Bank {
  let server: BankServer | undefined
  async function begin(account?: string): Promise<Begun> {
    const advancedCount = await advanceDue(bank, account)
    const sending = await sendNotifications(bank, account)
    return { count: advancedCount + sending.reduce((sum, { count }) => sum + count, 0), sending }
  }
  return {
    begin,
    answer: (request) => dispatch(bank, request),
    async start() {
      server ??= await startBankServer(bank)
      return server.url
    },
    async stop() {
      await server?.stop()
      server = undefined
    },
    onWork: (tell) => void bank.onWork.add(tell),
    due: [bankPaymentsDue, bankNotificationsDue],
    async runOnce() {
      const { count, sending } = await begin()
      await Promise.all(sending.map(({ done }) => done))
      return count
    },
    oldDue: oldBankRowsDue,
    async removeOld() {
      const now = bank.clock.now()
      const payments = await removeOldPayments(bank.db, now, REMOVAL_BATCH)
      const lines = await removeOldLines(bank.db, now, REMOVAL_BATCH)
      return payments + lines + (await removeOldAnswers(bank.db, now, REMOVAL_BATCH))
    },
  }
}
