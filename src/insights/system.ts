import type { Context } from '../context.ts'
import {
  databaseFacts,
  databaseTime,
  largestTables,
  profilesInTrouble,
  type ReadQueues,
  replicaState,
  webhookLag,
} from './system-store.ts'

export { MAX_COUNTED, profilesInTrouble, queueReader, type ReadQueues, webhookLag } from './system-store.ts'

export type SystemState = Awaited<ReturnType<typeof systemState>>

/** What the operator sees of the installation. Every part is bounded and found by an index. */
export async function systemState(ctx: Context, readQueues: ReadQueues) {
  const { db } = ctx
  // First and alone: the other reads would delay it.
  const pace = await databasePace(ctx)
  const now = ctx.clock.now()
  const [database, tables, queues, webhooks, troubles, replica] = await Promise.all([
    databaseFacts(db),
    largestTables(db),
    readQueues(db, now),
    webhookLag(db, now),
    profilesInTrouble(db),
    db.replica && replicaState(db.replica),
  ])
  return { ...pace, database, tables, queues, webhooks, troubles, replica, hasReplica: Boolean(db.replica) }
}

/** How long the database takes to answer, and how far its clock is ahead of this node's. */
async function databasePace({ db, clock }: Context) {
  const startMs = performance.now()
  const before = clock.now().getTime()
  const time = await databaseTime(db)
  const middle = (before + clock.now().getTime()) / 2
  return { latencyMs: performance.now() - startMs, skewMs: (time?.getTime() ?? middle) - middle }
}
