import type { ApiError } from '../../../base/errors.ts'
import { parseUrl } from '../../../base/text.ts'
import { findPerson } from '../../../people/accounts/settings.ts'
import { otherWaysOf } from '../../../people/accounts/verify.ts'
import { findOpenLink } from '../../../people/links/links.ts'
import { resetPassword, resetSecondFactor } from '../../../people/members/resets.ts'
import type { OpenRequest } from '../../kit/frame/request.ts'
import { renderPlain, type ScreenProps } from '../../kit/frame/shell.tsx'
import { Button, Checkbox, Hidden } from '../../kit/html/controls.tsx'
import { errorsByField, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useOpenRequest } from '../../kit/screen.tsx'
import { clientOf } from './client.ts'
import { NewPassword } from './fields.tsx'
import { gone, OF_LINKS, tokenOf } from './links.tsx'

// Links for a lost password or second factor. They show what else opens the account.

type ResetKind = 'password-reset' | 'owner-restore' | 'second-factor-reset'

interface OpenReset {
  readonly passkeys: readonly string[]
  readonly issuers: readonly string[]
  /** The link is the first proof of the address: everything that was set before ends. */
  readonly isFirstProof: boolean
}

async function openReset({ ctx, call }: OpenRequest, kind: ResetKind): Promise<OpenReset | undefined> {
  const link = await findOpenLink(ctx, call.params.token ?? '', kind)
  const person = link?.personId ? await findPerson(ctx, link.personId) : undefined
  if (!link || !person) return undefined
  const isFirstProof = link.isMailed && !person.isVerified
  return { ...(await otherWaysOf(ctx, person.personId)), isFirstProof }
}

/** Passkeys and identities, and the choice to remove them. Forced: they are removed in any case. */
function OtherWays({ open, isForced }: { readonly open: OpenReset; readonly isForced?: boolean }) {
  const request = useOpenRequest()
  const { account } = request.texts
  const { passkeys, issuers, isFirstProof } = open
  if (isFirstProof) return <p>{account.firstProof}</p>
  if (passkeys.length + issuers.length === 0) return null
  return (
    <>
      <p>{isForced ? account.endedWays : account.otherWays}</p>
      <ul class="grants">
        {passkeys.map((name) => (
          <li>
            {account.otherPasskey}: <bdi>{name}</bdi>
          </li>
        ))}
        {issuers.map((issuer) => (
          <li>
            {account.otherProvider}: <bdi>{issuerName(request, issuer)}</bdi>
          </li>
        ))}
      </ul>
      {!isForced && (
        <>
          <Hidden values={{ ways: 'shown' }} />
          <Checkbox id="remove-others" name="removeOthers" checked>
            {account.removeOthers}
          </Checkbox>
        </>
      )}
    </>
  )
}

function issuerName({ ctx }: OpenRequest, issuer: string): string {
  const { oidc } = ctx.config
  return oidc?.issuer === issuer ? oidc.name : (parseUrl(issuer)?.host ?? issuer)
}

/** Removed unless the page offered the choice and the person declined. */
const removesOthers = ({ call: { form } }: OpenRequest): boolean =>
  form.get('ways') === undefined || form.get('removeOthers') === 'yes'

/** A page of a link with a form, while the link is open. */
async function renderReset(
  request: OpenRequest,
  kind: ResetKind,
  page: (open: OpenReset) => Pick<ScreenProps, 'title' | 'status' | 'children'>,
): Promise<PageAnswer> {
  const open = await openReset(request, kind)
  if (!open) return gone(request)
  const { children, ...props } = page(open)
  return renderPlain(request, {
    name: 'reset',
    ...props,
    children: (
      <form method="post" action={request.call.path} class="stack card">
        {children}
      </form>
    ),
  })
}

export const passwordReset = (kind: 'password-reset' | 'owner-restore') => {
  const isRestore = kind === 'owner-restore'
  const show = (request: OpenRequest, problem?: ApiError): Promise<PageAnswer> =>
    renderReset(request, kind, (open) => {
      const { account } = request.texts
      return {
        title: isRestore ? account.restoreTitle : account.resetTitle,
        status: problem?.status ?? 200,
        children: (
          <>
            {isRestore && <p>{account.restoreIntro}</p>}
            <NewPassword label={account.newPassword} {...errorsByField(problem).for('password')} />
            <OtherWays open={open} isForced={isRestore} />
            <Button>{account.resetButton}</Button>
          </>
        ),
      }
    })

  return {
    show: (request: OpenRequest) => show(request),
    post: (request: OpenRequest): Promise<PageAnswer> =>
      retryForm(
        async () => {
          const password = request.call.form.get('password') ?? ''
          const reset = { token: tokenOf(request), password, kind, removeOthers: removesOthers(request) }
          await resetPassword(request.ctx, reset, clientOf(request.call))
          return seeOther('/console/sign-in?note=changed')
        },
        (problem) => (problem.code === 'not_found' ? gone(request) : show(request, problem)),
        OF_LINKS,
      ),
  }
}

export const showSecondFactorReset = (request: OpenRequest): Promise<PageAnswer> =>
  renderReset(request, 'second-factor-reset', (open) => {
    const { account } = request.texts
    return {
      title: account.secondTitle,
      children: (
        <>
          <p>{account.secondIntro}</p>
          <OtherWays open={open} />
          <Button>{account.secondButton}</Button>
        </>
      ),
    }
  })

export const postSecondFactorReset = (request: OpenRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const reset = { token: tokenOf(request), removeOthers: removesOthers(request) }
      await resetSecondFactor(request.ctx, reset, clientOf(request.call))
      return seeOther('/console/sign-in?note=second-factor-removed')
    },
    () => gone(request),
    OF_LINKS,
  )
