import type { Queryable } from '../db/database.ts'
import { openByKind, sourcesByProvider } from './store/health.ts'

export { EXCEPTION_KINDS } from './store/exceptions.ts'

/** What an operator watches, over all apps. */
export async function settlementHealth(db: Queryable, now: Date) {
  const [exceptions, sources] = await Promise.all([openByKind(db, now), sourcesByProvider(db, now)])
  return { exceptions, sources }
}
