import type { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import type { listSessions } from '../../../people/sessions/sessions.ts'
import { Time } from '../../kit/format/time.tsx'
import { AskButton, GetButton, PostButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { usePersonRequest } from '../../kit/screen.tsx'

type Passkeys = Awaited<ReturnType<typeof listPasskeys>>
type Sessions = Awaited<ReturnType<typeof listSessions>>

export function PasskeysCard({ passkeys }: { readonly passkeys: Passkeys }) {
  const { profile, frame } = usePersonRequest().texts
  return (
    <Card title={profile.passkeys}>
      <p>{profile.passkeysIntro}</p>
      {passkeys.length === 0 ? (
        <p class="muted">{profile.noPasskeys}</p>
      ) : (
        <List
          caption={profile.passkeys}
          items={passkeys}
          columns={[
            {
              label: profile.passkeyName,
              cell: ({ name, isSynced }) => (
                <>
                  <bdi>{name}</bdi>
                  {isSynced && <span class="muted"> · {profile.synced}</span>}
                </>
              ),
            },
            { label: profile.added, cell: ({ createdTime }) => <Time time={createdTime} style="day" /> },
            {
              label: profile.lastUsed,
              cell: ({ lastUsedTime }) => (lastUsedTime ? <Time time={lastUsedTime} /> : profile.never),
            },
            {
              label: frame.more,
              isQuiet: true,
              cell: ({ credentialId }) => (
                <AskButton href={`/console/profile/passkeys/remove?id=${encodeURIComponent(credentialId)}`}>
                  {profile.remove}
                </AskButton>
              ),
            },
          ]}
        />
      )}
      <div class="buttons with-passkeys">
        <GetButton href="/console/profile/passkeys/new">{profile.addPasskey}</GetButton>
      </div>
      <p class="muted small without-passkeys">{profile.needsScript}</p>
    </Card>
  )
}

/** The teams of the person, each with the way out. */
export function TeamsCard() {
  const { apps, person, texts } = usePersonRequest()
  const { profile, team, frame } = texts
  const teams = person.memberships.flatMap(({ licenseId, role }) => {
    const app = apps.find((one) => one.licenseId === licenseId)
    return app ? [{ app, role }] : []
  })
  if (teams.length === 0) return null
  return (
    <Card title={profile.teams}>
      <List
        caption={profile.teams}
        items={teams}
        columns={[
          { label: profile.teamName, cell: ({ app }) => <bdi>{app.friendlyName}</bdi> },
          { label: team.role, cell: ({ role }) => role },
          {
            label: frame.more,
            isQuiet: true,
            cell: ({ app }) => <AskButton href={`/console/${app.appId}/team/leave`}>{team.leave}</AskButton>,
          },
        ]}
      />
    </Card>
  )
}

export function SessionsCard({ sessions }: { readonly sessions: Sessions }) {
  const { person, texts } = usePersonRequest()
  const { profile, frame } = texts
  return (
    <Card
      title={profile.sessions}
      action={<AskButton href="/console/profile/sessions/end-all">{profile.everywhere}</AskButton>}
    >
      <List
        caption={profile.sessions}
        items={sessions}
        columns={[
          { label: profile.browser, cell: ({ userAgent }) => <bdi>{userAgent}</bdi> },
          { label: profile.address, cell: ({ address }) => <bdi>{address}</bdi> },
          { label: profile.signedIn, cell: ({ createdTime }) => <Time time={createdTime} /> },
          { label: profile.lastSeen, cell: ({ lastSeenTime }) => <Time time={lastSeenTime} /> },
          {
            label: frame.more,
            isQuiet: true,
            cell: ({ sessionId, userAgent }) =>
              sessionId === person.sessionId ? (
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
          },
        ]}
      />
    </Card>
  )
}
