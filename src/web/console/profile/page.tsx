import { ApiError, notFound } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { changePassword } from '../../../people/accounts/password.ts'
import { changeSettings, findPerson } from '../../../people/accounts/settings.ts'
import { sessionCookie } from '../../../people/cookie.ts'
import { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import { endOtherSessions, endSession, listSessions } from '../../../people/sessions/sessions.ts'
import { remainingRecoveryCodes } from '../../../people/totp/commands.ts'
import { clientOf, nextPage } from '../account/client.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { Visit } from '../frame/visit.ts'
import { Ask } from '../parts/forms.tsx'
import { CONSOLE_LANGUAGES } from '../texts/languages.ts'
import { PasswordCard, SecondFactorCard, YouCard } from './cards.tsx'
import { PasskeysCard, SessionsCard, TeamsCard } from './lists.tsx'

export const PROFILE = '/console/profile'

export const crumbs = ({ texts }: Visit) => [{ label: texts.profile.title, href: PROFILE }]

/** A refused form, which is shown again with its errors. */
interface Refused {
  readonly card: 'you' | 'password'
  readonly problem: ApiError
}

export async function showProfile(visit: Visit, refused?: Refused): Promise<PageAnswer> {
  const { ctx, call, texts, person } = visit
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
  return drawScreen(visit, {
    name: 'profile',
    title: profile.title,
    status: refused?.problem.status ?? 200,
    flash: problem ? { kind: 'bad', text: problem } : note ? { kind: 'ok', text: note } : undefined,
    children: (
      <>
        <div class="columns">
          <YouCard visit={visit} known={known} problem={problemOf('you')} />
          <div class="stack">
            <PasswordCard visit={visit} known={known} problem={problemOf('password')} />
            <SecondFactorCard visit={visit} codesLeft={codesLeft} />
          </div>
        </div>
        <PasskeysCard visit={visit} passkeys={passkeys} />
        <TeamsCard visit={visit} />
        <SessionsCard visit={visit} sessions={sessions} />
      </>
    ),
  })
}

async function orShown(
  visit: Visit,
  card: Refused['card'],
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return showProfile(visit, { card, problem: error })
    throw error
  }
}

const isTheme = (text: string | undefined) => text === 'light' || text === 'dark'

export const postProfile = (visit: Visit): Promise<PageAnswer> =>
  orShown(visit, 'you', async () => {
    const { ctx, call, person } = visit
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
export async function postTheme({ ctx, call, person }: Visit): Promise<PageAnswer> {
  const theme = call.form.get('theme')
  await changeSettings(ctx, person.personId, { theme: isTheme(theme) ? theme : null })
  return seeOther(nextPage(call.form.get('next')))
}

export const postPassword = (visit: Visit): Promise<PageAnswer> =>
  orShown(visit, 'password', async () => {
    const { ctx, call, person } = visit
    const change = { current: call.form.get('current') ?? '', password: call.form.get('password') ?? '' }
    const token = await changePassword(ctx, person, change, clientOf(call))
    return { location: `${PROFILE}?note=password`, headers: { 'set-cookie': sessionCookie(ctx, token) } }
  })

export async function postEndSession({ ctx, call, person }: Visit): Promise<PageAnswer> {
  await endSession(ctx, person.personId, call.form.get('id') ?? '')
  return seeOther(`${PROFILE}?note=ended`)
}

export const askEndAll = (visit: Visit): PageAnswer => {
  const { profile } = visit.texts
  return drawScreen(visit, {
    name: 'profile',
    title: profile.everywhereTitle,
    crumbs: crumbs(visit),
    children: (
      <Ask
        visit={visit}
        action={`${PROFILE}/sessions/end-all`}
        button={profile.everywhere}
        kind="danger"
        back={PROFILE}
      >
        <p>{profile.everywhereBody}</p>
      </Ask>
    ),
  })
}

export async function postEndAll({ ctx, person }: Visit): Promise<PageAnswer> {
  await endOtherSessions(ctx, person)
  await endSession(ctx, person.personId, person.sessionId)
  return { location: '/console/sign-in?note=ended', headers: { 'set-cookie': sessionCookie(ctx, '') } }
}
