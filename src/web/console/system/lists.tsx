import type { licensePage } from '../../../merchants/licenses/commands.ts'
import { membershipOf } from '../../../people/signed-in.ts'
import { providerName, troubleText } from '../../kit/format/names.ts'
import { numberText } from '../../kit/format/numbers.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time, timeIn } from '../../kit/format/time.tsx'
import { QuestionButton } from '../../kit/html/forms.tsx'
import { List } from '../../kit/list.tsx'
import { usePersonRequest } from '../../kit/screen.tsx'
import { bytesText, depthText, type StateProps } from './cards.tsx'

/** Only jobs that have something to do; the others are counted. */
export function Queues({ state }: StateProps) {
  const request = usePersonRequest()
  const { system } = request.texts
  const busy = state.queues.filter(({ depth }) => depth > 0)
  const idle = state.queues.length - busy.length
  return (
    <section class="stack">
      <h2>{system.queues}</h2>
      {busy.length === 0 ? (
        <p>{system.nothingDue}</p>
      ) : (
        <>
          <List
            caption={system.queues}
            items={busy}
            columns={[
              { label: system.job, cell: ({ job }) => <code>{job}</code> },
              { label: system.depth, end: true, cell: ({ depth }) => depthText(request, depth) },
              { label: system.oldest, cell: ({ oldest }) => oldest && <Time time={oldest} style="second" /> },
            ]}
          />
          <p class="muted small">{system.idle({ count: numberText(request, idle) })}</p>
        </>
      )}
    </section>
  )
}

export function Troubles({ state }: StateProps) {
  const request = usePersonRequest()
  const { system } = request.texts
  return (
    <section class="stack">
      <h2>{system.troubles}</h2>
      <List
        caption={system.troubles}
        items={state.troubles}
        empty={{ title: system.noTroubles, icon: 'check', body: system.noTroublesBody }}
        columns={[
          { label: system.app, cell: ({ appName }) => <bdi>{shortText(appName, NAME_SHOWN)}</bdi> },
          {
            label: system.profile,
            cell: ({ profileName, provider }) => (
              <bdi>
                {shortText(profileName, NAME_SHOWN)} ({providerName(request, provider)})
              </bdi>
            ),
          },
          {
            label: system.trouble,
            cell: ({ diagnosis }) => <bdi>{shortText(troubleText(request, diagnosis), 120)}</bdi>,
          },
          { label: system.failures, end: true, cell: ({ failures }) => numberText(request, failures) },
          { label: system.probe, cell: ({ dueTime }) => <Time time={dueTime} style="second" /> },
        ]}
      />
    </section>
  )
}

type LicensePage = Awaited<ReturnType<typeof licensePage>>
type License = LicensePage['items'][number]

export function Licenses({ licenses }: { readonly licenses: LicensePage }) {
  const { system, frame } = usePersonRequest().texts
  const appText = ({ name, isSandbox, isActive }: License['apps'][number]) =>
    [shortText(name, NAME_SHOWN), isSandbox ? frame.sandbox : frame.live, !isActive && system.inactive]
      .filter(Boolean)
      .join(' · ')
  return (
    <section class="stack">
      <h2>{system.licenses}</h2>
      <List
        caption={system.licenses}
        items={licenses.items}
        columns={[
          {
            label: system.license,
            cell: ({ name, hasOwner, licenseId }) => (
              <>
                <bdi>{shortText(name, NAME_SHOWN)}</bdi>
                {!hasOwner && <span class="muted"> · {system.noOwner}</span>}
                <br />
                <code class="muted">{licenseId}</code>
              </>
            ),
          },
          // Beside the name, so that a phone shows them.
          { label: frame.more, isQuiet: true, cell: (license) => <LicenseActions license={license} /> },
          {
            label: system.apps,
            cell: ({ apps }) => (
              <ul>
                {apps.map((app) => (
                  <li>
                    <bdi>{appText(app)}</bdi> <code class="muted">{app.appId}</code>
                  </li>
                ))}
              </ul>
            ),
          },
          { label: system.created, cell: ({ createdTime }) => <Time time={createdTime} style="day" /> },
        ]}
        next={licenses.hasNext ? licenses.items.at(-1)?.licenseId : undefined}
      />
    </section>
  )
}

/** The own licences are opened, those of others are entered with a reason. */
function LicenseActions({ license }: { readonly license: License }) {
  const request = usePersonRequest()
  const { system } = request.texts
  const membership = membershipOf(request.person, license.licenseId)
  const [app] = license.apps
  const page = `/console/system/licenses/${encodeURIComponent(license.licenseId)}`
  return (
    <div class="buttons">
      {membership && app && (
        <a href={`/console/${app.appId}/overview`}>
          {membership.endsTime
            ? system.openUntil({ time: timeIn(request, membership.endsTime, 'short') })
            : system.open}
        </a>
      )}
      {!membership && <QuestionButton href={`${page}/enter`}>{system.enter}</QuestionButton>}
      {!license.hasOwner && <QuestionButton href={`${page}/invite`}>{system.inviteOwner}</QuestionButton>}
    </div>
  )
}

export function Tables({ state }: StateProps) {
  const request = usePersonRequest()
  const { system } = request.texts
  return (
    <section class="stack">
      <h2>{system.tables}</h2>
      <List
        caption={system.tables}
        items={state.tables}
        columns={[
          { label: system.table, cell: ({ name }) => <code>{name}</code> },
          { label: system.rows, end: true, cell: ({ rows }) => numberText(request, Number(rows)) },
          { label: system.size, end: true, cell: ({ bytes }) => bytesText(request, Number(bytes)) },
        ]}
      />
    </section>
  )
}
