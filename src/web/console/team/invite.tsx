import { type ApiError, invalid } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Field } from '../../kit/html/controls.tsx'
import { isRole, type Role } from '../../../people/access/roles.ts'
import { inviteMember, urlToPassOn, withdrawInvitation } from '../../../people/members/invitations.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { errorsByField } from '../parts/form-errors.ts'
import { Ask } from '../parts/forms.tsx'
import { readLimits } from './limits.ts'
import { crumbs, drawLink, managerOf, orAgain, RoleFields } from './parts.tsx'

export function askInvite(visit: AppVisit, problem?: ApiError): PageAnswer {
  const { texts, base, call } = visit
  const { team } = texts
  const wrong = errorsByField(problem)
  const role = call.form.get('role') ?? ''
  return drawScreen(visit, {
    name: 'team',
    title: team.inviteTitle,
    crumbs: crumbs(visit),
    status: problem?.status ?? 200,
    flash: problem && wrong.size === 0 ? { kind: 'bad', text: problem.message } : undefined,
    children: (
      <Ask visit={visit} action={`${base}/team/invite`} button={team.invite} back={`${base}/team`}>
        <Field
          id="email"
          name="email"
          type="email"
          label={team.email}
          value={call.form.get('email') ?? ''}
          required
          ltr
          {...wrong.at('email')}
        />
        <RoleFields
          visit={visit}
          role={isRole(role) ? role : 'Viewer'}
          limits={call.form.get('refundLimits') ?? ''}
          wrong={wrong}
        />
      </Ask>
    ),
  })
}

/** The role and limits of a form. Limits count for Support only. */
export function readRole({ call, texts }: AppVisit) {
  const role = call.form.get('role') ?? ''
  if (!isRole(role)) throw invalid([{ field: 'role', message: 'is no role' }])
  const lines = call.form.get('refundLimits') ?? ''
  const refundLimits = role === 'Support' ? readLimits(lines, texts.team.limitsWrong) : null
  return { role: role satisfies Role, refundLimits }
}

export const postInvite = (visit: AppVisit): Promise<PageAnswer> =>
  orAgain(
    async () => {
      const { ctx, app, call, texts, base } = visit
      const { licenseId } = app
      const invitation = { licenseId, email: call.form.get('email') ?? '', ...readRole(visit) }
      const shown = await inviteMember(ctx, managerOf(visit), invitation)
      const url = urlToPassOn(shown)
      if (url === undefined) return seeOther(`${base}/team?note=invited`)
      return drawLink(visit, { url, body: texts.team.inviteLinkBody(shown.link.email) })
    },
    (problem) => askInvite(visit, problem),
  )

export async function postWithdraw(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, base } = visit
  await withdrawInvitation(ctx, managerOf(visit), app.licenseId, call.params.linkId ?? '')
  return seeOther(`${base}/team?note=withdrawn`)
}
