import { ApiError } from '../../base/errors.ts'
import { licenseName } from '../../merchants/licenses/commands.ts'
import type { PageAnswer } from '../../pages/page-route.tsx'
import { seeOther } from '../../pages/page-route.tsx'
import { Button, Field } from '../../pages/ui/controls.tsx'
import { cookieName } from '../../people/cookie.ts'
import { findOpenLink } from '../../people/links/links.ts'
import { findInvitation, joinAsExisting, joinAsNew } from '../../people/members/invitations.ts'
import { resetPassword, resetSecondFactor } from '../../people/members/resets.ts'
import { findSession } from '../../people/sessions/sessions.ts'
import { drawPlain } from '../frame/shell.tsx'
import type { OpenVisit } from '../frame/visit.ts'
import { errorsByField } from '../parts/form-errors.ts'
import { clientOf } from './client.ts'

const tokenOf = ({ call }: OpenVisit): string => call.params.token ?? ''

function gone(visit: OpenVisit): PageAnswer {
  const { account } = visit.texts
  return drawPlain(visit, {
    name: 'link',
    title: account.linkGone,
    status: 404,
    children: (
      <p>
        {account.linkGoneBody} <a href="/console/sign-in">{account.back}</a>
      </p>
    ),
  })
}

/** Runs the work of a form; a refusal shows the form again. */
async function orAgain(
  work: () => Promise<PageAnswer>,
  again: (problem: ApiError) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return again(error)
    throw error
  }
}

export async function showInvitation(visit: OpenVisit, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, call, texts } = visit
  const { account } = texts
  const found = await findInvitation(ctx, tokenOf(visit))
  if (!found) return gone(visit)
  const { link, hasAccount } = found
  const person = await findSession(ctx, call.cookie(cookieName(ctx)))
  const isOwn = person?.email === link.email
  const wrong = errorsByField(problem)
  const here = `/console/join/${tokenOf(visit)}`
  const title = account.joinTitle((await licenseName(ctx, link.licenseId ?? '')) ?? '')
  return drawPlain(visit, {
    name: 'join',
    title,
    status: problem?.status ?? 200,
    flash: problem && wrong.size === 0 ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <form method="post" action={here} class="stack card">
        <p>{account.joinIntro(link.email, link.role ?? '')}</p>
        {person && !isOwn && <p>{account.joinOther(link.email)}</p>}
        {!person && hasAccount && (
          <p>
            {account.joinSignIn}{' '}
            <a href={`/console/sign-in?next=${encodeURIComponent(here)}`}>{account.signIn}</a>
          </p>
        )}
        {!person && !hasAccount && (
          <>
            <Field
              id="name"
              name="name"
              label={account.name}
              autoComplete="name"
              required
              {...wrong.at('name')}
            />
            <NewPassword visit={visit} label={account.password} {...wrong.at('password')} />
            <Button>{account.createAccount}</Button>
          </>
        )}
        {isOwn && <Button>{account.join}</Button>}
      </form>
    ),
  })
}

interface NewPasswordProps {
  readonly visit: OpenVisit
  readonly label: string
  readonly error?: string
}

const NewPassword = ({ visit, ...rest }: NewPasswordProps) => (
  <Field
    id="password"
    name="password"
    type="password"
    hint={visit.texts.account.passwordHint}
    autoComplete="new-password"
    required
    ltr
    {...rest}
  />
)

export async function acceptInvitation(visit: OpenVisit): Promise<PageAnswer> {
  const { ctx, call } = visit
  const person = await findSession(ctx, call.cookie(cookieName(ctx)))
  const work = async () => {
    if (person) {
      await joinAsExisting(ctx, tokenOf(visit), person)
      return seeOther('/console/home')
    }
    const account = { name: call.form.get('name') ?? '', password: call.form.get('password') ?? '' }
    await joinAsNew(ctx, tokenOf(visit), account, clientOf(call))
    return seeOther('/console/sign-in?note=joined')
  }
  return orAgain(work, (problem) => showInvitation(visit, problem))
}

type ResetKind = 'password-reset' | 'owner-restore'

export const passwordReset = (kind: ResetKind) => {
  async function show(visit: OpenVisit, problem?: ApiError): Promise<PageAnswer> {
    const { account } = visit.texts
    if (!(await findOpenLink(visit.ctx, tokenOf(visit), kind))) return gone(visit)
    const wrong = errorsByField(problem)
    const isRestore = kind === 'owner-restore'
    return drawPlain(visit, {
      name: 'reset',
      title: isRestore ? account.restoreTitle : account.resetTitle,
      status: problem?.status ?? 200,
      children: (
        <form method="post" action={visit.call.path} class="stack card">
          {isRestore && <p>{account.restoreIntro}</p>}
          <NewPassword visit={visit} label={account.newPassword} {...wrong.at('password')} />
          <Button>{account.resetButton}</Button>
        </form>
      ),
    })
  }

  const post = (visit: OpenVisit): Promise<PageAnswer> =>
    orAgain(
      async () => {
        const password = visit.call.form.get('password') ?? ''
        await resetPassword(visit.ctx, { token: tokenOf(visit), password, kind }, clientOf(visit.call))
        return seeOther('/console/sign-in?note=changed')
      },
      (problem) => show(visit, problem),
    )

  return { show: (visit: OpenVisit) => show(visit), post }
}

export async function showSecondFactorReset(visit: OpenVisit): Promise<PageAnswer> {
  const { account } = visit.texts
  if (!(await findOpenLink(visit.ctx, tokenOf(visit), 'second-factor-reset'))) return gone(visit)
  return drawPlain(visit, {
    name: 'reset',
    title: account.secondTitle,
    children: (
      <form method="post" action={visit.call.path} class="stack card">
        <p>{account.secondIntro}</p>
        <Button>{account.secondButton}</Button>
      </form>
    ),
  })
}

export const postSecondFactorReset = (visit: OpenVisit): Promise<PageAnswer> =>
  orAgain(
    async () => {
      await resetSecondFactor(visit.ctx, tokenOf(visit), clientOf(visit.call))
      return seeOther('/console/sign-in?note=second-factor-removed')
    },
    async () => gone(visit),
  )
