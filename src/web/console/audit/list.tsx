import { type AuditEntry, type AuditFilter, auditEntries } from '../../../audit/audit.ts'
import { readId } from '../../../http/wire.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { Filter, List, withQuery } from '../../kit/list.tsx'
import { hasPeriod, periodFields, periodOf } from '../../kit/period.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'

const PAGE_SIZE = 50
/** Maximum length of a text that filters. */
const MAX_TEXT = 200

/** The members of the address that filter. */
const FILTERS = ['action', 'actor', 'target'] as const

export function filterOf(request: AppRequest): Omit<AuditFilter, 'limit'> {
  const { query } = request.call
  const textOf = (value: string | undefined) => value?.trim().slice(0, MAX_TEXT) || undefined
  return {
    before: readId(query.cursor ?? ''),
    action: textOf(query.action),
    actorId: textOf(query.actor),
    target: textOf(query.target),
    // The audit log has real time.
    ...periodOf(request, request.now),
  }
}

/** Entries of this app and of the licence itself. */
export async function showAudit(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { audit } = texts
  const filter = { ...filterOf(request), appId: app.appId, limit: PAGE_SIZE + 1 }
  const found = await auditEntries(ctx, app.licenseId, filter)
  const entries = found.slice(0, PAGE_SIZE)
  const isFiltered = hasPeriod(request) || FILTERS.some((name) => Boolean(call.query[name]))
  const only = (field: string, value: string, label = value) => (
    <a href={withQuery(call.path, { [field]: value, cursor: undefined })}>
      <bdi>{label}</bdi>
    </a>
  )
  return renderScreen(request, {
    name: 'audit',
    title: audit.title,
    children: (
      <>
        <p class="muted">{audit.intro}</p>
        <div class="actions">
          <Filter
            name="filter"
            action={`${base}/audit`}
            fields={[
              { name: 'actor', label: audit.who },
              { name: 'action', label: audit.what },
              { name: 'target', label: audit.target },
              ...periodFields(request),
            ]}
            button={audit.filter}
            clear={isFiltered ? audit.clear : undefined}
          />
          <GetButton href={`${base}/audit/export?${new URLSearchParams(call.query)}`} shortcut="e">
            {audit.exportCsv}
          </GetButton>
        </div>
        <List
          id="audit-table"
          caption={audit.title}
          items={entries}
          columns={[
            { label: audit.time, cell: ({ time }) => <Time time={time} style="second" /> },
            { label: audit.who, cell: ({ actor }) => only('actor', actor.id, actor.name) },
            { label: audit.what, cell: ({ action }) => only('action', action) },
            { label: audit.target, cell: ({ target }) => only('target', target) },
            { label: audit.change, cell: (entry) => <Change entry={entry} /> },
            { label: audit.address, cell: ({ actor }) => <bdi>{actor.address}</bdi> },
            { label: audit.requestId, cell: ({ actor }) => <code>{actor.requestId}</code> },
          ]}
          empty={isFiltered ? { title: audit.emptyFiltered } : { title: audit.empty, body: audit.emptyBody }}
          next={found.length > PAGE_SIZE ? String(entries.at(-1)?.entryId) : undefined}
        />
      </>
    ),
  })
}

/** Each changed member: before → after. What stayed the same is left out. */
function Change({ entry: { before, after } }: { readonly entry: AuditEntry }) {
  const [old, fresh] = [before ?? {}, after ?? {}] as [Members, Members]
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
  const changed = names.filter((name) => shown(old[name]) !== shown(fresh[name]))
  return (
    <ul class="changes">
      {changed.map((name) => (
        <Member name={name} old={shown(old[name])} fresh={shown(fresh[name])} />
      ))}
    </ul>
  )
}

type Members = Readonly<Record<string, unknown>>

/** Undefined where the side has no such member. */
const shown = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : JSON.stringify(value)

interface MemberProps {
  readonly name: string
  readonly old: string | undefined
  readonly fresh: string | undefined
}

/** A longer value is folded: the lists of a routing or policy would fill the page. */
const MAX_SHOWN = 120

function Member({ name, old, fresh }: MemberProps) {
  const sides = (
    <>
      {old !== undefined && <del>{old}</del>}
      {old !== undefined && fresh !== undefined && ' → '}
      {fresh !== undefined && <ins>{fresh}</ins>}
    </>
  )
  if ((old?.length ?? 0) + (fresh?.length ?? 0) > MAX_SHOWN)
    return (
      <li>
        <details>
          <summary class="muted">{name}</summary>
          {sides}
        </details>
      </li>
    )
  return (
    <li>
      <span class="muted">{`${name}: `}</span>
      {sides}
    </li>
  )
}
