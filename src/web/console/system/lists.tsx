import type { licensePage } from '../../../merchants/licenses/commands.ts'
import { shortText } from '../../kit/format/short-text.ts'
import { membershipOf } from '../../../people/signed-in.ts'
import type { Visit } from '../frame/visit.ts'
import { AskButton } from '../parts/forms.tsx'
import { EmptyState, Pager, Table } from '../parts/table.tsx'
import { Time, timeIn } from '../parts/time.tsx'
import { providerName } from '../payments/names.ts'
import { troubleText } from '../routing/words.ts'
import { depthText, type StateProps } from './cards.tsx'
import { bytesText, countText } from './units.ts'

const NAME_SHOWN = 60

/** Only jobs that have something to do; the others are counted. */
export function Queues({ visit, state }: StateProps) {
  const { language, texts } = visit
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
              oldest && <Time visit={visit} time={oldest} style="second" />,
            ],
          }))}
        />
      )}
      {busy.length > 0 && <p class="muted small">{system.idle(countText(language.intl, idle))}</p>}
    </section>
  )
}

export function Troubles({ visit, state }: StateProps) {
  const { language, texts } = visit
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
              <bdi>{`${shortText(row.profileName, NAME_SHOWN)} (${providerName(visit, row.provider)})`}</bdi>,
              <bdi>{shortText(troubleText(visit, row.says), 120)}</bdi>,
              countText(language.intl, row.failures),
              <Time visit={visit} time={row.dueTime} style="second" />,
            ],
          }))}
        />
      )}
    </section>
  )
}

type LicensePage = Awaited<ReturnType<typeof licensePage>>

interface LicensesProps {
  readonly visit: Visit
  readonly licenses: LicensePage
}

export function Licenses({ visit, licenses }: LicensesProps) {
  const { system, frame } = visit.texts
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
            <LicenseActions visit={visit} license={license} />,
            <ul>
              {license.apps.map((app) => (
                <li>
                  <bdi>{appText(app)}</bdi> <code class="muted">{app.appId}</code>
                </li>
              ))}
            </ul>,
            <Time visit={visit} time={license.createdTime} style="day" />,
          ],
        }))}
      />
      <Pager visit={visit} next={licenses.hasNext ? licenses.items.at(-1)?.licenseId : undefined} />
    </section>
  )
}

interface LicenseProps {
  readonly visit: Visit
  readonly license: LicensePage['items'][number]
}

/** The own licences are opened, those of others are entered with a reason. */
function LicenseActions({ visit, license }: LicenseProps) {
  const { system } = visit.texts
  const membership = membershipOf(visit.person, license.licenseId)
  const [app] = license.apps
  const page = `/console/system/licenses/${encodeURIComponent(license.licenseId)}`
  return (
    <div class="buttons">
      {membership && app && (
        <a href={`/console/${app.appId}/overview`}>
          {membership.endsTime ? system.openUntil(timeIn(visit, membership.endsTime, 'short')) : system.open}
        </a>
      )}
      {!membership && <AskButton href={`${page}/enter`}>{system.enter}</AskButton>}
      {!license.hasOwner && <AskButton href={`${page}/invite`}>{system.inviteOwner}</AskButton>}
    </div>
  )
}

export function Tables({ visit, state }: StateProps) {
  const { language, texts } = visit
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
