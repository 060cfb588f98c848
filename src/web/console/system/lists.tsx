import type { licensePage } from '../../../merchants/licenses/commands.ts'
import { shortText } from '../../kit/format/short-text.ts'
import { membershipOf } from '../../../people/signed-in.ts'
import { AskButton } from '../../kit/html/forms.tsx'
import { EmptyState, Pager, Table } from '../../kit/list.tsx'
import { Time, timeIn } from '../../kit/format/time.tsx'
import { depthText, type StateProps } from './cards.tsx'
import { bytesText, countText } from './units.ts'
import { usePersonRequest } from '../../kit/screen.tsx'
import { providerName, troubleText } from '../../kit/format/names.ts'

const NAME_SHOWN = 60

/** Only jobs that have something to do; the others are counted. */
export function Queues({ state }: StateProps) {
  const { language, texts } = usePersonRequest()
  const { system } = texts
  const busy = state.queues.filter(({ depth }) => depth > 0)
  const idle = state.queues.length - busy.length
  return (
    <section class="stack">
      <h2>{system.queues}</h2>
      {busy.length === 0 ? (
        <p>{system.nothingDue}</p>
      ) : (
        <Table
          caption={system.queues}
          columns={[{ label: system.job }, { label: system.depth, end: true }, { label: system.oldest }]}
          rows={busy.map(({ job, depth, oldest }) => ({
            cells: [
              <code>{job}</code>,
              depthText(language.intl, depth),
              oldest && <Time time={oldest} style="second" />,
            ],
          }))}
        />
      )}
      {busy.length > 0 && <p class="muted small">{system.idle(countText(language.intl, idle))}</p>}
    </section>
  )
}

export function Troubles({ state }: StateProps) {
  const request = usePersonRequest()
  const { language, texts } = request
  const { system } = texts
  return (
    <section class="stack">
      <h2>{system.troubles}</h2>
      {state.troubles.length === 0 ? (
        <EmptyState title={system.noTroubles}>
          <p>{system.noTroublesBody}</p>
        </EmptyState>
      ) : (
        <Table
          caption={system.troubles}
          columns={[
            { label: system.app },
            { label: system.profile },
            { label: system.trouble },
            { label: system.failures, end: true },
            { label: system.probe },
          ]}
          rows={state.troubles.map((row) => ({
            cells: [
              <bdi>{shortText(row.appName, NAME_SHOWN)}</bdi>,
              <bdi>
                {shortText(row.profileName, NAME_SHOWN)} ({providerName(request, row.provider)})
              </bdi>,
              <bdi>{shortText(troubleText(request, row.diagnosis), 120)}</bdi>,
              countText(language.intl, row.failures),
              <Time time={row.dueTime} style="second" />,
            ],
          }))}
        />
      )}
    </section>
  )
}

type LicensePage = Awaited<ReturnType<typeof licensePage>>

interface LicensesProps {
  readonly licenses: LicensePage
}

export function Licenses({ licenses }: LicensesProps) {
  const request = usePersonRequest()
  const { system, frame } = request.texts
  const appText = ({ name, isSandbox, isActive }: LicensePage['items'][number]['apps'][number]) =>
    [shortText(name, NAME_SHOWN), isSandbox ? frame.sandbox : frame.live, !isActive && system.inactive]
      .filter(Boolean)
      .join(' · ')
  return (
    <section class="stack">
      <h2>{system.licenses}</h2>
      <Table
        caption={system.licenses}
        columns={[
          { label: system.license },
          // Beside the name, so that a phone shows them.
          { label: frame.more, isQuiet: true },
          { label: system.apps },
          { label: system.created },
        ]}
        rows={licenses.items.map((license) => ({
          cells: [
            <>
              <bdi>{shortText(license.name, NAME_SHOWN)}</bdi>
              {!license.hasOwner && <span class="muted"> · {system.noOwner}</span>}
              <br />
              <code class="muted">{license.licenseId}</code>
            </>,
            <LicenseActions license={license} />,
            <ul>
              {license.apps.map((app) => (
                <li>
                  <bdi>{appText(app)}</bdi> <code class="muted">{app.appId}</code>
                </li>
              ))}
            </ul>,
            <Time time={license.createdTime} style="day" />,
          ],
        }))}
      />
      <Pager next={licenses.hasNext ? licenses.items.at(-1)?.licenseId : undefined} />
    </section>
  )
}

interface LicenseProps {
  readonly license: LicensePage['items'][number]
}

/** The own licences are opened, those of others are entered with a reason. */
function LicenseActions({ license }: LicenseProps) {
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
            ? system.openUntil(timeIn(request, membership.endsTime, 'short'))
            : system.open}
        </a>
      )}
      {!membership && <AskButton href={`${page}/enter`}>{system.enter}</AskButton>}
      {!license.hasOwner && <AskButton href={`${page}/invite`}>{system.inviteOwner}</AskButton>}
    </div>
  )
}

export function Tables({ state }: StateProps) {
  const { language, texts } = usePersonRequest()
  const { system } = texts
  return (
    <section class="stack">
      <h2>{system.tables}</h2>
      <Table
        caption={system.tables}
        columns={[
          { label: system.table },
          { label: system.rows, end: true },
          { label: system.size, end: true },
        ]}
        rows={state.tables.map(({ name, rows, bytes }) => ({
          cells: [
            <code>{name}</code>,
            countText(language.intl, Number(rows)),
            bytesText(language.intl, Number(bytes)),
          ],
        }))}
      />
    </section>
  )
}
