import { type Queryable, sql } from '../../db/database.ts'

/** Payments that somebody looks at, and payments that changed while somebody did. */
export const WATCHED = 'tender_watched'
export const CHANGED = 'tender_changed'

const NOTIFY = sql<never>('live.notify', 'select pg_notify($1, $2)')

export async function notify(db: Queryable, channel: string, name: string): Promise<void> {
  await db.query(NOTIFY, [channel, name])
}
