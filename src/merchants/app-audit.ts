import { audit, type NewEntry } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { App } from './app.ts'

/** Records a change to the app, or to something that belongs to it. */
export const auditApp = (
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: Queryable,
  { licenseId, appId }: Pick<App, 'licenseId' | 'appId'>,
  entry: Omit<NewEntry, 'licenseId' | 'appId'>,
): Promise<void> => audit(ctx, tx, { licenseId, appId, ...entry })

/**
 * Both sides of the members that a change gives another value; undefined members stay unchanged. Bytes hold
 * secrets and images: of them only the name is recorded.
 */
export function changedMembers(
  before: object,
  changes: object,
): { readonly before: object; readonly after: object } | undefined {
  const old = before as Readonly<Record<string, unknown>>
  const changed = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(old[name] ?? null),
  )
  if (changed.length === 0) return undefined
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, recorded(old[name] ?? null)])),
    after: Object.fromEntries(changed.map(([name, value]) => [name, recorded(value)])),
  }
}

const recorded = (value: unknown): unknown => (value instanceof Uint8Array ? 'set' : value)
