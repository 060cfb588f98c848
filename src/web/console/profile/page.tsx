import { type ApiError, notFound } from '../../../base/errors.ts'
import { zoneChoices, zoneName } from '../../../base/time/zone-names.ts'
import { changePassword } from '../../../people/accounts/password.ts'
import { changeSettings, findPerson } from '../../../people/accounts/settings.ts'
import { sessionCookie } from '../../../people/cookie.ts'
import { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import type { Person } from '../../../people/person.ts'
import { endOtherSessions, endSession, listSessions } from '../../../people/sessions/sessions.ts'
import { UNKNOWN_AGENT } from '../../../people/sessions/user-agent.ts'
import { roleName } from '../../../people/signed-in.ts'
import { remainingRecoveryCodes } from '../../../people/totp/commands.ts'
import { Time, timeZoneOf } from '../../kit/format/time.tsx'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Button, Checkbox, Field, Select } from '../../kit/html/controls.tsx'
import { Form, GetButton, PostButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { personQuestion } from '../../kit/question.tsx'
import { errorsByField, refused, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { usePersonRequest } from '../../kit/screen.tsx'
import { CONSOLE_LANGUAGES } from '../../kit/texts/languages.ts'
import { clientOf, nextPage } from '../account/client.ts'

export const PROFILE = '/console/profile'

export const crumbs = ({ texts }: PersonRequest) => [{ label: texts.profile.title, href: PROFILE }]

/** A refused form, which is shown again with its errors. */
interface RefusedCard {
  readonly card: 'you' | 'password'
  readonly problem: ApiError
}

export async function showProfile(request: PersonRequest, again?: RefusedCard): Promise<PageAnswer> {
  const { ctx, texts, person } = request
  const { personId } = person
  const [known, passkeys, sessions, codesLeft] = await Promise.all([
    findPerson(ctx, personId),
    listPasskeys(ctx, personId),
    listSessions(ctx, personId),
    remainingRecoveryCodes(ctx, personId),
  ])
  if (!known) throw notFound('The person')
  const problemOf = (card: RefusedCard['card']) => (again?.card === card ? again.problem : undefined)
  return renderScreen(request, {
    name: 'profile',
    title: texts.profile.title,
    ...refused(request, again?.problem),
    children: (
      <>
        <div class="columns">
          <YouCard known={known} problem={problemOf('you')} />
          <div class="stack">
            <PasswordCard known={known} problem={problemOf('password')} />
            <SecondFactorCard codesLeft={codesLeft} />
          </div>
        </div>
        <PasskeysCard passkeys={passkeys} />
        <TeamsCard />
        <SessionsCard sessions={sessions} />
      </>
    ),
  })
}

const isTheme = (text: string | undefined) => text === 'light' || text === 'dark'

export const postProfile = (request: PersonRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, call, person } = request
      const theme = call.form.get('theme')
      const language = call.form.get('language')
      await changeSettings(ctx, person.personId, {
        name: call.form.get('name') ?? '',
        theme: isTheme(theme) ? theme : null,
        language: CONSOLE_LANGUAGES.find(({ locale }) => locale === language)?.locale ?? null,
        timeZone: call.form.get('timeZone') || null,
        hasShortcuts: call.form.get('shortcuts') === 'yes',
      })
      return seeOther(`${PROFILE}?note=saved`)
    },
    (problem) => showProfile(request, { card: 'you', problem }),
  )

/** The switch in the top bar, which comes back to its page. */
export async function postTheme({ ctx, call, person }: PersonRequest): Promise<PageAnswer> {
  const theme = call.form.get('theme')
  await changeSettings(ctx, person.personId, { theme: isTheme(theme) ? theme : null })
  return seeOther(nextPage(call.form.get('next')))
}

export const postPassword = (request: PersonRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, call, person } = request
      const change = { current: call.form.get('current') ?? '', password: call.form.get('password') ?? '' }
      const token = await changePassword(ctx, person, change, clientOf(call))
      return { location: `${PROFILE}?note=password`, headers: { 'set-cookie': sessionCookie(ctx, token) } }
    },
    (problem) => showProfile(request, { card: 'password', problem }),
  )

export async function postEndSession({ ctx, call, person }: PersonRequest): Promise<PageAnswer> {
  await endSession(ctx, person.personId, call.form.get('id') ?? '')
  return seeOther(`${PROFILE}?note=ended`)
}

/** Ends every session of the person, this one too. */
export const endAll = personQuestion(
  '/profile/sessions/end-all',
  {},
  {
    kind: 'danger',
    back: '/profile',
    texts: ({ profile }) => ({
      title: profile.everywhereTitle,
      body: profile.everywhereBody,
      button: profile.everywhere,
    }),
    async run({ ctx, person }) {
      await endOtherSessions(ctx, person)
      await endSession(ctx, person.personId, person.sessionId)
      return { location: '/console/sign-in?note=ended', headers: { 'set-cookie': sessionCookie(ctx, '') } }
    },
  },
)

interface CardOf {
  readonly known: Person
  /** Why the form of this card was refused. */
  readonly problem: ApiError | undefined
}

function YouCard({ known, problem }: CardOf) {
  const request = usePersonRequest()
  const { profile } = request.texts
  const errors = errorsByField(problem)
  const kept = (name: string, value: string | null) => request.call.form.get(name) ?? value ?? ''
  return (
    <Card title={profile.you}>
      <Form action="/console/profile">
        <OwnAddress known={known} />
        <Field
          id="name"
          name="name"
          label={profile.name}
          autoComplete="name"
          value={kept('name', known.name)}
          required
          {...errors.for('name')}
        />
        <Select
          id="theme"
          name="theme"
          label={profile.theme}
          value={known.theme ?? ''}
          options={[
            { value: '', label: profile.themes.system },
            { value: 'light', label: profile.themes.light },
            { value: 'dark', label: profile.themes.dark },
          ]}
        />
        <Select
          id="language"
          name="language"
          label={profile.language}
          value={known.language ?? ''}
          options={[
            { value: '', label: profile.browserLanguage },
            ...CONSOLE_LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name })),
          ]}
        />
        <Select
          id="time-zone"
          name="timeZone"
          label={profile.timeZone}
          value={known.timeZone === null ? '' : zoneName(known.timeZone)}
          options={[
            { value: '', label: profile.browserZone({ zone: timeZoneOf(request).replaceAll('_', ' ') }) },
            ...zoneChoices(known.timeZone ?? undefined),
          ]}
        />
        <Checkbox id="shortcuts" name="shortcuts" checked={known.hasShortcuts}>
          {profile.shortcuts}
        </Checkbox>
        <div class="buttons">
          <Button>{profile.save}</Button>
        </div>
      </Form>
    </Card>
  )
}

function OwnAddress({ known }: Pick<CardOf, 'known'>) {
  const { profile } = usePersonRequest().texts
  return (
    <>
      <p class="muted">
        <bdi>{known.email}</bdi>
        {!known.isVerified && <span class="pill amber not-verified">{profile.notVerified}</span>}
      </p>
      {!known.isVerified && <p class="small muted">{profile.notVerifiedBody}</p>}
    </>
  )
}

function PasswordCard({ known, problem }: CardOf) {
  const request = usePersonRequest()
  const { profile } = request.texts
  const errors = errorsByField(problem)
  return (
    <Card title={profile.password}>
      <Form action="/console/profile/password">
        {known.hasPassword ? (
          <Field
            id="current"
            name="current"
            type="password"
            label={profile.current}
            autoComplete="current-password"
            required
            ltr
            {...errors.for('code')}
          />
        ) : (
          <p class="muted">{profile.noPassword}</p>
        )}
        <Field
          id="new-password"
          name="password"
          type="password"
          label={profile.newPassword}
          hint={profile.newPasswordHint}
          autoComplete="new-password"
          required
          ltr
          {...errors.for('password')}
        />
        <div class="buttons">
          <Button>{known.hasPassword ? profile.changePassword : profile.setPassword}</Button>
        </div>
      </Form>
    </Card>
  )
}

function SecondFactorCard({ codesLeft }: { readonly codesLeft: number }) {
  const request = usePersonRequest()
  const { profile } = request.texts
  const isOn = request.person.hasSecondFactor
  return (
    <Card title={profile.second}>
      <p>{isOn ? profile.secondOn({ left: String(codesLeft) }) : profile.secondOff}</p>
      <div class="buttons">
        {isOn ? (
          <>
            <QuestionButton href="/console/profile/second-factor/codes">{profile.renew}</QuestionButton>
            <QuestionButton href="/console/profile/second-factor/off">{profile.turnOff}</QuestionButton>
          </>
        ) : (
          <GetButton href="/console/profile/second-factor" kind="primary">
            {profile.setUp}
          </GetButton>
        )}
      </div>
    </Card>
  )
}

type Passkeys = Awaited<ReturnType<typeof listPasskeys>>
type Sessions = Awaited<ReturnType<typeof listSessions>>

function PasskeysCard({ passkeys }: { readonly passkeys: Passkeys }) {
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
                <QuestionButton
                  href={`/console/profile/passkeys/remove?id=${encodeURIComponent(credentialId)}`}
                >
                  {profile.remove}
                </QuestionButton>
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
function TeamsCard() {
  const { apps, person, texts } = usePersonRequest()
  const { profile, team, frame } = texts
  const teams = person.memberships.flatMap(({ licenseId, ...access }) => {
    const app = apps.find((one) => one.licenseId === licenseId)
    return app ? [{ app, role: roleName(access) }] : []
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
            cell: ({ app }) => (
              <QuestionButton href={`/console/${app.appId}/team/leave`}>{team.leave}</QuestionButton>
            ),
          },
        ]}
      />
    </Card>
  )
}

function SessionsCard({ sessions }: { readonly sessions: Sessions }) {
  const { person, texts } = usePersonRequest()
  const { profile, frame } = texts
  const browserOf = ({ userAgent }: Pick<Sessions[number], 'userAgent'>): string =>
    userAgent === UNKNOWN_AGENT ? profile.unknownBrowser : userAgent
  return (
    <Card
      title={profile.sessions}
      action={<QuestionButton href="/console/profile/sessions/end-all">{profile.everywhere}</QuestionButton>}
    >
      <List
        caption={profile.sessions}
        items={sessions}
        columns={[
          { label: profile.browser, cell: (session) => <bdi>{browserOf(session)}</bdi> },
          { label: profile.address, cell: ({ address }) => <bdi>{address}</bdi> },
          { label: profile.signedIn, isTime: true, cell: ({ createdTime }) => <Time time={createdTime} /> },
          { label: profile.lastSeen, isTime: true, cell: ({ lastSeenTime }) => <Time time={lastSeenTime} /> },
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
                  label={profile.endLabel({ browser: browserOf({ userAgent }) })}
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
