import type { ApiError, ErrorCode } from '../../../base/errors.ts'
import { licenseName } from '../../../merchants/licenses/commands.ts'
import { cookieName } from '../../../people/cookie.ts'
import { findInvitation, joinAsExisting, joinAsNew } from '../../../people/members/invitations.ts'
import { findSession } from '../../../people/sessions/sessions.ts'
import type { OpenRequest } from '../../kit/frame/request.ts'
import { renderPlain } from '../../kit/frame/shell.tsx'
import { Button } from '../../kit/html/controls.tsx'
import { errorsByField, refused, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { clientOf } from './client.ts'
import { NameField, NewPassword } from './fields.tsx'

export const tokenOf = ({ call }: OpenRequest): string => call.params.token ?? ''

/** Refusals that pages of links have texts for: a link of another person, one that is used. */
export const OF_LINKS: readonly ErrorCode[] = ['forbidden', 'not_found']

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

export async function showInvitation(request: OpenRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, call, texts } = request
  const { account } = texts
  const found = await findInvitation(ctx, tokenOf(request))
  if (!found) return gone(request)
  const { link, way } = found
  const person = await findSession(ctx, call.cookie(cookieName(ctx)))
  const isOwn = person?.email === link.email
  const errors = errorsByField(problem)
  const here = `/console/join/${tokenOf(request)}`
  const isForm = way !== 'sign-in' && (isOwn || !person)
  const isUnproved = problem?.extras.members?.isNotVerified === true
  return renderPlain(request, {
    name: 'join',
    title: account.joinTitle({ business: (await licenseName(ctx, link.licenseId ?? '')) ?? '' }),
    ...refused(request, problem),
    ...(isUnproved && { flash: { kind: 'bad' as const, text: account.joinUnproved } }),
    children: (
      <form method="post" action={here} class="stack card">
        <p>{account.joinIntro({ email: link.email, role: link.ownRoleName ?? link.role ?? '' })}</p>
        {person && !isOwn && <p>{account.joinOther({ email: link.email })}</p>}
        {!person && way === 'sign-in' && (
          <p>
            {account.joinSignIn}{' '}
            <a href={`/console/sign-in?next=${encodeURIComponent(here)}`}>{account.signIn}</a>
          </p>
        )}
        {isForm && (
          <>
            {way === 'take-over' && <p>{account.firstProof}</p>}
            <NameField {...errors.for('name')} />
            <NewPassword label={account.password} {...errors.for('password')} />
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

export async function acceptInvitation(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call } = request
  const token = tokenOf(request)
  const person = await findSession(ctx, call.cookie(cookieName(ctx)))
  return retryForm(
    async () => {
      const found = await findInvitation(ctx, token)
      const isForm = found?.way !== 'sign-in' && person?.email === found?.link.email
      if (person && !isForm) {
        await joinAsExisting(ctx, token, person)
        return seeOther('/console/home')
      }
      const account = { name: call.form.get('name') ?? '', password: call.form.get('password') ?? '' }
      await joinAsNew(ctx, token, account, clientOf(call))
      return seeOther('/console/sign-in?note=joined')
    },
    (problem) => showInvitation(request, problem),
    OF_LINKS,
  )
}
