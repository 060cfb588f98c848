import type { AuditFilter } from '../../../audit/audit.ts'
import { dayEnd, midnightOf } from '../../../base/time/zone.ts'
import { readId } from '../../../http/wire.ts'

/** The members of the address that filter; the form has a field for each. */
const FILTER_FIELDS = ['action', 'actor', 'target', 'from', 'to'] as const

const MOST = 200

const textOf = (value: string | undefined): string | undefined => value?.trim().slice(0, MOST) || undefined

/** The end of a day, which belongs to the period. */
function endOf(text: string | undefined): Date | undefined {
  const start = midnightOf(text, 'UTC')
  return start && dayEnd(start, 'UTC')
}

export const filterOf = (query: Readonly<Record<string, string>>): Omit<AuditFilter, 'limit'> => ({
  before: readId(query.cursor ?? ''),
  action: textOf(query.action),
  actorId: textOf(query.actor),
  target: textOf(query.target),
  from: midnightOf(query.from, 'UTC'),
  to: endOf(query.to),
})

export const isFiltered = (query: Readonly<Record<string, string>>): boolean =>
  FILTER_FIELDS.some((name) => Boolean(query[name]))
