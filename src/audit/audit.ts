import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { AuditActor, AuditEntry, AuditFilter, NewEntry } from './entry.ts'
import { insertEntry, listActors, listEntries } from './store.ts'

export type { AuditActor, AuditEntry, AuditFilter, NewEntry } from './entry.ts'

/**
 * Records a change on behalf of the context's actor, in the transaction of the change. Without an actor, as
 * in jobs, nothing is recorded. Decision 0114.
 */
export async function audit(
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: Queryable,
  entry: NewEntry,
): Promise<void> {
  if (ctx.actor) await insertEntry(tx, ctx.actor, entry, ctx.clock.now())
}

/** Newest first. */
export const auditEntries = (
  ctx: Pick<Context, 'db'>,
  licenseId: string,
  filter: AuditFilter,
): Promise<AuditEntry[]> => listEntries(ctx.db, licenseId, filter)

/** Who made the latest changes, by name. */
export const auditActors = (ctx: Pick<Context, 'db'>, licenseId: string): Promise<AuditActor[]> =>
  listActors(ctx.db, licenseId)
