import { type Database, type Queryable, sql } from './database.ts'

const NOTIFY = sql<never>('db.notify', 'select pg_notify($1, said) from unnest($2::text[]) said')

/** Sends messages to all listeners of the channel on every node; at most 8,000 bytes each. */
export async function notify(db: Queryable, channel: string, ...messages: readonly string[]): Promise<void> {
  await db.query(NOTIFY, [channel, messages])
}

/** A notification channel. `received` is also called with an empty message on each (re)connect. */
export const channelOf = (db: Pick<Database, 'query' | 'listen'>, channel: string) => ({
  publish: (...messages: readonly string[]) => notify(db, channel, ...messages),
  subscribe: (received: (message: string) => void) => db.listen(channel, received),
})
