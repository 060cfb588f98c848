import type { AuditEntry } from '../../../audit/audit.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { EmptyState, Pager, Table, type TableRow, withQuery } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { isFiltered } from './filter.ts'
import { useRequest } from '../../kit/screen.tsx'

interface AuditListProps {
  readonly entries: readonly AuditEntry[]
  readonly next: string | undefined
}

export function AuditList({ entries, next }: AuditListProps) {
  const request = useRequest()
  const { texts, call } = request
  const { audit } = texts
  const filtered = isFiltered(call.query)
  return (
    <>
      <p class="muted">{audit.intro}</p>
      <Filter />
      {entries.length === 0 ? (
        <EmptyState title={filtered ? audit.emptyFiltered : audit.empty}>
          {!filtered && <p>{audit.emptyBody}</p>}
        </EmptyState>
      ) : (
        <Table
          id="audit-table"
          caption={audit.title}
          columns={[
            { label: audit.time },
            { label: audit.who },
            { label: audit.what },
            { label: audit.target },
            { label: audit.change },
            { label: audit.address },
            { label: audit.requestId },
          ]}
          rows={entries.map((entry) => rowOf(request, entry))}
        />
      )}
      <Pager next={next} />
    </>
  )
}

function rowOf(request: AppRequest, entry: AuditEntry): TableRow {
  const { actor } = entry
  const only = (field: string, value: string) => (
    <a href={withQuery(request.call.path, { [field]: value, cursor: undefined })}>
      <bdi>{value}</bdi>
    </a>
  )
  return {
    cells: [
      <Time time={entry.time} style="second" />,
      <a href={withQuery(request.call.path, { actor: actor.id, cursor: undefined })}>
        <bdi>{actor.name}</bdi>
      </a>,
      only('action', entry.action),
      only('target', entry.target),
      <Change entry={entry} />,
      <bdi>{actor.address}</bdi>,
      <code>{actor.requestId}</code>,
    ],
  }
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
const MOST_SHOWN = 120

function Member({ name, old, fresh }: MemberProps) {
  const sides = (
    <>
      {old !== undefined && <del>{old}</del>}
      {old !== undefined && fresh !== undefined && ' → '}
      {fresh !== undefined && <ins>{fresh}</ins>}
    </>
  )
  if ((old?.length ?? 0) + (fresh?.length ?? 0) > MOST_SHOWN)
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

function Filter() {
  const { texts, call, base } = useRequest()
  const { audit } = texts
  const { query } = call
  const field = (name: string, label: string) => (
    <Field id={`filter-${name}`} name={name} label={label} value={query[name] ?? ''} />
  )
  return (
    <div class="actions">
      <form class="filter" method="get" action={`${base}/audit`}>
        {field('actor', audit.who)}
        {field('action', audit.what)}
        {field('target', audit.target)}
        <div class="buttons">
          <Button kind="quiet">{audit.filter}</Button>
          {isFiltered(query) && <a href={`${base}/audit`}>{audit.clear}</a>}
        </div>
      </form>
      <GetButton href={`${base}/audit/export?${new URLSearchParams(query)}`} shortcut="e">
        {audit.exportCsv}
      </GetButton>
    </div>
  )
}
