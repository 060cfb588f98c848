import { Card } from '../../kit/html/layout.tsx'
import type { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import type { listSessions } from '../../../people/sessions/sessions.ts'
import type { Visit } from '../frame/visit.ts'
import { AskButton, GetButton, PostButton } from '../parts/forms.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

type Passkey = Awaited<ReturnType<typeof listPasskeys>>[number]
type Session = Awaited<ReturnType<typeof listSessions>>[number]

interface PasskeysProps {
  readonly visit: Visit
  readonly passkeys: readonly Passkey[]
}

export function PasskeysCard({ visit, passkeys }: PasskeysProps) {
  const { profile, frame } = visit.texts
  return (
    <Card title={profile.passkeys}>
      <p>{profile.passkeysIntro}</p>
      {passkeys.length === 0 ? (
        <p class="muted">{profile.noPasskeys}</p>
      ) : (
        <Table
          caption={profile.passkeys}
          columns={[
            { label: profile.passkeyName },
            { label: profile.added },
            { label: profile.lastUsed },
            { label: frame.more, isQuiet: true },
          ]}
          rows={passkeys.map((passkey) => ({ cells: passkeyCells(visit, passkey) }))}
        />
      )}
      <div class="buttons with-passkeys">
        <GetButton href="/console/profile/passkeys/new">{profile.addPasskey}</GetButton>
      </div>
      <p class="muted small without-passkeys">{profile.needsScript}</p>
    </Card>
  )
}

function passkeyCells(visit: Visit, { credentialId, name, isSynced, createdTime, lastUsedTime }: Passkey) {
  const { profile } = visit.texts
  return [
    <>
      <bdi>{name}</bdi>
      {isSynced && <span class="muted"> · {profile.synced}</span>}
    </>,
    <Time visit={visit} time={createdTime} style="day" />,
    lastUsedTime ? <Time visit={visit} time={lastUsedTime} /> : profile.never,
    <AskButton href={`/console/profile/passkeys/remove?id=${encodeURIComponent(credentialId)}`}>
      {profile.remove}
    </AskButton>,
  ]
}

/** The teams of the person, each with the way out. */
export function TeamsCard({ visit }: { readonly visit: Visit }) {
  const { profile, team } = visit.texts
  const teams = visit.person.memberships.flatMap(({ licenseId, role }) => {
    const app = visit.apps.find((one) => one.licenseId === licenseId)
    return app ? [{ app, role }] : []
  })
  if (teams.length === 0) return null
  return (
    <Card title={profile.teams}>
      <Table
        caption={profile.teams}
        columns={[
          { label: profile.teamName },
          { label: team.role },
          { label: visit.texts.frame.more, isQuiet: true },
        ]}
        rows={teams.map(({ app, role }) => ({
          cells: [
            <bdi>{app.friendlyName}</bdi>,
            role,
            <AskButton href={`/console/${app.appId}/team/leave`}>{team.leave}</AskButton>,
          ],
        }))}
      />
    </Card>
  )
}

interface SessionsProps {
  readonly visit: Visit
  readonly sessions: readonly Session[]
}

export function SessionsCard({ visit, sessions }: SessionsProps) {
  const { profile, frame } = visit.texts
  return (
    <Card
      title={profile.sessions}
      action={<AskButton href="/console/profile/sessions/end-all">{profile.everywhere}</AskButton>}
    >
      <Table
        caption={profile.sessions}
        columns={[
          { label: profile.browser },
          { label: profile.address },
          { label: profile.signedIn },
          { label: profile.lastSeen },
          { label: frame.more, isQuiet: true },
        ]}
        rows={sessions.map((session) => ({ cells: sessionCells(visit, session) }))}
      />
    </Card>
  )
}

function sessionCells(visit: Visit, session: Session) {
  const { profile } = visit.texts
  const { sessionId, userAgent, address, createdTime, lastSeenTime } = session
  return [
    <bdi>{userAgent}</bdi>,
    <bdi>{address}</bdi>,
    <Time visit={visit} time={createdTime} />,
    <Time visit={visit} time={lastSeenTime} />,
    sessionId === visit.person.sessionId ? (
      <span class="muted">{profile.thisSession}</span>
    ) : (
      <PostButton
        visit={visit}
        action="/console/profile/sessions/end"
        hidden={{ id: sessionId }}
        label={profile.endLabel(userAgent)}
      >
        {profile.end}
      </PostButton>
    ),
  ]
}
