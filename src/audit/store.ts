import type { Actor } from '../base/actor.ts'
import { type Queryable, sql } from '../db/database.ts'
import type { AuditActor, AuditEntry, AuditFilter, NewEntry } from './entry.ts'

const INSERT = sql<never>(
  'audit.insert',
  `insert into audit_log (license_id, app_id, entry_time, actor_kind, actor_id, actor_name, action, target,
     before, after, address, request_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
)

export async function insertEntry(db: Queryable, actor: Actor, entry: NewEntry, now: Date): Promise<void> {
  await db.query(INSERT, [
    entry.licenseId,
    entry.appId ?? null,
    now,
    actor.kind,
    actor.id,
    actor.name,
    entry.action,
    entry.target,
    jsonOf(entry.before),
    jsonOf(entry.after),
    actor.address,
    actor.requestId,
  ])
}

const jsonOf = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value)

const LIST = sql<AuditEntry>(
  'audit.list',
  `select entry_id, app_id, entry_time as time, actor_kind as "actor.kind", actor_id as "actor.id",
     actor_name as "actor.name", address as "actor.address", request_id as "actor.request_id", action, target,
     before, after
   from audit_log
   where license_id = $1 and ($2::bigint is null or entry_id < $2)
     and ($3::text is null or app_id = $3 or app_id is null)
     and ($4::text is null or actor_id = $4)
     and ($5::text is null or action = $5 or starts_with(action, $5 || '.'))
     and ($6::text is null or target = $6)
     and ($7::timestamptz is null or entry_time >= $7) and ($8::timestamptz is null or entry_time < $8)
   order by entry_id desc limit $9`,
)

/** Newest first. */
export async function listEntries(
  db: Queryable,
  licenseId: string,
  { before, appId, actorId, action, target, from, to, limit }: AuditFilter,
): Promise<AuditEntry[]> {
  const values = [before, appId, actorId, action, target, from, to].map((value) => value ?? null)
  return await db.query(LIST, [licenseId, ...values, limit])
}

/** Actors of the latest entries: the log has no bound, and a filter offers those that it is likely about. */
const ACTORS = sql<AuditActor>(
  'audit.actors',
  `select distinct on (actor_name, actor_id) actor_id as id, actor_name as name
   from (select actor_id, actor_name from audit_log where license_id = $1
     order by entry_id desc limit 1000) latest
   order by actor_name, actor_id limit 100`,
)

export const listActors = (db: Queryable, licenseId: string): Promise<AuditActor[]> =>
  db.query(ACTORS, [licenseId])
