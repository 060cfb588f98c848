import { ApiError } from '../../../base/errors.ts'
import { licenseName } from '../../../merchants/licenses/commands.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { seeOther } from '../../kit/request/answer.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import { cookieName } from '../../../people/cookie.ts'
import { findInvitation, joinAsExisting, joinAsNew } from '../../../people/members/invitations.ts'
import { findSession } from '../../../people/sessions/sessions.ts'
import { renderPlain } from '../../kit/frame/shell.tsx'
import type { OpenRequest } from '../../kit/frame/request.ts'
import { errorsByField } from '../../kit/refusal.ts'
import { clientOf } from './client.ts'
import { useOpenRequest } from '../../kit/screen.tsx'

export const tokenOf = ({ call }: OpenRequest): string => call.params.token ?? ''

/** For a link that is unknown, expired or used. */
export function gone(request: OpenRequest): PageAnswer {
  const { account } = request.texts
  return renderPlain(request, {
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
export async function orAgain(
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

export async function showInvitation(request: OpenRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, call, texts } = request
  const { account } = texts
  const found = await findInvitation(ctx, tokenOf(request))
  if (!found) return gone(request)
  const { link, way } = found
  const person = await findSession(ctx, call.cookie(cookieName(ctx)))
  const isOwn = person?.email === link.email
  const wrong = errorsByField(problem)
  const here = `/console/join/${tokenOf(request)}`
  const isForm = way !== 'sign-in' && (isOwn || !person)
  const isUnproved = problem?.extras.members?.isNotVerified === true
  const title = account.joinTitle((await licenseName(ctx, link.licenseId ?? '')) ?? '')
  return renderPlain(request, {
    name: 'join',
    title,
    status: problem?.status ?? 200,
    flash:
      problem && wrong.size === 0
        ? { kind: 'bad', text: isUnproved ? account.joinUnproved : problem.message }
        : undefined,
    children: (
      <form method="post" action={here} class="stack card">
        <p>{account.joinIntro(link.email, link.role ?? '')}</p>
        {person && !isOwn && <p>{account.joinOther(link.email)}</p>}
        {!person && way === 'sign-in' && (
          <p>
            {account.joinSignIn}{' '}
            <a href={`/console/sign-in?next=${encodeURIComponent(here)}`}>{account.signIn}</a>
          </p>
        )}
        {isForm && (
          <>
            {way === 'take-over' && <p>{account.firstProof}</p>}
            <Field
              id="name"
              name="name"
              label={account.name}
              autoComplete="name"
              required
              {...wrong.for('name')}
            />
            <NewPassword label={account.password} {...wrong.for('password')} />
            <Button>{way === 'new' ? account.createAccount : account.join}</Button>
          </>
        )}
        {isOwn && !isForm && !isUnproved && <Button>{account.join}</Button>}
        {isUnproved && (
          <p>
            <a href="/console/forgot">{account.forgot}</a>
          </p>
        )}
      </form>
    ),
  })
}

interface NewPasswordProps {
  readonly label: string
  readonly error?: string
}

export const NewPassword = ({ ...rest }: NewPasswordProps) => {
  const request = useOpenRequest()
  return (
    <Field
      id="password"
      name="password"
      type="password"
      hint={request.texts.account.passwordHint}
      autoComplete="new-password"
      required
      ltr
      {...rest}
    />
  )
}

export async function acceptInvitation(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call } = request
  const person = await findSession(ctx, call.cookie(cookieName(ctx)))
  const work = async () => {
    const found = await findInvitation(ctx, tokenOf(request))
    const isForm = found?.way !== 'sign-in' && person?.email === found?.link.email
    if (person && !isForm) {
      await joinAsExisting(ctx, tokenOf(request), person)
      return seeOther('/console/home')
    }
    const account = { name: call.form.get('name') ?? '', password: call.form.get('password') ?? '' }
    await joinAsNew(ctx, tokenOf(request), account, clientOf(call))
    return seeOther('/console/sign-in?note=joined')
  }
  return orAgain(work, (problem) => showInvitation(request, problem))
}
