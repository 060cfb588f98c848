import type { Due } from '../../../db/database.ts'
import type { Answer } from './answer.ts'
import { dispatch, type RawRequest } from './api/dispatch.ts'
import { type BankServer, startServer } from './api/server.ts'
import { bankNotificationsDue } from './notification-store.ts'
import { sendNotifications } from './notifications.ts'
import { lookFresh, save } from './perform.ts'
import { advanced } from './rules/advance.ts'
import { bankPaymentsDue, readDuePayments } from './store.ts'
import { accountNow, type World } from './world.ts'

export interface Bank {
  /** What it answers to a request that did not come through its door. */
  answer(request: RawRequest): Promise<Answer>
  /** Opens the door; the address to call it at. */
  start(): Promise<string>
  stop(): Promise<void>
  /** What `runOnce` would find. */
  readonly due: readonly Due[]
  /** Does what time has made due and sends due notifications; how many those were. */
  runOnce(): Promise<number>
}

export function createBank(world: World): Bank {
  let server: BankServer | undefined
  return {
    answer: (request) => dispatch(world, request),
    async start() {
      server ??= await startServer(world)
      return server.url
    },
    async stop() {
      await server?.stop()
      server = undefined
    },
    due: [bankPaymentsDue, bankNotificationsDue],
    runOnce: async () => (await advanceDue(world)) + (await sendNotifications(world)),
  }
}

/** Several nodes may try the same payment: one writes, the others find it changed. */
async function advanceDue(world: World): Promise<number> {
  const due = await readDuePayments(world.db, world.clock.now())
  const written = await Promise.all(
    due.map(async ({ account, paymentId }) => {
      const seen = await lookFresh(world, { account, target: paymentId })
      return (
        seen.kept &&
        save(world, seen, { draft: advanced(seen.kept.payment, accountNow(world, seen.account)) })
      )
    }),
  )
  return written.filter(Boolean).length
}
