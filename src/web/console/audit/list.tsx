import {
  type AuditActor,
  type AuditEntry,
  type AuditFilter,
  auditActors,
  auditEntries,
} from '../../../audit/audit.ts'
import { readId } from '../../../http/wire.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { SelectOption } from '../../kit/html/controls.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { Filter, List, withQuery } from '../../kit/list.tsx'
import { hasPeriod, periodFields, periodOf } from '../../kit/period.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { type Changed, changesOf, sentenceOf } from './words.ts'

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

/** A choice of the address that the list does not have is one too: an action, a person who left. */
const withChosen = (options: readonly SelectOption[], chosen = ''): readonly SelectOption[] =>
  chosen === '' || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }]

/** Entries of this app and of the licence itself. */
export async function showAudit(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { audit } = texts
  const filter = { ...filterOf(request), appId: app.appId, limit: PAGE_SIZE + 1 }
  const [found, actors] = await Promise.all([
    auditEntries(ctx, app.licenseId, filter),
    auditActors(ctx, app.licenseId),
  ])
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
          <AuditFields actors={actors} isFiltered={isFiltered} />
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
            {
              label: audit.what,
              cell: (entry) => only('target', entry.target, sentenceOf(request, entry)),
            },
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

interface AuditFieldsProps {
  readonly actors: readonly AuditActor[]
  readonly isFiltered: boolean
}

function AuditFields({ actors, isFiltered }: AuditFieldsProps) {
  const request = useRequest()
  const { call, texts, base } = request
  const { audit } = texts
  return (
    <Filter
      name="filter"
      action={`${base}/audit`}
      fields={[
        {
          name: 'actor',
          label: audit.who,
          any: audit.anyone,
          options: withChosen(
            actors.map(({ id, name }) => ({ value: id, label: name })),
            call.query.actor,
          ),
        },
        {
          name: 'action',
          label: audit.what,
          any: audit.anything,
          options: withChosen(
            Object.entries(audit.kinds).map(([value, label]) => ({ value, label })),
            call.query.action,
          ),
        },
        ...periodFields(request),
      ]}
      hidden={call.query.target ? { target: call.query.target } : {}}
      button={audit.filter}
      clear={isFiltered ? audit.clear : undefined}
    />
  )
}

function Change({ entry }: { readonly entry: AuditEntry }) {
  const changes = changesOf(useRequest(), entry)
  return (
    <ul class="changes">
      {changes.map((change) => (
        <Member {...change} />
      ))}
    </ul>
  )
}

/** A longer value is folded: the lists of a routing or policy would fill the page. */
const MAX_SHOWN = 120

function Member({ label, old, fresh }: Changed) {
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
          <summary class="muted">{label}</summary>
          {sides}
        </details>
      </li>
    )
  return (
    <li>
      <span class="muted">{`${label}: `}</span>
      {sides}
    </li>
  )
}
