import type { AuditFilter } from '../../audit/audit.ts'
import { readId, readInstant } from '../../http/wire.ts'

/** The members of the address that filter; the form has a field for each. */
const FILTER_FIELDS = ['action', 'actor', 'target', 'from', 'to'] as const

const MOST = 200

const textOf = (value: string | undefined): string | undefined => value?.trim().slice(0, MOST) || undefined

/** `2026-11-03` begins at midnight UTC; `to` includes its day. */
function dayOf(text: string | undefined, addDays: number): Date | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const start = readInstant(`${text}T00:00:00Z`)
  if (start) start.setUTCDate(start.getUTCDate() + addDays)
  return start
}

export const filterOf = (query: Readonly<Record<string, string>>): Omit<AuditFilter, 'limit'> => ({
  before: readId(query.cursor ?? ''),
  action: textOf(query.action),
  actorId: textOf(query.actor),
  target: textOf(query.target),
  from: dayOf(query.from, 0),
  to: dayOf(query.to, 1),
})

export const isFiltered = (query: Readonly<Record<string, string>>): boolean =>
  FILTER_FIELDS.some((name) => Boolean(query[name]))
