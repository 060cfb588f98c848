import { type ApiError, invalid } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Field } from '../../kit/html/controls.tsx'
import { isRole, type Role } from '../../../people/access/roles.ts'
import { inviteMember, urlToPassOn, withdrawInvitation } from '../../../people/members/invitations.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { errorsByField, retryForm } from '../../kit/refusal.ts'
import { Question } from '../../kit/html/forms.tsx'
import { readLimits } from './limits.ts'
import { crumbs, renderLink, managerOf, RoleFields } from './parts.tsx'

export function askInvite(request: AppRequest, problem?: ApiError): PageAnswer {
  const { texts, base, call } = request
  const { team } = texts
  const wrong = errorsByField(problem)
  const role = call.form.get('role') ?? ''
  return renderScreen(request, {
    name: 'team',
    title: team.inviteTitle,
    crumbs: crumbs(request),
    status: problem?.status ?? 200,
    flash: problem && wrong.size === 0 ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <Question action={`${base}/team/invite`} button={team.invite} back={`${base}/team`}>
        <Field
          id="email"
          name="email"
          type="email"
          label={team.email}
          value={call.form.get('email') ?? ''}
          required
          ltr
          {...wrong.for('email')}
        />
        <RoleFields
          role={isRole(role) ? role : 'Viewer'}
          limits={call.form.get('refundLimits') ?? ''}
          wrong={wrong}
        />
      </Question>
    ),
  })
}

/** The role and limits of a form. Limits count for Support only. */
export function readRole({ call, texts }: AppRequest) {
  const role = call.form.get('role') ?? ''
  if (!isRole(role)) throw invalid([{ field: 'role', message: 'is no role' }])
  const lines = call.form.get('refundLimits') ?? ''
  const refundLimits = role === 'Support' ? readLimits(lines, texts.team.limitsWrong) : null
  return { role: role satisfies Role, refundLimits }
}

export const postInvite = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, app, call, texts, base } = request
      const { licenseId } = app
      const invitation = { licenseId, email: call.form.get('email') ?? '', ...readRole(request) }
      const shown = await inviteMember(ctx, managerOf(request), invitation)
      const url = urlToPassOn(shown)
      if (url === undefined) return seeOther(`${base}/team?note=invited`)
      return renderLink(request, { url, body: texts.team.inviteLinkBody(shown.link.email) })
    },
    (problem) => askInvite(request, problem),
  )

export async function postWithdraw(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, base } = request
  await withdrawInvitation(ctx, managerOf(request), app.licenseId, call.params.linkId ?? '')
  return seeOther(`${base}/team?note=withdrawn`)
}
