import type { Due } from '../../db/database.ts'
import type { BankAnswer } from './answer.ts'
import { dispatch, type RawRequest } from './api/dispatch.ts'
import { type BankServer, startServer } from './api/server.ts'
import { accountNow, type BankContext } from './context.ts'
import { bankNotificationsDue } from './notification-store.ts'
import { type Sending, sendNotifications } from './notifications.ts'
import { readFresh, save } from './perform.ts'
import { advanced } from './rules/advance.ts'
import { bankPaymentsDue, readDuePayments } from './store.ts'

export interface Bank {
  /** What it answers to a request that did not come through its door. */
  answer(request: RawRequest): Promise<BankAnswer>
  /** Opens the door; the address to call it at. */
  start(): Promise<string>
  stop(): Promise<void>
  /** What `begin` would find. */
  readonly due: readonly Due[]
  /** Does what time has made due and begins to send due notifications, of one account or of all. */
  begin(account?: string): Promise<Begun>
  /** The same, and waits until they are sent; how many those were. */
  runOnce(): Promise<number>
}

interface Begun {
  readonly count: number
  readonly sending: readonly Sending[]
}

export function createBank(bank: BankContext): Bank {
  let server: BankServer | undefined
  async function begin(account?: string): Promise<Begun> {
    const advanced = await advanceDue(bank, account)
    const sending = await sendNotifications(bank, account)
    return { count: advanced + sending.reduce((sum, { count }) => sum + count, 0), sending }
  }
  return {
    begin,
    answer: (request) => dispatch(bank, request),
    async start() {
      server ??= await startServer(bank)
      return server.url
    },
    async stop() {
      await server?.stop()
      server = undefined
    },
    due: [bankPaymentsDue, bankNotificationsDue],
    async runOnce() {
      const { count, sending } = await begin()
      await Promise.all(sending.map(({ done }) => done))
      return count
    },
  }
}

/** Several nodes may try the same payment: one writes, the others find it changed. */
async function advanceDue(bank: BankContext, only: string | undefined): Promise<number> {
  const due = await readDuePayments(bank.db, bank.clock.now(), only)
  const written = await Promise.all(
    due.map(async ({ account, paymentId }) => {
      const state = await readFresh(bank, { account, target: paymentId })
      return (
        state.current &&
        save(bank, state, { draft: advanced(state.current.payment, accountNow(bank, state.account)) })
      )
    }),
  )
  return written.filter(Boolean).length
}
