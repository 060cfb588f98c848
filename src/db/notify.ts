import { type Database, type Queryable, sql } from './database.ts'

const NOTIFY = sql<never>('db.notify', 'select pg_notify($1, said) from unnest($2::text[]) said')

/** Says each of these to whoever listens on the channel, on every node; up to 8,000 bytes each. */
export async function notify(db: Queryable, channel: string, ...said: readonly string[]): Promise<void> {
  await db.query(NOTIFY, [channel, said])
}

/** A notification channel. `heard` is also called with an empty text whenever listening begins. */
export const channelOf = (db: Pick<Database, 'query' | 'listen'>, channel: string) => ({
  publish: (...messages: readonly string[]) => notify(db, channel, ...messages),
  subscribe: (heard: (message: string) => void) => db.listen(channel, heard),
})
