import type { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { leaveLicense } from '../../../people/licenses/visits.ts'
import { removeMember } from '../../../people/members/members.ts'
import { membershipOf } from '../../../people/signed-in.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Question } from '../../kit/html/forms.tsx'
import { retryForm } from '../../kit/refusal.ts'
import { crumbs, PROFILE } from '../profile/page.tsx'
import { managerOf } from './parts.tsx'

/** A member of any role leaves the team, an operator ends a visit. The command keeps the last owner. */
export function askLeave(request: AppRequest, problem?: ApiError): PageAnswer {
  const { team } = request.texts
  return renderScreen(request, {
    name: 'profile',
    title: team.leaveTitle,
    crumbs: crumbs(request),
    problem,
    children: (
      <Question action={`${request.base}/team/leave`} button={team.leave} kind="danger" back={PROFILE}>
        <p>
          <bdi>{request.app.friendlyName}</bdi>
        </p>
        <p>{team.leaveBody}</p>
      </Question>
    ),
  })
}

export const postLeave = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const { ctx, app, person } = request
      if (membershipOf(person, app.licenseId)?.endsTime)
        await leaveLicense(ctx, app.licenseId, person.personId)
      else await removeMember(ctx, managerOf(request), app.licenseId, person.personId)
      return seeOther('/console')
    },
    (problem) => askLeave(request, problem),
  )
