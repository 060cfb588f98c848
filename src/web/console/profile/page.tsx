import { type ApiError, notFound } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { changePassword } from '../../../people/accounts/password.ts'
import { changeSettings, findPerson } from '../../../people/accounts/settings.ts'
import { sessionCookie } from '../../../people/cookie.ts'
import { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import { endOtherSessions, endSession, listSessions } from '../../../people/sessions/sessions.ts'
import { remainingRecoveryCodes } from '../../../people/totp/commands.ts'
import { clientOf, nextPage } from '../account/client.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { personQuestion } from '../../kit/question.tsx'
import { refused, retryForm } from '../../kit/refusal.ts'
import { CONSOLE_LANGUAGES } from '../../kit/texts/languages.ts'
import { PasswordCard, SecondFactorCard, YouCard } from './cards.tsx'
import { PasskeysCard, SessionsCard, TeamsCard } from './lists.tsx'

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
    ...refused(again?.problem),
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
