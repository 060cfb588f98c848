import { ApiError, notFound } from '../../../base/errors.ts'
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
import { CONSOLE_LANGUAGES } from '../../kit/texts/languages.ts'
import { PasswordCard, SecondFactorCard, YouCard } from './cards.tsx'
import { PasskeysCard, SessionsCard, TeamsCard } from './lists.tsx'

export const PROFILE = '/console/profile'

export const crumbs = ({ texts }: PersonRequest) => [{ label: texts.profile.title, href: PROFILE }]

/** A refused form, which is shown again with its errors. */
interface Refused {
  readonly card: 'you' | 'password'
  readonly problem: ApiError
}

export async function showProfile(request: PersonRequest, refused?: Refused): Promise<PageAnswer> {
  const { ctx, call, texts, person } = request
  const { profile } = texts
  const { personId } = person
  const [known, passkeys, sessions, codesLeft] = await Promise.all([
    findPerson(ctx, personId),
    listPasskeys(ctx, personId),
    listSessions(ctx, personId),
    remainingRecoveryCodes(ctx, personId),
  ])
  if (!known) throw notFound('The person')
  const note = Object.hasOwn(profile.notes, call.query.note ?? '')
    ? profile.notes[call.query.note as keyof typeof profile.notes]
    : undefined
  const problemOf = (card: Refused['card']) => (refused?.card === card ? refused.problem : undefined)
  const problem = refused && !refused.problem.extras.errors ? refused.problem.message : undefined
  return renderScreen(request, {
    name: 'profile',
    title: profile.title,
    status: refused?.problem.status ?? 200,
    flash: problem ? { kind: 'bad', text: problem } : note ? { kind: 'ok', text: note } : undefined,
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

async function orShown(
  request: PersonRequest,
  card: Refused['card'],
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return showProfile(request, { card, problem: error })
    throw error
  }
}

const isTheme = (text: string | undefined) => text === 'light' || text === 'dark'

export const postProfile = (request: PersonRequest): Promise<PageAnswer> =>
  orShown(request, 'you', async () => {
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
  })

/** The switch in the top bar, which comes back to its page. */
export async function postTheme({ ctx, call, person }: PersonRequest): Promise<PageAnswer> {
  const theme = call.form.get('theme')
  await changeSettings(ctx, person.personId, { theme: isTheme(theme) ? theme : null })
  return seeOther(nextPage(call.form.get('next')))
}

export const postPassword = (request: PersonRequest): Promise<PageAnswer> =>
  orShown(request, 'password', async () => {
    const { ctx, call, person } = request
    const change = { current: call.form.get('current') ?? '', password: call.form.get('password') ?? '' }
    const token = await changePassword(ctx, person, change, clientOf(call))
    return { location: `${PROFILE}?note=password`, headers: { 'set-cookie': sessionCookie(ctx, token) } }
  })

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
