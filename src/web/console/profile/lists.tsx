import { Card } from '../../kit/html/layout.tsx'
import type { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import type { listSessions } from '../../../people/sessions/sessions.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { AskButton, GetButton, PostButton } from '../../kit/html/forms.tsx'
import { Table } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { usePersonRequest } from '../../kit/screen.tsx'

type Passkey = Awaited<ReturnType<typeof listPasskeys>>[number]
type Session = Awaited<ReturnType<typeof listSessions>>[number]

interface PasskeysProps {
  readonly passkeys: readonly Passkey[]
}

export function PasskeysCard({ passkeys }: PasskeysProps) {
  const request = usePersonRequest()
  const { profile, frame } = request.texts
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
          rows={passkeys.map((passkey) => ({ cells: passkeyCells(request, passkey) }))}
        />
      )}
      <div class="buttons with-passkeys">
        <GetButton href="/console/profile/passkeys/new">{profile.addPasskey}</GetButton>
      </div>
      <p class="muted small without-passkeys">{profile.needsScript}</p>
    </Card>
  )
}

function passkeyCells(
  request: PersonRequest,
  { credentialId, name, isSynced, createdTime, lastUsedTime }: Passkey,
) {
  const { profile } = request.texts
  return [
    <>
      <bdi>{name}</bdi>
      {isSynced && <span class="muted"> · {profile.synced}</span>}
    </>,
    <Time time={createdTime} style="day" />,
    lastUsedTime ? <Time time={lastUsedTime} /> : profile.never,
    <AskButton href={`/console/profile/passkeys/remove?id=${encodeURIComponent(credentialId)}`}>
      {profile.remove}
    </AskButton>,
  ]
}

/** The teams of the person, each with the way out. */
export function TeamsCard() {
  const request = usePersonRequest()
  const { profile, team } = request.texts
  const teams = request.person.memberships.flatMap(({ licenseId, role }) => {
    const app = request.apps.find((one) => one.licenseId === licenseId)
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
          { label: request.texts.frame.more, isQuiet: true },
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
  readonly sessions: readonly Session[]
}

export function SessionsCard({ sessions }: SessionsProps) {
  const request = usePersonRequest()
  const { profile, frame } = request.texts
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
        rows={sessions.map((session) => ({ cells: sessionCells(request, session) }))}
      />
    </Card>
  )
}

function sessionCells(request: PersonRequest, session: Session) {
  const { profile } = request.texts
  const { sessionId, userAgent, address, createdTime, lastSeenTime } = session
  return [
    <bdi>{userAgent}</bdi>,
    <bdi>{address}</bdi>,
    <Time time={createdTime} />,
    <Time time={lastSeenTime} />,
    sessionId === request.person.sessionId ? (
      <span class="muted">{profile.thisSession}</span>
    ) : (
      <PostButton
        action="/console/profile/sessions/end"
        hidden={{ id: sessionId }}
        label={profile.endLabel(userAgent)}
      >
        {profile.end}
      </PostButton>
    ),
  ]
}
